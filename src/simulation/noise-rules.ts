/** A channel of a noise model in its textbook form. Times are in the same unit, all of them. */
export type Channel =
  /** With this probability one of the Pauli errors on the gate's qubits happens, each equally likely. */
  | { readonly channel: "depolarizing"; readonly probability: number }
  /** A 1 decays to 0 with probability `gamma`. */
  | { readonly channel: "amplitude_damping"; readonly gamma: number }
  /** Coherences shrink by the square root of 1 - `lambda`. */
  | { readonly channel: "phase_damping"; readonly lambda: number }
  /** Decay with the time constant `T1`, and loss of coherence with `T2`, which is at most twice `T1`. */
  | {
      readonly channel: "thermal_relaxation";
      readonly T1: number;
      readonly T2: number;
      readonly time: number;
    };

/** A complex number: its real part, or both parts. */
export type ComplexEntry = number | readonly [number, number];

/** A channel of a noise rule, and where it acts. */
export type RuleChannel = ChannelForm & {
  /** The qubit on which a channel on one qubit acts, where it is one of the gate's. Default: each of them. */
  readonly on?: number;
};

/** A channel in its textbook form. */
export type ChannelForm =
  | Channel
  /** An X, Z or Y happens with this probability, on each qubit of the gate. */
  | { readonly channel: "bit_flip" | "phase_flip" | "bit_phase_flip"; readonly probability: number }
  /** Pauli operators, one letter a qubit such as `"X"` or `"XZ"`, with their probabilities; none with the rest. */
  | { readonly channel: "pauli"; readonly probabilities: Readonly<Record<string, number>> }
  /** Kraus operators on one qubit or two, row by row; the first qubit is the lowest bit of an index. */
  | { readonly channel: "kraus"; readonly operators: readonly (readonly (readonly ComplexEntry[])[])[] };

/** The channels after some gates. */
export interface NoiseRule {
  /** Names of the gates. Default: all that are not virtual, as diagonal one-qubit gates are. */
  readonly gates?: readonly string[];
  /** The number of the gates' qubits. Default: any. */
  readonly numQubits?: 1 | 2;
  /** The qubits, or pairs of qubits in any order, that the gates act on. Default: any. */
  readonly qubits?: readonly (readonly number[])[];
  /** Channels that act one after the other. */
  readonly channels: readonly RuleChannel[];
}

/** The readout errors of some qubits. */
export interface ReadoutRule {
  /** Default: all. */
  readonly qubits?: readonly number[];
  /** Probability of reading 0 where a qubit is 1. */
  readonly zeroGivenOne: number;
  /** Probability of reading 1 where a qubit is 0. */
  readonly oneGivenZero: number;
}

/**
 * Noise by gate and qubit, as plain data. Of the rules that match a gate, the last counts, and of the readouts that
 * match a qubit.
 */
export interface NoiseRules {
  readonly name?: string;
  readonly rules: readonly NoiseRule[];
  readonly readout: readonly ReadoutRule[];
  /** Whether channels are replaced by their Pauli twirls, which stabilizers can simulate. Default: false. */
  readonly isTwirled?: boolean;
}

/** What a set of noise rules may hold. */
export const NOISE_LIMITS = {
  rules: 4096,
  channels: 16,
  gates: 64,
  pairs: 4096,
  operators: 16,
  nameLength: 100,
  qubit: 100_000,
} as const;
