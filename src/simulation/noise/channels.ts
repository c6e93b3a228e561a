import type { CompositeGate, Gate } from "../circuit/gate.ts";
import { parameterMemory } from "../circuit/memory.ts";
import type { NoiseModel } from "./model.ts";

/** A place where an error can happen: one qubit, or a pair of them. */
export interface ErrorSite {
  readonly qubits: readonly number[];
  /** The error's probability `p` as `-ln(1 - p)`, so that those of several sites add up. */
  readonly hazard: number;
}

/** A gate that is not made of others. */
export type ElementaryGate = Exclude<Gate, CompositeGate>;

type GateVisitor = (
  gate: ElementaryGate,
  params: ArrayLike<number>,
  at: number,
  qubits: ArrayLike<number>,
  first: number,
) => void;

/** Calls back for each elementary gate that a gate is made of, in order. */
export function visitElementary(
  gate: Gate,
  params: ArrayLike<number>,
  at: number,
  qubits: ArrayLike<number>,
  first: number,
  visit: GateVisitor,
): void {
  if (gate.kind !== "composite") {
    visit(gate, params, at, qubits, first);
    return;
  }
  const memory = parameterMemory(Array.from({ length: gate.numParams }, (_, i) => params[at + i]!));
  for (const step of gate.steps) {
    const values = step.params.map(compute => compute(memory));
    const places = step.qubits.map(place => qubits[first + place]!);
    visitElementary(step.gate, values, 0, places, 0, visit);
  }
}

/** Gives the hazard of an event of this probability. */
export function hazardOf(probability: number): number {
  return -Math.log1p(-Math.min(probability, 1 - Number.EPSILON));
}

/** Where errors happen in a gate, by a noise model. */
export type ErrorSites = (
  gate: ElementaryGate,
  qubits: ArrayLike<number>,
  first: number,
) => readonly ErrorSite[];

/**
 * Reads off a noise model where errors happen. One-qubit gates that only turn phases are done in software and have
 * none; a swap is three two-qubit gates, and a gate on more than two qubits is two on each pair of them.
 */
export function errorSites({ oneQubit, twoQubit }: NoiseModel): ErrorSites {
  const numQubits = oneQubit.length;
  const single = oneQubit.map((probability, qubit) => [{ qubits: [qubit], hazard: hazardOf(probability) }]);
  const pairs = new Map(
    twoQubit.pairs.map(({ a, b, probability }) => [
      Math.min(a, b) * numQubits + Math.max(a, b),
      { qubits: [a, b], hazard: hazardOf(probability) },
    ]),
  );
  const pairOf = (a: number, b: number): ErrorSite => {
    const key = Math.min(a, b) * numQubits + Math.max(a, b);
    let pair = pairs.get(key);
    if (!pair) {
      pair = { qubits: [a, b], hazard: hazardOf(twoQubit.otherwise) };
      pairs.set(key, pair);
    }
    return pair;
  };
  return (gate, qubits, first) => {
    if (gate.numQubits === 0 || (gate.numQubits === 1 && gate.diagonal && gate.symbol !== "id")) return [];
    if (gate.numQubits === 1) return single[qubits[first]!]!;
    const each = gate.numQubits > 2 ? 2 : gate.kind === "swap" ? 3 : 1;
    const sites: ErrorSite[] = [];
    for (let i = first; i < first + gate.numQubits; i++)
      for (let j = i + 1; j < first + gate.numQubits; j++)
        for (let times = 0; times < each; times++) sites.push(pairOf(qubits[i]!, qubits[j]!));
    return sites;
  };
}
