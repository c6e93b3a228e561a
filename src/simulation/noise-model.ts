import type { NoiseRules, UniformChannel } from "./noise-rules.ts";

/** The noise of the qubits of a device, as plain data. */
export interface NoiseModel {
  /** For each qubit, the probability of reading 0 where it is 1. */
  zeroGivenOne: number[];
  /** For each qubit, the probability of reading 1 where it is 0. */
  oneGivenZero: number[];
  /** The noise by gate and qubit. Default: none but that at locations. */
  rules?: NoiseRules;
  /** The noise at the locations that a schedule has inserted into a circuit. */
  locations?: LocationNoise;
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

/** The same noise on every qubit: the channels after each gate, and the readout errors. */
export interface UniformNoise {
  readonly oneQubit: readonly UniformChannel[];
  readonly twoQubit: readonly UniformChannel[];
  readonly readout: { readonly zeroGivenOne: number; readonly oneGivenZero: number };
}

/** Builds a noise model in which all of `numQubits` qubits have the same noise. */
export const uniformNoise = ({ oneQubit, twoQubit, readout }: UniformNoise, numQubits: number): NoiseModel =>
  noiseModelOfRules(
    {
      rules: [
        { numQubits: 1, channels: oneQubit },
        { numQubits: 2, channels: twoQubit },
      ],
      readout: [readout],
    },
    numQubits,
  );

/** Builds the noise model of rules, for `numQubits` qubits. */
export function noiseModelOfRules(rules: NoiseRules, numQubits: number): NoiseModel {
  const readouts = Array.from({ length: numQubits }, (_, qubit) =>
    rules.readout.findLast(({ qubits }) => !qubits || qubits.includes(qubit)),
  );
  return {
    zeroGivenOne: readouts.map(readout => readout?.zeroGivenOne ?? 0),
    oneGivenZero: readouts.map(readout => readout?.oneGivenZero ?? 0),
    rules,
  };
}
