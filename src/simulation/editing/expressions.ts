import { constant, type Expression } from "../circuit/expression.ts";
import { CONSTANTS } from "../circuit/values/functions.ts";
import { BIT, BOOL, FLOAT, INT } from "../circuit/values/types.ts";
import { DiagnosticError } from "../openqasm/diagnostics/diagnostic.ts";
import type { ExpressionNode } from "../openqasm/syntax/ast.ts";
import { parseExpression } from "../openqasm/syntax/expression-parser.ts";

const OPERATORS: { readonly [operator: string]: ((a: number, b: number) => number) | undefined } = {
  "+": (a, b) => a + b,
  "-": (a, b) => a - b,
  "*": (a, b) => a * b,
  "/": (a, b) => a / b,
};

/**
 * Reads an angle such as `"2 * theta + pi / 4"`: a number, or an expression of inputs.
 * Throws a RangeError with a sentence for other text.
 */
export function readAngle(text: string, inputs: readonly string[]): number | Expression {
  try {
    return readNode(parseExpression(text), inputs);
  } catch (error) {
    if (error instanceof DiagnosticError) throw new RangeError(error.message.replace(/\.$/, ""));
    throw error;
  }
}

function readNode(node: ExpressionNode, inputs: readonly string[]): number | Expression {
  switch (node.kind) {
    case "integer":
    case "float":
      return Number(node.value);
    case "name": {
      if (inputs.includes(node.name)) return { kind: "input", type: FLOAT, name: node.name };
      const known = CONSTANTS.get(node.name);
      if (known !== undefined) return known;
      const has =
        inputs.length > 0 ? `It has ${inputs.join(", ")}` : `Declare it: { inputs: ["${node.name}"] }`;
      throw new RangeError(`the program has no input ${node.name}. ${has}`);
    }
    case "unary": {
      const operand = readNode(node.operand, inputs);
      if (node.operator !== "-") break;
      return typeof operand === "number" ? -operand : { kind: "unary", operator: "-", type: FLOAT, operand };
    }
    case "binary": {
      const { operator } = node;
      const compute = OPERATORS[operator];
      if (!compute) break;
      const [left, right] = [readNode(node.left, inputs), readNode(node.right, inputs)];
      if (typeof left === "number" && typeof right === "number") return compute(left, right);
      const expression = (side: number | Expression) =>
        typeof side === "number" ? constant(FLOAT, side) : side;
      return {
        ...{ kind: "binary", operator, type: FLOAT, isReal: true },
        ...{ left: expression(left), right: expression(right) },
      };
    }
  }
  throw new RangeError("an angle has numbers, inputs, pi, +, -, * and / only");
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
