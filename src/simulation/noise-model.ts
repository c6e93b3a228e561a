import type { NoiseRules } from "./noise-rules.ts";

/** The relaxation of a qubit during a gate. */
export interface Relaxation {
  /** Probability that a 1 decays to 0, as in amplitude damping. */
  readonly decay: number;
  /** Probability of a phase flip, besides the dephasing of the decay. */
  readonly dephasing: number;
}

/** The noise of the qubits of a device, as plain data. All values are probabilities. */
export interface NoiseModel {
  /** For each qubit, of a Pauli error after a one-qubit gate: X, Y and Z equally likely. */
  oneQubit: number[];
  /** Of one of the 15 Pauli errors of the pair after a two-qubit gate, all equally likely. */
  twoQubit: {
    pairs: { a: number; b: number; probability: number }[];
    /** For the pairs that are not listed. */
    otherwise: number;
  };
  /** For each qubit, its relaxation during a one-qubit gate, and during a larger one. Default: none. */
  relaxation?: { oneQubit: Relaxation[]; twoQubit: Relaxation[] };
  /** For each qubit, of reading 0 where it is 1. */
  zeroGivenOne: number[];
  /** For each qubit, of reading 1 where it is 0. */
  oneGivenZero: number[];
  /** The noise at the locations that a schedule has inserted into a circuit; gates themselves then have none. */
  locations?: LocationNoise;
  /** The noise by gate and qubit; the other errors of gates are then left out. */
  rules?: NoiseRules;
}

/** Relaxation of qubits at the noise locations of a scheduled circuit. */
export interface LocationNoise {
  /** For each qubit its relaxation time in nanoseconds; infinite: none. */
  readonly T1: readonly number[];
  /** For each qubit its dephasing time in nanoseconds, at most twice `T1`. */
  readonly T2: readonly number[];
  /** Whether relaxation is replaced by its Pauli twirl, which stabilizers can simulate. */
  readonly isTwirled: boolean;
}

/** Returns the probability of a Pauli error in the depolarizing channel of this average infidelity. */
export function pauliProbability(infidelity: number, dimensions: number): number {
  const probability = (infidelity * (dimensions + 1)) / dimensions;
  return Math.min(Math.max(probability, 0), 1 - 1 / dimensions ** 2);
}
