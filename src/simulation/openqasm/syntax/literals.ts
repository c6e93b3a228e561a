import { DiagnosticError } from "../diagnostics/diagnostic.ts";
import type { DurationUnit, ExpressionNode } from "./ast.ts";
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
