import type { StatementNode } from "./ast.ts";

type IfNode = StatementNode & { kind: "if" };

/** Returns the `else if` after a condition, or null. */
export function elseIfOf({ otherwise }: IfNode): IfNode | null {
  const [only] = otherwise ?? [];
  return only?.kind === "if" && otherwise!.length === 1 ? only : null;
}

/** Returns a condition and each `else if` after it. */
export function armsOf(node: IfNode): IfNode[] {
  const arms: IfNode[] = [];
  for (let arm: IfNode | null = node; arm; arm = elseIfOf(arm)) arms.push(arm);
  return arms;
}
