import type { Circuit } from "../circuit/circuit.ts";
import { visitOperations } from "../circuit/metrics.ts";
import { runPure } from "../execution/scheduler.ts";
import { checkWidth, joinClauses, NO_EXACT_NOISE, refusal, type Simulator } from "../execution/simulator.ts";
import { memoized } from "../memoized.ts";
import { runNoisy } from "../noise/noisy-branch.ts";
import { ruleNoiseOf } from "../noise/rule-noise.ts";
import { MpsState } from "./mps-state.ts";

/** Simulates with a chain of tensors, whose size grows only with entanglement. */
export const mpsSimulator: Simulator = {
  name: "matrix product state",

  check(_circuit, { noise, shots }) {
    if (noise?.rules && ruleNoiseOf(noise.rules).needsPairs)
      return refusal("the noise jumps on pairs of qubits, which matrix product states do not do");
    return noise && shots === 0 ? NO_EXACT_NOISE : null;
  },

  reason: (_circuit, _wishes, refusals) =>
    refusals.length > 0 ? joinClauses(refusals) : "Its qubits may be little entangled.",

  run(circuit, run) {
    checkWidth(circuit, run.maxQubits);
    run.onTruncation({ bondDimension: 1, fidelity: 1 });
    const sites = siteOrder(circuit);
    const begin = () => new MpsState(circuit.numQubits, run, sites);
    if (!run.noise) return runPure(circuit, run, begin);
    runNoisy(circuit, run, begin);
    return undefined;
  },
};

/** Maximum number of qubits of an operation that says which of them belong together. */
const MAX_OPERANDS = 4;

/**
 * Returns for each qubit a site of a chain, so few gates reach across each of its bonds: site by site it is the
 * qubit which has the most gates with those before it, less those with others. Of equal ones, it is the first.
 */
const siteOrder = memoized(({ parts }: Circuit): Uint32Array => {
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
