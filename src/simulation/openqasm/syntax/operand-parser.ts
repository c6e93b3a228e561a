import { errorAt } from "../diagnostics/diagnostic.ts";
import { type DurationUnit, type ExpressionNode, fitted } from "./ast.ts";
import { habitHint } from "./keywords.ts";
import { describe, type Token } from "./token.ts";
import type { TokenStream } from "./token-stream.ts";

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

interface OperandContext {
  readonly tokens: TokenStream;
  checkName(token: Token, wanted: string, hint?: string): void;
  indexed(base: ExpressionNode): ExpressionNode;
}

/** Parses what gates and measurements are applied to. */
export class OperandParser {
  readonly #context: OperandContext;

  constructor(context: OperandContext) {
    this.#context = context;
  }

  /** Parses an operand of a gate: a name with indices, or a hardware qubit. */
  one(): ExpressionNode {
    const { tokens } = this.#context;
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
    this.#context.checkName(token, "qubit", habitHint("", "", tokens.before()));
    tokens.take();
    return this.#context.indexed({ kind: "name", name: text, at, end, depth: 1 });
  }

  list(): ExpressionNode[] {
    const { tokens } = this.#context;
    const operands = [this.one()];
    for (;;) {
      if (tokens.isOperandNext())
        throw errorAt(
          { at: tokens.lastEnd, end: tokens.lastEnd + tokens.peek().text.length },
          "A comma is missing between two operands.",
          `Write \`,\` before ${describe(tokens.peek())}.`,
        );
      if (!tokens.accept(",") || tokens.is(";") || tokens.is("->")) return fitted(operands);
      operands.push(this.one());
    }
  }
}
