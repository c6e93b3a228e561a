import { errorAt } from "../diagnostics/diagnostic.ts";
import type { CaseNode, ExpressionNode, IndexNode, NodeList } from "./ast.ts";
import { parseScalar } from "./operand-parser.ts";
import type { Shape, StatementContext } from "./statement-context.ts";
import { TYPE_NAMES } from "./token-stream.ts";

/** Whether an expression is `register == number`. */
const isRegisterTest = (node: ExpressionNode): boolean =>
  node.kind === "binary" &&
  node.operator === "==" &&
  node.left.kind === "name" &&
  node.right.kind === "integer";

export function parseIf(context: StatementContext): Shape {
  const { tokens, isVersion2 } = context;
  const arm = (at: number) => {
    const condition = parseCondition(context, "if");
    return { kind: "if", condition, body: parseBody(context, "the body of the if"), at } as const;
  };
  const arms = [arm(0)];
  let otherwise: NodeList | null = null;
  while (!isVersion2 && !otherwise && tokens.accept("else")) {
    const { at } = tokens.peek();
    if (tokens.accept("if")) arms.push(arm(at));
    else otherwise = parseBody(context, "the body of the else");
  }
  const end = tokens.lastEnd;
  for (const arm of arms.splice(1).reverse()) otherwise = [{ ...arm, otherwise, end }];
  return { ...arms[0]!, otherwise };
}

export function parseWhile(context: StatementContext): Shape {
  const condition = parseCondition(context, "while");
  return { kind: "while", condition, body: parseBody(context, "the body of the loop") };
}

export function parseFor(context: StatementContext): Shape {
  const { tokens, expressions } = context;
  if (!TYPE_NAMES.has(tokens.peek().text))
    throw errorAt(
      tokens.peek(),
      "The type of the loop's variable is missing here.",
      "Write `for int i in [0:3] { … }`.",
    );
  const type = parseScalar(expressions, "the loop's variable");
  const name = context.name("the loop's variable");
  tokens.expect("in", `after ${name.name}`);
  let values: IndexNode;
  if (tokens.is("{")) values = expressions.set();
  else if (tokens.accept("[")) {
    values = expressions.rangeOrExpression();
    if (values.kind !== "range")
      throw errorAt(values, "Expected a range in brackets.", "Write `[0:3]`, or `{0, 2}` for single values.");
    tokens.expect("]", "after the range");
  } else values = expressions.expression();
  tokens.refuse(
    ":",
    "Expected a range in brackets.",
    "Write `for int i in [0:3] { … }`; both ends are included.",
  );
  return { kind: "for", type, name, values, body: parseBody(context, "the body of the loop") };
}

export function parseSwitch(context: StatementContext): Shape {
  const { tokens, expressions } = context;
  tokens.expect("(", "after switch");
  const value = expressions.expression();
  tokens.expect(")", "after the value");
  tokens.expect("{", "where the cases begin");
  const cases: CaseNode[] = [];
  while (!tokens.accept("}")) {
    const token = tokens.take();
    const { at, text } = token;
    if (text !== "case" && text !== "default") throw errorAt(token, "A case or default must begin here.");
    const labels = text === "default" ? null : [expressions.expression()];
    while (labels && tokens.accept(",") && !tokens.is("{")) labels.push(expressions.expression());
    tokens.refuse(
      ":",
      "Put the statements of a case in braces, without a colon.",
      `Write \`${text === "case" ? "case 0" : text} { … }\`.`,
    );
    cases.push({ labels, body: context.block(`the ${text}`), at, end: tokens.lastEnd });
  }
  return { kind: "switch", value, cases };
}

function parseBody(context: StatementContext, of: string): NodeList {
  const { tokens } = context;
  if (tokens.is("{")) return context.block(of);
  tokens.refuse(";", `A statement, ${of}, is missing here.`);
  const statement = context.statement();
  return statement ? [statement] : [];
}

function parseCondition({ tokens, expressions, isVersion2 }: StatementContext, word: string): ExpressionNode {
  tokens.expect("(", `after ${word}`);
  const condition = expressions.expression();
  tokens.refuse("=", "This = assigns; a condition compares.", "Write == to compare.");
  tokens.expect(")", "after the condition");
  if (isVersion2 && !isRegisterTest(condition))
    throw errorAt(
      condition,
      "A condition of OpenQASM 2 compares a whole register with a number.",
      "Write `if (c == 1) …`, or begin the program with `OPENQASM 3.0;`.",
    );
  return condition;
}
