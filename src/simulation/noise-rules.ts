/** A channel of a noise model in its textbook form. Times are in the same unit, all of them. */
export type UniformChannel =
  | DepolarizingChannel
  | AmplitudeDampingChannel
  | PhaseDampingChannel
  | Required<ThermalRelaxationChannel>;

/** One of the Pauli errors on the gate's qubits happens, each equally likely. */
export interface DepolarizingChannel {
  /** Names the channel. */
  readonly channel: "depolarizing";
  /** The probability of all errors together. */
  readonly probability: number;
}

/** A 1 decays to 0. */
export interface AmplitudeDampingChannel {
  /** Names the channel. */
  readonly channel: "amplitude_damping";
  /** The probability that a 1 decays. */
  readonly gamma: number;
}

/** Coherences shrink. */
export interface PhaseDampingChannel {
  /** Names the channel. */
  readonly channel: "phase_damping";
  /** Coherences are multiplied by √(1 − lambda). */
  readonly lambda: number;
}

/** Decay and loss of coherence with time. */
export interface ThermalRelaxationChannel {
  /** Names the channel. */
  readonly channel: "thermal_relaxation";
  /** Time constant of the decay, in nanoseconds. */
  readonly T1: number;
  /** Time constant of the loss of coherence, in nanoseconds, at most twice `T1`. */
  readonly T2: number;
  /** Duration, in nanoseconds. Default: that of the preceding delay. */
  readonly time?: number;
}

/** An X, Z or Y happens on each qubit of the gate. */
export interface FlipChannel {
  /** Names the channel: X is a bit flip, Z a phase flip, Y both. */
  readonly channel: "bit_flip" | "phase_flip" | "bit_phase_flip";
  /** The probability on each qubit. */
  readonly probability: number;
}

/** Pauli operators happen. */
export interface PauliChannel {
  /** Names the channel. */
  readonly channel: "pauli";
  /** Operators, one letter a qubit such as `"X"` or `"XZ"`, with their probabilities; none with the rest. */
  readonly probabilities: { readonly [operator: string]: number };
}

/** A channel that is given by its Kraus operators. */
export interface KrausChannel {
  /** Names the channel. */
  readonly channel: "kraus";
  /** Operators on one qubit or two, row by row; the first qubit is the lowest bit of an index. */
  readonly operators: readonly (readonly (readonly ComplexEntry[])[])[];
}

/** A complex number: its real part, or both parts. */
export type ComplexEntry = number | readonly [number, number];

/** A channel of a noise rule, and where it acts. */
export type RuleChannel = (
  | UniformChannel
  | ThermalRelaxationChannel
  | FlipChannel
  | PauliChannel
  | KrausChannel
) & {
  /** The qubit on which a channel on one qubit acts, where it is one of the gate's. Default: each of them. */
  readonly on?: number;
};

/** The channels after some gates. */
export interface NoiseRule {
  /** Names of the gates, or `measure` (before it), `reset`, `delay` (after it) and `idle` (in a layer without a gate). Default: all that are not virtual, as diagonal one-qubit gates are. */
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
  /** The qubits. Default: all. */
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
  /** Name of the model. */
  readonly name?: string;
  /** The channels after gates. */
  readonly rules: readonly NoiseRule[];
  /** The readout errors. */
  readonly readout: readonly ReadoutRule[];
  /** Whether channels are replaced by their Pauli twirls, which stabilizers can simulate. Default: false. */
  readonly isTwirled?: boolean;
}

/** Limits of noise rules. */
export const NOISE_LIMITS = {
  rules: 4096,
  channels: 16,
  gates: 64,
  pairs: 4096,
  operators: 16,
  nameLength: 100,
  qubit: 100_000,
} as const;
