import { DiagnosticError } from "../diagnostics/diagnostic.ts";
import type { CaseNode, ExpressionNode, IndexNode, NodeList } from "./ast.ts";
import { TYPE_NAMES } from "./keywords.ts";
import type { Shape, StatementParser } from "./statement-parser.ts";

/** Whether an expression is `register == number`. */
const isRegisterTest = (node: ExpressionNode): boolean =>
  node.kind === "binary" &&
  node.operator === "==" &&
  node.left.kind === "name" &&
  node.right.kind === "integer";

/** Parses conditions, loops and switches. */
export class ControlParser {
  readonly #parser: StatementParser;

  constructor(parser: StatementParser) {
    this.#parser = parser;
  }

  /** Parses what follows `if`. */
  if(): Shape {
    const { tokens, isVersion2 } = this.#parser;
    const arms = [this.#arm(0)];
    let otherwise: NodeList | null = null;
    while (!isVersion2 && !otherwise && tokens.accept("else")) {
      const { at } = tokens.peek();
      if (tokens.accept("if")) arms.push(this.#arm(at));
      else otherwise = this.#body("the body of the else");
    }
    const end = tokens.lastEnd;
    for (const arm of arms.splice(1).reverse()) otherwise = [{ ...arm, otherwise, end }];
    return { ...arms[0]!, otherwise };
  }

  /** Parses a condition and what happens where it holds. */
  #arm(at: number) {
    const condition = this.#condition("if");
    return { kind: "if", condition, body: this.#body("the body of the if"), at } as const;
  }

  /** Parses what follows `while`. */
  while(): Shape {
    const condition = this.#condition("while");
    return { kind: "while", condition, body: this.#body("the body of the loop") };
  }

  /** Parses what follows `for`. */
  for(): Shape {
    const { tokens, expressions } = this.#parser;
    const { at, text } = tokens.peek();
    if (!TYPE_NAMES.has(text))
      throw new DiagnosticError(at, "The type of the loop's variable is missing here.", {
        length: Math.max(1, text.length),
        hint: "Write `for int i in [0:3] { … }`.",
      });
    const type = expressions.types.scalar("the loop's variable");
    const name = this.#parser.name("the loop's variable");
    tokens.expect("in", `after ${name.name}`);
    let values: IndexNode;
    if (tokens.is("{")) values = expressions.set();
    else if (tokens.accept("[")) {
      values = expressions.rangeOrExpression();
      if (values.kind !== "range")
        throw new DiagnosticError(values.at, "Expected a range in brackets.", {
          length: values.end - values.at,
          hint: "Write `[0:3]`, or `{0, 2}` for single values.",
        });
      tokens.expect("]", "after the range");
    } else values = expressions.expression();
    if (tokens.is(":"))
      throw new DiagnosticError(tokens.peek().at, "Expected a range in brackets.", {
        length: 1,
        hint: "Write `for int i in [0:3] { … }`; both ends are included.",
      });
    return { kind: "for", type, name, values, body: this.#body("the body of the loop") };
  }

  /** Parses what follows `switch`. */
  switch(): Shape {
    const { tokens, expressions } = this.#parser;
    tokens.expect("(", "after switch");
    const value = expressions.expression();
    tokens.expect(")", "after the value");
    tokens.expect("{", "where the cases begin");
    const cases: CaseNode[] = [];
    while (!tokens.accept("}")) {
      const { at, text, end } = tokens.take();
      if (text !== "case" && text !== "default")
        throw new DiagnosticError(at, "A case or default must begin here.", {
          length: Math.max(1, end - at),
        });
      const labels = text === "default" ? null : [expressions.expression()];
      while (labels && tokens.accept(",") && !tokens.is("{")) labels.push(expressions.expression());
      if (tokens.is(":"))
        throw new DiagnosticError(
          tokens.peek().at,
          "Put the statements of a case in braces, without a colon.",
          {
            length: 1,
            hint: `Write \`${text === "case" ? "case 0" : text} { … }\`.`,
          },
        );
      cases.push({ labels, body: this.#parser.block(`the ${text}`), at, end: tokens.lastEnd });
    }
    return { kind: "switch", value, cases };
  }

  #body(of: string): NodeList {
    const { tokens } = this.#parser;
    if (tokens.is("{")) return this.#parser.block(of);
    if (tokens.is(";"))
      throw new DiagnosticError(tokens.peek().at, `A statement, ${of}, is missing here.`, { length: 1 });
    const statement = this.#parser.statement();
    return statement ? [statement] : [];
  }

  #condition(word: string): ExpressionNode {
    const { tokens, expressions } = this.#parser;
    tokens.expect("(", `after ${word}`);
    const condition = expressions.expression();
    if (tokens.is("="))
      throw new DiagnosticError(tokens.peek().at, "This = assigns; a condition compares.", {
        length: 1,
        hint: "Write == to compare.",
      });
    tokens.expect(")", "after the condition");
    if (this.#parser.isVersion2 && !isRegisterTest(condition))
      throw new DiagnosticError(
        condition.at,
        "A condition of OpenQASM 2 compares a whole register with a number.",
        {
          length: condition.end - condition.at,
          hint: "Write `if (c == 1) …`, or begin the program with `OPENQASM 3.0;`.",
        },
      );
    return condition;
  }
}
