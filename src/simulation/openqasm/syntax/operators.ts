import type { ExpressionNode } from "./ast.ts";

/** Precedence of the binary operators; only the power is right-associative. */
export const PRECEDENCE: ReadonlyMap<string, number> = new Map([
  ...["||", "&&", "|", "^", "&", "== !=", "< <= > >=", "<< >>", "+ -", "* / %"].flatMap((level, i) =>
    level.split(" ").map(operator => [operator, i + 1] as const),
  ),
  ["**", 12],
]);
export const UNARY_PRECEDENCE = 11;
export const POWER_PRECEDENCE = 12;

type BinaryNode = ExpressionNode & { kind: "binary" };

/** Returns the operators that nest in the left operands of one, the innermost first, and the operand on the very left. */
export function leftOperands(node: BinaryNode): { nodes: BinaryNode[]; first: ExpressionNode } {
  const nodes: BinaryNode[] = [];
  let first: ExpressionNode = node;
  for (; first.kind === "binary"; first = first.left) nodes.push(first);
  return { nodes: nodes.reverse(), first };
}
