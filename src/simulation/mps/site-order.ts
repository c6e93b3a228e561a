import type { Circuit } from "../circuit/circuit.ts";
import { visitOperations } from "../circuit/metrics.ts";
import { memoized } from "../memoized.ts";

/** Maximum number of qubits of an operation that says which of them belong together. */
const MAX_OPERANDS = 4;

/**
 * Returns for each qubit a site of a chain, so few gates reach across each of its bonds: site by site it is the
 * qubit which has the most gates with those before it, less those with others. Of equal ones, it is the first.
 */
export const siteOrder = memoized(({ parts }: Circuit): Uint32Array => {
  const neighbours = interactionsOf(parts);
  const sites = new Uint32Array(parts.numQubits);
  const score = neighbours.map(own => -[...own.values()].reduce((sum, gates) => sum + gates, 0));
  const isPlaced = new Uint8Array(parts.numQubits);
  for (let site = 0; site < parts.numQubits; site++) {
    let best = -1;
    for (let qubit = 0; qubit < parts.numQubits; qubit++)
      if (!isPlaced[qubit] && (best < 0 || score[qubit]! > score[best]!)) best = qubit;
    isPlaced[best] = 1;
    sites[best] = site;
    for (const [other, gates] of neighbours[best]!) score[other]! += 2 * gates;
  }
  return sites;
});

/** Returns for each qubit how many gates it has with each other one. */
function interactionsOf(parts: Circuit["parts"]): Map<number, number>[] {
  const neighbours = Array.from({ length: parts.numQubits }, () => new Map<number, number>());
  visitOperations(parts, (name, qubits) => {
    if (name === "barrier" || qubits.length > MAX_OPERANDS) return;
    for (let i = 0; i < qubits.length; i++)
      for (let j = 0; j < qubits.length; j++) {
        const [own, other] = [neighbours[qubits[i]!]!, qubits[j]!];
        if (i !== j) own.set(other, (own.get(other) ?? 0) + 1);
      }
  });
  return neighbours;
}
