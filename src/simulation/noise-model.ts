import type { NoiseRules, UniformChannel } from "./noise-rules.ts";

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

/** The same noise on every qubit: the channels after each gate, and the readout errors. */
export interface UniformNoise {
  readonly oneQubit: readonly UniformChannel[];
  readonly twoQubit: readonly UniformChannel[];
  readonly readout: { readonly zeroGivenOne: number; readonly oneGivenZero: number };
}

/** Builds a noise model in which all of `numQubits` qubits have the same noise. */
export function uniformNoise({ oneQubit, twoQubit, readout }: UniformNoise, numQubits: number): NoiseModel {
  const each = <T>(value: T) => new Array<T>(numQubits).fill(value);
  return {
    oneQubit: each(depolarizing(oneQubit, 2)),
    twoQubit: { pairs: [], otherwise: depolarizing(twoQubit, 4) },
    relaxation: { oneQubit: each(relaxation(oneQubit)), twoQubit: each(relaxation(twoQubit)) },
    zeroGivenOne: each(readout.zeroGivenOne),
    oneGivenZero: each(readout.oneGivenZero),
  };
}

/** Composes depolarizing channels, whose survival factors multiply; returns the probability of a Pauli error. */
function depolarizing(channels: readonly UniformChannel[], dimensions: number): number {
  const max = 1 - 1 / dimensions ** 2;
  let survival = 1;
  for (const one of channels) if (one.channel === "depolarizing") survival *= 1 - one.probability / max;
  return max * (1 - survival);
}

/** Composes damping channels, which commute: the decay factors of populations and coherences multiply. */
function relaxation(channels: readonly UniformChannel[]): Relaxation {
  let population = 1;
  let coherence = 1;
  for (const one of channels) {
    if (one.channel === "amplitude_damping") {
      population *= 1 - one.gamma;
      coherence *= Math.sqrt(1 - one.gamma);
    } else if (one.channel === "phase_damping") coherence *= Math.sqrt(1 - one.lambda);
    else if (one.channel === "thermal_relaxation") {
      population *= Math.exp(-one.time / one.T1);
      coherence *= Math.exp(-one.time / one.T2);
    }
  }
  const fromDecay = Math.sqrt(population);
  const pureDephasing = fromDecay > 0 ? Math.min(1, coherence / fromDecay) : 1;
  return { decay: 1 - population, dephasing: (1 - pureDephasing) / 2 };
}
