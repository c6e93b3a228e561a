import { DiagnosticError } from "../diagnostics/diagnostic.ts";
import { type DurationUnit, type ExpressionNode, fitted } from "./ast.ts";
import type { ExpressionParser } from "./expression-parser.ts";
import { habitHint } from "./keywords.ts";
import { describe, type Token } from "./token.ts";

const LONGEST_INTEGER = 100;

/** Returns the value that a token stands for by itself. */
export function literalOf(token: Token): ExpressionNode {
  const { kind, text, at, end } = token;
  switch (kind) {
    case "integer":
      if (text.length > LONGEST_INTEGER)
        throw new DiagnosticError(at, `This number has more than ${LONGEST_INTEGER} digits.`, {
          length: end - at,
        });
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
        throw new DiagnosticError(at, `${describe(token)} is not a string of bits.`, {
          length: end - at,
          hint: 'A string holds the digits 0 and 1 in double quotes, as in "0101".',
        });
      return { kind: "bits", text: text.slice(1, -1).replaceAll("_", ""), at, end, depth: 1 };
  }
}

/** Whole numbers of one or two digits, which most indices are. */
const SMALL = new Map(Array.from({ length: 100 }, (_, i) => [String(i), BigInt(i)]));
const wholeOf = (text: string): bigint => SMALL.get(text) ?? BigInt(text.replaceAll("_", "").toLowerCase());
/** Reads the number at the beginning of a token. */
const realOf = (text: string): number => Number.parseFloat(text.replaceAll("_", ""));

/** Parses what gates and measurements are applied to. */
export class OperandParser {
  readonly #expressions: ExpressionParser;

  constructor(expressions: ExpressionParser) {
    this.#expressions = expressions;
  }

  /** Parses an operand of a gate: a name with indices, or a hardware qubit. */
  one(): ExpressionNode {
    const { tokens } = this.#expressions;
    const token = tokens.peek();
    if (token.kind === "hardware") return literalOf(tokens.take());
    if (token.kind !== "name")
      throw new DiagnosticError(token.at, `A qubit or register is missing here, before ${describe(token)}.`, {
        length: Math.max(1, token.end - token.at),
        hint:
          token.text === "("
            ? "Qubits stand without parentheses."
            : token.kind === "float" || token.kind === "integer"
              ? "Put the numbers of a gate in parentheses, as in `rx(0.5) q;`."
              : undefined,
      });
    this.#expressions.checkName(token, "qubit", habitHint("", "", tokens.before()));
    tokens.take();
    return this.#expressions.indexed({
      kind: "name",
      name: token.text,
      at: token.at,
      end: token.end,
      depth: 1,
    });
  }

  /** Parses a list of operands. */
  list(): ExpressionNode[] {
    const { tokens } = this.#expressions;
    const operands = [this.one()];
    for (;;) {
      if (tokens.isOperandNext()) {
        const next = tokens.peek();
        throw new DiagnosticError(tokens.lastEnd, "A comma is missing between two operands.", {
          length: Math.max(1, next.end - next.at),
          hint: `Write \`,\` before ${describe(next)}.`,
        });
      }
      if (!tokens.accept(",") || tokens.is(";") || tokens.is("->")) return fitted(operands);
      operands.push(this.one());
    }
  }
}
