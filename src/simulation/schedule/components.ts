import type { ScheduledBlock } from "./blocks.ts";

/** Returns the number of qubits of the largest group that gates join. */
export function largestComponent(blocks: readonly ScheduledBlock[]): number {
  const parents = new Map<number, number>();
  const rootOf = (qubit: number): number => {
    let root = qubit;
    for (let up = parents.get(root); up !== undefined && up !== root; up = parents.get(root)) root = up;
    parents.set(qubit, root);
    return root;
  };
  for (const { operations } of blocks)
    for (const { operation } of operations) {
      if (operation.kind === "barrier" || operation.kind === "delay") continue;
      for (const qubit of operation.qubits) parents.set(rootOf(qubit), rootOf(operation.qubits[0]!));
    }
  const sizes = new Map<number, number>();
  for (const qubit of parents.keys()) sizes.set(rootOf(qubit), (sizes.get(rootOf(qubit)) ?? 0) + 1);
  return Math.max(0, ...sizes.values());
}
