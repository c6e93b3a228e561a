import type { Control } from "../circuit/primitives.ts";

/** Time of a gate that permutes basis states, relative to one that superposes them. */
export const SHARE_OF_PERMUTATION = 0.2;
/** Qubits whose values are moved in the time that an amplitude takes. */
const QUBITS_AT_A_TIME = 256;

/** Returns how many numbers are touched with an amplitude and the values of the given number of qubits. */
export const numbersOfAmplitude = (numQubits: number): number => 1 + numQubits / QUBITS_AT_A_TIME;

/** Basis states in a list, each by the values of its qubits in words of 32. */
export interface BasisStates {
  readonly keys: Uint32Array;
  /** Words of each key. */
  readonly words: number;
  /** Number of basis states. */
  readonly size: number;
}

/** Returns 1 for each basis state that has the values of the controls, and 0 for the others. `among` are those that it selects from; default: all. */
export function selectStates(
  { keys, words, size }: BasisStates,
  controls: readonly Control[],
  among?: Uint8Array,
): Uint8Array {
  const selected = among?.slice() ?? new Uint8Array(size).fill(1);
  for (const { qubit, value } of controls) {
    const shift = qubit & 31;
    const other = 1 - value;
    for (let i = 0, at = qubit >> 5; i < size; i++, at += words)
      selected[i]! &= ((keys[at]! >>> shift) & 1) ^ other;
  }
  return selected;
}

/** Flips a qubit in the basis states that are selected. */
export function flipSelected({ keys, words, size }: BasisStates, selected: Uint8Array, qubit: number): void {
  const shift = qubit & 31;
  for (let i = 0, at = qubit >> 5; i < size; i++, at += words) keys[at]! ^= selected[i]! << shift;
}

/** Exchanges two qubits in the basis states that are selected. */
export function exchangeSelected(
  { keys, words, size }: BasisStates,
  selected: Uint8Array,
  a: number,
  b: number,
): void {
  const [shiftOfA, shiftOfB] = [a & 31, b & 31];
  const step = (b >> 5) - (a >> 5);
  for (let i = 0, at = a >> 5; i < size; i++, at += words) {
    const differs = ((keys[at]! >>> shiftOfA) ^ (keys[at + step]! >>> shiftOfB)) & selected[i]!;
    keys[at]! ^= differs << shiftOfA;
    keys[at + step]! ^= differs << shiftOfB;
  }
}
