import type { ExpressionNode } from "./ast.ts";

type BinaryNode = ExpressionNode & { kind: "binary" };

/** Returns the operators that nest in the left operands of one, the innermost first, and the operand on the very left. */
export function leftOperands(node: BinaryNode): { nodes: BinaryNode[]; first: ExpressionNode } {
  const nodes: BinaryNode[] = [];
  let first: ExpressionNode = node;
  for (; first.kind === "binary"; first = first.left) nodes.push(first);
  return { nodes: nodes.reverse(), first };
}
