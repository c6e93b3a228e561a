import { errorAt, fatalAt } from "../diagnostics/diagnostic.ts";
import type { ExpressionNode } from "./ast.ts";
import { parseParameter } from "./declaration-parser.ts";
import type { Token } from "./lexer.ts";
import { isCast, parseOperand, parseOperandList, parseScalar } from "./operand-parser.ts";
import type { Shape, StatementContext } from "./statement-context.ts";
import { TYPE_NAMES } from "./token-stream.ts";

export function parseMeasure(context: StatementContext): Shape {
  const { tokens, expressions, isVersion2 } = context;
  const operand = parseOperand(expressions);
  tokens.refuse(
    ",",
    "A measurement takes one qubit or register.",
    "Measure a register as a whole, or each qubit in a separate statement.",
  );
  const target = tokens.accept("->") ? parseOperand(expressions) : null;
  if (!target && isVersion2) tokens.expect("->", "after the measured qubit");
  context.semicolon("after the measurement");
  return { kind: "measure", operand, target };
}

export function parseDelay(context: StatementContext): Shape {
  const { tokens, expressions } = context;
  tokens.expect("[", "after delay, where the duration begins", "A delay is written `delay[100ns] q;`.");
  const duration = expressions.expression();
  tokens.expect("]", "after the duration");
  return { kind: "delay", duration, operands: parseOperands(context, "after the delay") };
}

export function parseBox(context: StatementContext): Shape {
  return { kind: "box", duration: context.bracketed("after the duration"), body: context.block("the box") };
}

/** Parses the operands of a statement that may have none, and its semicolon. */
export function parseOperands(context: StatementContext, where: string): readonly ExpressionNode[] {
  const operands = context.tokens.is(";") ? [] : parseOperandList(context.expressions);
  context.semicolon(where);
  return operands;
}

/** Words that begin the declaration of an argument, beside the names of types. */
const DECLARATIONS = ["qubit", "qreg", "creg", "readonly", "mutable"];

export function parseDefcalgrammar(context: StatementContext, { at }: Token): Shape {
  const name = context.tokens.take();
  if (name.kind !== "string") throw errorAt(name, "The name of the grammar is missing here.");
  context.semicolon("after the name of the grammar");
  return verbatim(context, at);
}

export function parseCal(context: StatementContext, { at }: Token): Shape {
  skipBlock(context, at, "cal");
  return verbatim(context, at);
}

/** Parses what follows `defcal`: what is calibrated, its arguments, its qubits and its result. */
export function parseDefcal(context: StatementContext, { at }: Token): Shape {
  const { tokens, expressions } = context;
  if (["measure", "reset", "delay"].includes(tokens.peek().text)) tokens.take();
  else context.name("what is calibrated");
  if (tokens.accept("("))
    expressions.items(")", "after the arguments of the calibration", () => parseArgument(context));
  do {
    const qubit = tokens.take();
    if (qubit.kind !== "name" && qubit.kind !== "hardware") throw errorAt(qubit, "A qubit is missing here.");
  } while (tokens.accept(",") && !tokens.is("{") && !tokens.is("->"));
  if (tokens.accept("->")) {
    parseScalar(expressions, "what a calibration returns");
    tokens.refuse("->", "A calibration returns one value at most.");
  }
  skipBlock(context, at, "defcal");
  return verbatim(context, at);
}

function parseArgument(context: StatementContext): void {
  const { tokens, expressions } = context;
  const { kind, text, at } = tokens.peek();
  const isDeclared = kind === "name" && (TYPE_NAMES.has(text) || DECLARATIONS.includes(text));
  if (isDeclared && !isCast(tokens.lexer.source, at)) parseParameter(context);
  else expressions.expression();
}

/** Returns the unchanged text in a calibration language. */
function verbatim({ tokens: { lexer, lastEnd } }: StatementContext, at: number): Shape {
  return { kind: "verbatim", text: lexer.source.slice(at, lastEnd) };
}

/** Skips a block in a calibration language, up to the brace that closes it. */
function skipBlock({ tokens }: StatementContext, at: number, word: string): void {
  const { lexer } = tokens;
  if (!tokens.is("{")) tokens.expect("{", `where the block of ${word} begins`);
  tokens.rewind();
  let depth = 0;
  for (let i = lexer.offset; i < lexer.end; i++) {
    const character = lexer.source[i];
    if (character === "{") depth++;
    else if (character === "}" && --depth === 0) {
      lexer.offset = i + 1;
      tokens.lastEnd = i + 1;
      return;
    }
  }
  throw fatalAt(at, `The block of ${word} is never closed.`);
}
