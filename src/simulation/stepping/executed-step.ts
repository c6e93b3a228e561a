import type { Gate } from "../circuit/gate.ts";
import type { OutputValue } from "../circuit/output-values.ts";
import type { SourceLocation } from "../source-text.ts";

/** The beginning, a gate, a measurement or a reset of an execution, and what holds after it. */
export interface ExecutedStep {
  readonly kind: "start" | "gate" | "measure" | "reset";
  /** The name of the gate, modifiers included; else the kind. */
  readonly name: string;
  /** The gate of a step that is one, for drawings. */
  readonly gate: Gate | null;
  readonly params: readonly number[];
  readonly qubits: readonly number[];
  /** The classical bit that a measurement writes, or null. */
  readonly bit: number | null;
  /** Where it stands in the source, or null. */
  readonly location: SourceLocation | null;
  /** What was measured, or null. */
  readonly outcome: 0 | 1 | null;
  /** The probability with which this outcome was to be measured, or null. */
  readonly probability: number | null;
  /** Real and imaginary parts of the amplitudes, interleaved; null for more than {@link MAX_STATE_QUBITS} qubits. */
  readonly amplitudes: readonly number[] | null;
  /** What is known of the qubits under noise; null without noise, and for more than {@link MAX_NOISY_QUBITS} qubits. */
  readonly noisy: NoisyStepState | null;
  /** The value that a readout error made of an outcome, or null where there was none. */
  readonly readAs: 0 | 1 | null;
  /** The classical bits, after the classical statements that follow. */
  readonly bits: Uint8Array;
  /** The values of the variables that are no bit registers, after the classical statements that follow. */
  readonly variables: Readonly<Record<string, OutputValue>>;
}

/** The state of qubits under noise, averaged over its errors: what measurements of all, or of one, would find. */
export interface NoisyStepState {
  /** The probability of each basis state, by its index. */
  readonly probabilities: readonly number[];
  /** The mean values of X, Y and Z of each qubit. */
  readonly bloch: readonly { readonly x: number; readonly y: number; readonly z: number }[];
}

/** Maximum number of qubits that are stepped through under noise, whose density matrix is computed. */
export const MAX_NOISY_QUBITS = 8;

/** Maximum number of qubits of which each step keeps the amplitudes. */
export const MAX_STATE_QUBITS = 10;
