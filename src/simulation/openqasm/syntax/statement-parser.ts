import { DiagnosticError, errorAt } from "../diagnostics/diagnostic.ts";
import type { ExpressionNode, ModifierNode, NameNode, StatementNode } from "./ast.ts";
import { parseFor, parseIf, parseSwitch, parseWhile } from "./control-parser.ts";
import {
  parseClassical,
  parseExtern,
  parseGate,
  parseInclude,
  parseRegister,
  parseSubroutine,
} from "./declaration-parser.ts";
import { describe, type Token } from "./lexer.ts";
import { isCast, parseOperand, parseOperandList } from "./operand-parser.ts";
import {
  parseBox,
  parseCal,
  parseDefcal,
  parseDefcalgrammar,
  parseDelay,
  parseMeasure,
  parseOperands,
} from "./operation-parser.ts";
import { checkPragma } from "./pragmas.ts";
import { type Shape, StatementContext } from "./statement-context.ts";
import { KEYWORDS_3, TYPE_NAMES, versionHint } from "./token-stream.ts";

/** Names that stand for values although they are words of the language. */
const VALUES: ReadonlySet<string> = new Set(["true", "false", "durationof"]);

type Parse = (context: StatementContext, token: Token) => Shape;

function parseAlias(context: StatementContext): Shape {
  const name = context.name("the alias");
  context.tokens.expect("=", `after let ${name.name}`);
  const value = context.expressions.concatenation();
  context.semicolon(`after the alias ${name.name}`);
  return { kind: "alias", name, value };
}

function parseReset(context: StatementContext): Shape {
  const operand = parseOperand(context.expressions);
  context.semicolon("after the reset");
  return { kind: "reset", operand };
}

function parseReturn(context: StatementContext): Shape {
  const value = context.tokens.is(";") ? null : context.expressions.value();
  context.semicolon("after the return");
  return { kind: "return", value };
}

const parseBare =
  (kind: "break" | "continue" | "end"): Parse =>
  context => {
    context.semicolon(`after ${kind}`);
    return { kind };
  };

const parseOperation =
  (kind: "barrier" | "nop"): Parse =>
  context => ({ kind, operands: parseOperands(context, `after the ${kind}`) });

const refuse =
  (message: string): Parse =>
  (_, token) => {
    throw errorAt(token, message);
  };

/** The statements that begin with a word of the language. */
const STATEMENTS: Readonly<Record<string, Parse>> = {
  include: parseInclude,
  OPENQASM: refuse("The version stands once, as the first statement of the program."),
  ...{ qubit: parseRegister, qreg: parseRegister, creg: parseRegister },
  const: context => parseClassical(context, "const"),
  input: context => parseClassical(context, "input"),
  output: context => parseClassical(context, "output"),
  let: parseAlias,
  gate: context => parseGate(context, false),
  opaque: context => parseGate(context, true),
  ...{ def: parseSubroutine, extern: parseExtern },
  ...{ measure: parseMeasure, reset: parseReset, delay: parseDelay, box: parseBox },
  ...{ barrier: parseOperation("barrier"), nop: parseOperation("nop") },
  ...{ if: parseIf, while: parseWhile, for: parseFor, switch: parseSwitch },
  else: refuse("This else follows no if."),
  return: parseReturn,
  ...{ break: parseBare("break"), continue: parseBare("continue"), end: parseBare("end") },
  ...{ defcalgrammar: parseDefcalgrammar, cal: parseCal, defcal: parseDefcal },
};

/** Parses statements by recursive descent. A faulty statement is reported and left out. */
export class StatementParser extends StatementContext {
  /** Gates that a program in OpenQASM 2 names by a word of OpenQASM 3. */
  readonly #own = new Set<string>();

  override statement(): StatementNode | null {
    const { tokens } = this;
    const { depth, braces } = tokens;
    try {
      tokens.deepen();
      const { at } = tokens.peek();
      return { ...this.#shape(), at, end: tokens.lastEnd } as StatementNode;
    } catch (error) {
      if (!(error instanceof DiagnosticError)) throw error;
      this.diagnostics.report(error);
      tokens.recover(braces);
      return null;
    } finally {
      tokens.depth = depth;
    }
  }

  #shape(): Shape {
    const { tokens } = this;
    const token = tokens.peek();
    const { kind, text, at } = token;
    if (kind === "pragma" || kind === "annotation") return this.#remark();
    if (tokens.accept(";")) throw errorAt(token, "This ; ends no statement.", "Leave it out.");
    if (this.isVersion2) this.#checkVersion2();
    if (text === "{") return { kind: "block", body: this.block("the block") };
    if (text === "}") throw errorAt(tokens.take(), "This } closes nothing.");
    if (kind !== "name" || VALUES.has(text)) return this.#expressionStatement();
    if (!this.isVersion2 && (MODIFIERS.has(text) || text === "gphase")) return parseGateCall(this);
    if (!this.keywords.has(text)) return parseNamed(this);
    if (TYPE_NAMES.has(text))
      return isCast(tokens.lexer.source, at) ? this.#expressionStatement() : parseClassical(this, null);
    return this.#keyword(tokens.take());
  }

  #checkVersion2(): void {
    const token = this.tokens.peek();
    const { kind, text } = token;
    const isNew = KEYWORDS_3.has(text) && !this.keywords.has(text) && !this.#own.has(text);
    if (kind === "end" || text === "}" || (kind === "name" && !isNew)) return;
    const what =
      kind === "name"
        ? `\`${text}\` is a word of`
        : `A statement that begins with ${describe(token)} is part of`;
    const message = `${what} OpenQASM 3, and this program says that it is OpenQASM 2.`;
    throw errorAt(token, message, versionHint(text));
  }

  #keyword(token: Token): Shape {
    const { text: word } = token;
    const next = this.tokens.peek().text;
    if (this.isVersion2 && (word === "gate" || word === "opaque") && KEYWORDS_3.has(next))
      this.#own.add(next);
    const parse = STATEMENTS[word];
    if (!parse) throw errorAt(token, `\`${word}\` cannot begin a statement.`);
    return parse(this, token);
  }

  /** Parses a pragma, or an annotation, which belongs to the statement after it. */
  #remark(): Shape {
    const token = this.tokens.take();
    const next = this.tokens.peek();
    const isLast = next.kind === "end" || next.kind === "pragma" || next.text === "}" || next.text === "{";
    if (token.kind === "annotation" && isLast) throw errorAt(token, "No statement follows this annotation.");
    checkPragma(token, next);
    return { kind: "verbatim", text: token.text.trimEnd() };
  }

  #expressionStatement(): Shape {
    const value = this.expressions.expression();
    this.semicolon("at the end of the statement");
    return { kind: "expression", value };
  }
}

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
  const args = tokens.accept("(") ? expressions.list(")", `after the arguments of ${name.name}`) : [];
  const duration = context.bracketed("after the duration");
  const operands = isPhase && tokens.is(";") ? [] : parseOperandList(expressions);
  context.semicolon(`after the call of ${name.name}`);
  return { kind: "call", name, modifiers, args, duration, operands };
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
  const operands = parseOperandList(expressions);
  if (!duration && tokens.accept("->")) {
    const target = parseOperand(expressions);
    context.semicolon("after the assignment");
    return { kind: "assign", target, operator: "=", value: expressions.callWith(called, operands) };
  }
  context.semicolon(`after the call of ${name}`);
  const args = called.kind === "call" ? called.args : [];
  return { kind: "call", name: { name, at, end }, modifiers: [], args, duration, operands };
}
