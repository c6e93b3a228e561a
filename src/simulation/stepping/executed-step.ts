import type { OutputValue } from "../circuit/output-values.ts";
import type { SourceLocation } from "../source-text.ts";

/** The beginning, a gate, a measurement or a reset of an execution, and what holds after it. */
export interface ExecutedStep {
  readonly kind: "start" | "gate" | "measure" | "reset";
  /** The name of the gate, modifiers included; else the kind. */
  readonly name: string;
  /** The name without modifiers and controls, for drawings; empty at the start. */
  readonly symbol: string;
  /** Polarity of the first qubits, which are controls. */
  readonly controls: readonly boolean[];
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
  /** The classical bits, after the classical statements that follow. */
  readonly bits: Uint8Array;
  /** The values of the variables that are no bit registers, after the classical statements that follow. */
  readonly variables: Readonly<Record<string, OutputValue>>;
}

/** Maximum number of qubits of which each step keeps the amplitudes. */
export const MAX_STATE_QUBITS = 10;
