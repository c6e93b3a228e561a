import type { Amplitudes } from "./reduced.ts";

/** A basis state, by the index of its amplitude. */
export interface PossibleState {
  readonly index: number;
  readonly probability: number;
}

const minProbability = 1e-12;

/** Whether one probability is before another in descending order; those that differ by rounding alone are equal. */
function byProbability(one: PossibleState, other: PossibleState): number {
  const isEqual = Math.abs(one.probability - other.probability) <= 1e-9 * one.probability;
  return isEqual ? one.index - other.index : other.probability - one.probability;
}

/** Returns the basis states that are possible, the likeliest first. */
export function possibleStates(amplitudes: Amplitudes): PossibleState[] {
  const all: PossibleState[] = [];
  for (let index = 0; index < amplitudes.length / 2; index++) {
    const probability = amplitudes[2 * index]! ** 2 + amplitudes[2 * index + 1]! ** 2;
    if (probability > minProbability) all.push({ index, probability });
  }
  return all.sort(byProbability);
}

/** Writes a basis state as bits, the last qubit on the left. */
export const basisState = (index: number, numQubits: number): string =>
  numQubits > 0 ? index.toString(2).padStart(numQubits, "0") : "";
