import { errorAt } from "../diagnostics/diagnostic.ts";
import { type ExpressionNode, fitted, type ModifierNode, type NameNode, NONE } from "./ast.ts";
import { parseDuration } from "./operation-parser.ts";
import type { Shape, StatementContext } from "./statement-context.ts";
import type { Token } from "./token.ts";

export const MODIFIERS: ReadonlySet<string> = new Set(["inv", "pow", "ctrl", "negctrl"]);

const ASSIGNMENTS: ReadonlySet<string> = new Set("= += -= *= /= %= **= &= |= ^= <<= >>=".split(" "));
/** Other languages' words for `else if`. */
const ELSE_IFS: ReadonlySet<string> = new Set(["elif", "elseif", "elsif"]);
/** Whether an expression is a name, with or without indices. */
const isTarget = (node: ExpressionNode): boolean =>
  node.kind === "index" ? isTarget(node.base) : node.kind === "name";

export function parseGateCall(context: StatementContext): Shape {
  const { tokens, expressions } = context;
  const modifiers: ModifierNode[] = [];
  while (MODIFIERS.has(tokens.peek().text) && !context.isVersion2) {
    modifiers.push(parseModifier(context));
    tokens.checkDepth(modifiers.length, tokens.lastEnd);
  }
  const { text, at, end } = tokens.peek();
  const isPhase = text === "gphase" && tokens.accept(text);
  const name: NameNode = isPhase ? { name: text, at, end } : context.name("a gate");
  const args = tokens.accept("(") ? expressions.list(")", `after the arguments of ${name.name}`) : NONE;
  const duration = parseDuration(context);
  const operands = isPhase && tokens.is(";") ? NONE : expressions.operands.list();
  context.semicolon(`after the call of ${name.name}`);
  return { kind: "call", name, modifiers: fitted(modifiers), args, duration, operands };
}

function parseModifier({ tokens, expressions }: StatementContext): ModifierNode {
  const token = tokens.take();
  const kind = token.text as ModifierNode["kind"];
  let argument: ExpressionNode | null = null;
  if (kind === "inv") tokens.refuse("(", "inv takes no argument.");
  if (tokens.accept("(")) {
    argument = expressions.expression();
    tokens.expect(")", `after the argument of ${kind}`);
  } else if (kind === "pow") throw errorAt(token, "pow needs an exponent.", "Write `pow(2) @ x q;`.");
  const next = tokens.peek();
  if (next.kind === "annotation") {
    tokens.rewind();
    tokens.lexer.offset = next.at + 1;
  } else tokens.expect("@", `after the modifier ${kind}`, `Write \`${kind} @ …\`.`);
  return { kind, argument, at: token.at, end: tokens.lastEnd };
}

/** Parses a statement that begins with a name other than a keyword: a gate call, an assignment or an expression. */
export function parseNamed(context: StatementContext): Shape {
  const { tokens, expressions } = context;
  const token = tokens.take();
  const { text: name, at, end } = token;
  const next = tokens.peek().kind;
  if (name === "then" && next === "name")
    throw errorAt(token, "There is no `then`.", "Leave it out: the statement follows the condition.");
  if (next === "name" || next === "hardware")
    return callOf(context, token, { kind: "name", name, at, end, depth: 1 }, null);
  if (ELSE_IFS.has(name) && tokens.is("("))
    throw errorAt(token, `There is no \`${name}\`.`, "Write `else if (…) { … }`.");
  const value = expressions.afterName(token);
  const after = tokens.peek();
  const { text: operator, kind } = after;
  if (kind === "symbol" && ASSIGNMENTS.has(operator)) return assignmentOf(context, value, tokens.take());
  if (tokens.isOperandNext() || (value.kind === "call" && (kind === "name" || kind === "hardware"))) {
    const duration = value.kind === "index" && value.items.length === 1 ? value.items[0]! : null;
    const called = value.kind === "index" ? value.base : value;
    const isTimed = duration && duration.kind !== "range" && duration.kind !== "set";
    if ((called.kind === "name" || called.kind === "call") && (called === value || isTimed))
      return callOf(context, token, called, isTimed ? duration : null);
  }
  if (operator === "++")
    throw errorAt(after, "`++` joins registers and arrays.", "To add one, write `+= 1`.");
  context.semicolon("at the end of the statement");
  return { kind: "expression", value };
}

function assignmentOf(context: StatementContext, target: ExpressionNode, token: Token): Shape {
  const operator = token.text;
  if (!isTarget(target))
    throw errorAt(
      token,
      `\`${operator}\` assigns, but a value precedes it, not a variable.`,
      operator === "=" ? "Write == to compare." : undefined,
    );
  if (context.isVersion2)
    throw errorAt(
      token,
      "Assignments are part of OpenQASM 3, and this program says that it is OpenQASM 2.",
      "Write `measure q -> c;` to measure, or begin the program with `OPENQASM 3.0;`.",
    );
  const value = context.expressions.value();
  context.semicolon("after the assignment");
  return { kind: "assign", target, operator, value };
}

/** Parses the operands of a call after its name and arguments. */
function callOf(
  context: StatementContext,
  { text: name, at, end }: Token,
  called: ExpressionNode & { kind: "name" | "call" },
  duration: ExpressionNode | null,
): Shape {
  const { tokens, expressions } = context;
  const operands = expressions.operands.list();
  if (!duration && tokens.accept("->")) {
    const target = expressions.operands.one();
    context.semicolon("after the assignment");
    return { kind: "assign", target, operator: "=", value: expressions.callWith(called, operands) };
  }
  context.semicolon(`after the call of ${name}`);
  const args = called.kind === "call" ? called.args : NONE;
  return { kind: "call", name: { name, at, end }, modifiers: NONE, args, duration, operands };
}
