import type { FigureOptions } from "../options.ts";
import type { BlochVector } from "../state/reduced.ts";

/** Options of an execution that can be stepped through, from 420 pixels wide, 720 by default. */
export interface StepperOptions extends FigureOptions {
  /** Step that is shown first, and in a picture that stands still. Default: 1, the first operation. */
  step?: number;
  /** Parts of the state to draw. Default: `"both"`. */
  state?: "amplitudes" | "bloch" | "both" | "none";
  /** Number of steps side by side, 2 to 12, if there is no slider: on paper, or without scripts. Default: one. */
  stills?: number;
}

/** A step of an execution, and the state after it. */
export interface StepperFrame {
  readonly instruction: string;
  /** The line of the program, from 1, or null. */
  readonly line: number | null;
  /** Real and imaginary parts, interleaved; null where they are not known. */
  readonly amplitudes: ArrayLike<number> | null;
  /** The state under noise; null without noise. */
  readonly noisy: {
    readonly probabilities: readonly number[];
    readonly bloch: readonly BlochVector[];
  } | null;
  /** The state in a line. */
  readonly state: string;
  /** Classical registers and variables in a line. */
  readonly memory: string;
  /** Measured outcome, with its probability; empty for other operations. */
  readonly outcome: string;
}

/** An execution of a program. */
export interface StepperData {
  /** The lines of the program. */
  readonly lines: readonly string[];
  /** Names of the qubits. */
  readonly qubits: readonly string[];
  /** The operations on their wires, a column for each step after the beginning. */
  readonly circuit: StepperCircuit;
  /** The beginning, and what holds after each step. */
  readonly frames: readonly StepperFrame[];
  readonly isComplete: boolean;
}

export interface Stepper extends StepperData {
  readonly options: StepperOptions;
}

export type CircuitShape =
  | {
      readonly path: string;
      readonly stroke: string;
      readonly fill: string;
      readonly width: number;
      readonly isTint?: boolean;
    }
  | {
      readonly text: string;
      readonly x: number;
      readonly y: number;
      readonly color: string;
      readonly anchor: string;
      readonly size: number;
      readonly weight: number;
      readonly tail?: string;
    };

export interface StepperCircuit {
  readonly height: number;
  /** Width of the names of the wires. */
  readonly margin: number;
  readonly names: readonly CircuitShape[];
  readonly wires: (from: number, to: number) => readonly CircuitShape[];
  readonly columns: readonly { readonly width: number; readonly shapes: readonly CircuitShape[] }[];
}
