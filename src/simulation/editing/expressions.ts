import { constant, type Expression } from "../circuit/expression.ts";
import { BIT, BOOL, INT } from "../circuit/values/types.ts";
import { compile } from "../compile.ts";
import { ProgramError } from "../openqasm/diagnostics/diagnostic.ts";

/**
 * Reads an angle such as `"2 * theta + pi / 4"`: a number, or an expression of inputs.
 * Throws a RangeError with a sentence for other text.
 */
export function readAngle(text: string, inputs: readonly string[]): number | Expression {
  if (/[;{}]/.test(text)) throw new RangeError("an angle is one expression of numbers, inputs and pi");
  const declared = inputs.map(name => `input float ${name}; `).join("");
  const data = `${declared}gphase((${text}\n));`;
  try {
    const { body, operations } = compile({ format: "qasm3", data }, { openInputs: true }).parts;
    const [call] = body;
    return call?.kind === "gate" ? call.params[0]! : operations.params[0]!;
  } catch (error) {
    if (!(error instanceof ProgramError)) throw error;
    const { message, hint = "" } = error.diagnostics[0]!;
    throw new RangeError(
      `${message} ${hint && !hint.includes("declare") ? hint : 'An angle has numbers, pi and the inputs of the program: { inputs: ["theta"] }.'}`,
    );
  }
}

/** Returns the condition that a bit is 1, or 0. */
export function bitCondition(bit: number, isOne: boolean): Expression {
  const operand: Expression = { kind: "bits", type: BIT, bits: [bit] };
  const test: Expression = { kind: "cast", type: BOOL, operand, conversion: "promotion" };
  return isOne ? test : { kind: "unary", type: BOOL, operator: "!", operand: test };
}

/** Returns the condition that bits, the first as the lowest, are a whole number. */
export const valueCondition = (bits: readonly number[], value: number): Expression => ({
  ...{ kind: "binary", type: BOOL, operator: "==" },
  left: { kind: "bits", type: { kind: "bit", width: bits.length }, bits },
  right: constant(INT, BigInt(value)),
});
