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

/** The figures of a calibration that a noise model is made of. Gate errors are average infidelities, as randomized benchmarking measures them. */
export interface CalibrationFigures {
  /** The figures of a qubit, by its number. */
  readonly qubits: {
    readonly [qubit: string]: {
      readonly readoutError: number | null;
      readonly prob0Given1: number | null;
      readonly prob1Given0: number | null;
      readonly gateError: { readonly [gate: string]: number };
    };
  };
  readonly edges: {
    readonly gateError: {
      readonly [gate: string]: readonly {
        readonly source: number;
        readonly target: number;
        readonly value: number;
      }[];
    };
  };
}

/**
 * Builds a noise model from a calibration. A qubit has the error of its worst one-qubit gate, a pair that of its best
 * two-qubit gate; qubits without a figure, and pairs that are not coupled, have the median of the others.
 */
export function noiseFromCalibration({ qubits, edges }: CalibrationFigures): NoiseModel {
  const numQubits = Math.max(-1, ...Object.keys(qubits).map(Number)) + 1;
  const each = (figure: (qubit: CalibrationFigures["qubits"][string]) => number | null) => {
    const known = Array.from({ length: numQubits }, (_, i) => {
      const qubit = qubits[i];
      return qubit ? figure(qubit) : null;
    });
    const otherwise = median(known.filter(value => value !== null));
    return known.map(value => value ?? otherwise);
  };
  const best = new Map<string, { a: number; b: number; probability: number }>();
  for (const { source, target, value } of Object.values(edges.gateError).flat()) {
    const [a, b] = [Math.min(source, target), Math.max(source, target)];
    const probability = pauliProbability(value, 4);
    const known = best.get(`${a} ${b}`);
    if (!known || probability < known.probability) best.set(`${a} ${b}`, { a, b, probability });
  }
  const pairs = [...best.values()];
  return {
    oneQubit: each(({ gateError }) => {
      const errors = Object.values(gateError);
      return errors.length > 0 ? pauliProbability(Math.max(...errors), 2) : null;
    }),
    twoQubit: { pairs, otherwise: median(pairs.map(({ probability }) => probability)) },
    zeroGivenOne: each(({ prob0Given1, readoutError }) => clamp(prob0Given1 ?? readoutError, 1)),
    oneGivenZero: each(({ prob1Given0, readoutError }) => clamp(prob1Given0 ?? readoutError, 1)),
  };
}

/** Returns the probability of a Pauli error in the depolarizing channel of this average infidelity. */
export function pauliProbability(infidelity: number, dimensions: number): number {
  return clamp((infidelity * (dimensions + 1)) / dimensions, 1 - 1 / dimensions ** 2);
}

/** Returns the largest average infidelity of a depolarizing channel, in which all Pauli errors and none are equally likely. */
export const infidelityLimit = (dimensions: number): number => 1 - 1 / dimensions;

function clamp<T extends number | null>(value: T, max: number): T | number {
  return value === null ? value : Math.min(Math.max(value, 0), max);
}

/** Returns the median of some numbers; 0 where there are none. */
export function median(values: readonly number[]): number {
  if (values.length === 0) return 0;
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}
