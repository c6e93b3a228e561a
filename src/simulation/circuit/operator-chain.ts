import type { ChainStep, Expression } from "./expression.ts";

/** The number of operators on the left of each other from which on they become a chain. */
const MIN_STEPS = 64;

/** Returns an expression whose operators nest deep on the left as a chain, and any other one as it is. */
export function chained(node: Expression): Expression {
  const steps: ChainStep[] = [];
  let first = node;
  for (; first.kind === "binary"; first = first.left) {
    const { type, operator, right, isReal, at } = first;
    steps.push({
      type,
      operator,
      operand: right,
      ...(isReal && { isReal }),
      ...(at !== undefined && { at }),
    });
  }
  return steps.length < MIN_STEPS ? node : { kind: "chain", type: node.type, first, steps: steps.reverse() };
}
