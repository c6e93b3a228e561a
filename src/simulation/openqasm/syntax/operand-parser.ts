import { errorAt } from "../diagnostics/diagnostic.ts";
import type { DurationUnit, ExpressionNode, TypeNode } from "./ast.ts";
import type { ExpressionParser } from "./expression-parser.ts";
import { describe, type Token } from "./lexer.ts";
import { habitHint, TYPE_NAMES } from "./token-stream.ts";

const LONGEST_INTEGER = 100;

/** Returns the value that a token stands for by itself. */
export function literalOf(token: Token): ExpressionNode {
  const { kind, text, at, end } = token;
  switch (kind) {
    case "integer":
      if (text.length > LONGEST_INTEGER)
        throw errorAt(token, `This number has more than ${LONGEST_INTEGER} digits.`);
      return { kind, value: wholeOf(text), at, end, depth: 1 };
    case "float":
    case "imaginary":
      return { kind, value: realOf(text), at, end, depth: 1 };
    case "duration": {
      const unit = /[a-zµμ]+$/.exec(text)![0].replace(/[µμ]/, "u") as DurationUnit;
      return { kind, value: realOf(text), unit, at, end, depth: 1 };
    }
    case "hardware":
      return { kind, index: Number(text.slice(1)), at, end, depth: 1 };
    default:
      if (!/^"[01](?:_?[01])*"$/.test(text))
        throw errorAt(
          token,
          `${describe(token)} is not a string of bits.`,
          'A string holds the digits 0 and 1 in double quotes, as in "0101".',
        );
      return { kind: "bits", text: text.slice(1, -1).replaceAll("_", ""), at, end, depth: 1 };
  }
}

/** Whole numbers of one or two digits, which most indices are. */
const SMALL = new Map(Array.from({ length: 100 }, (_, i) => [String(i), BigInt(i)]));
const wholeOf = (text: string): bigint => SMALL.get(text) ?? BigInt(text.replaceAll("_", "").toLowerCase());
const realOf = (text: string): number => Number.parseFloat(text.replaceAll("_", ""));

/** Parses an operand of a gate: a name with indices, or a hardware qubit. */
export function parseOperand(parser: ExpressionParser): ExpressionNode {
  const { tokens } = parser;
  const token = tokens.peek();
  const { kind, text, at, end } = token;
  if (kind === "hardware") return literalOf(tokens.take());
  if (kind !== "name") {
    const isNumber = kind === "float" || kind === "integer";
    throw errorAt(
      token,
      `A qubit or register is missing here, before ${describe(token)}.`,
      text === "("
        ? "Qubits stand without parentheses."
        : isNumber
          ? "Put the numbers of a gate in parentheses, as in `rx(0.5) q;`."
          : undefined,
    );
  }
  parser.checkName(token, "qubit", habitHint("", "", tokens.before()));
  tokens.take();
  return parser.indexed({ kind: "name", name: text, at, end, depth: 1 });
}

/** Parses operands with commas between them. */
export function parseOperandList(parser: ExpressionParser): ExpressionNode[] {
  const { tokens } = parser;
  const operands = [parseOperand(parser)];
  for (;;) {
    if (tokens.isOperandNext())
      throw errorAt(
        { at: tokens.lastEnd, end: tokens.lastEnd + tokens.peek().text.length },
        "A comma is missing between two operands.",
        `Write \`,\` before ${describe(tokens.peek())}.`,
      );
    if (!tokens.accept(",") || tokens.is(";") || tokens.is("->")) return operands;
    operands.push(parseOperand(parser));
  }
}

const WITHOUT_WIDTH = ["bool", "duration", "stretch"];
const ELEMENTS = ["int", "uint", "float", "angle", "complex", "bool", "duration", "bit"];

/** Parses a type, with its width in brackets; `access` is the word in front of the array of a parameter. */
export function parseType(parser: ExpressionParser, access: "readonly" | "mutable" | null = null): TypeNode {
  const { tokens } = parser;
  const token = tokens.peek();
  const { text: name, at } = token;
  if (!TYPE_NAMES.has(name))
    throw errorAt(
      token,
      `A type is missing here, before ${describe(token)}.`,
      "Write the type before the name, as in `int n` or `qubit q`. If nothing is returned, omit the arrow.",
    );
  tokens.take();
  if (name === "array") return parseArray(parser, token, access);
  if (!tokens.is("[")) return { name, width: null, at, end: tokens.lastEnd };
  if (WITHOUT_WIDTH.includes(name)) tokens.refuse("[", `The type ${name} has no width.`);
  tokens.take();
  if (name === "complex" && !tokens.is("float"))
    throw errorAt(tokens.peek(), "The parts of a complex number are floats.", "Write `complex[float[64]]`.");
  const width = name === "complex" ? parseType(parser).width : parser.expression();
  tokens.expect("]", "after the width of the type");
  return { name, width, at, end: tokens.lastEnd };
}

/** Parses the type of a single value. */
export function parseScalar(parser: ExpressionParser, what: string): TypeNode {
  parser.tokens.refuse("array", `An array cannot be ${what}, which is a single value.`);
  return parseType(parser);
}

function parseArray(
  parser: ExpressionParser,
  { at }: Token,
  access: "readonly" | "mutable" | null,
): TypeNode {
  const { tokens } = parser;
  tokens.expect("[", "after array", "An array is written `array[int[8], 4] a;`.");
  const next = tokens.peek();
  if (!ELEMENTS.includes(next.text))
    throw errorAt(
      next,
      `${describe(next)} cannot be the element of an array.`,
      "Write a type, as in `array[int[8], 4] a;`.",
    );
  const element = parseType(parser);
  tokens.expect(",", "after the element of the array");
  const sizes: ExpressionNode[] = [];
  let dimensions: ExpressionNode | null = null;
  if (!access) tokens.refuse("#dim", "Only the parameter of a subroutine leaves its sizes open.");
  if (tokens.accept("#dim")) {
    tokens.expect("=", "after #dim");
    dimensions = parser.expression();
  } else
    do {
      if (TYPE_NAMES.has(tokens.peek().text))
        throw errorAt(tokens.peek(), "An array has one type of element; its sizes follow.");
      sizes.push(parser.expression());
    } while (tokens.accept(",") && !tokens.is("]"));
  tokens.expect("]", "after the sizes of the array");
  const array = { element, sizes, dimensions, access };
  return { name: "array", width: null, array, at, end: tokens.lastEnd };
}

/** Whether what begins with a type is a cast rather than a declaration. */
export const isCast = (source: string, at: number): boolean =>
  /^\w+\s*(?:\[(?:[^[\]]|\[[^\]]*\])*\]\s*)?\(/.test(source.slice(at, at + 256));
