import type { MessagePort } from "node:worker_threads";
import type {
  CompiledNotes,
  Diagnostic,
  InputValue,
  NoiseModel,
  SourceProgram,
} from "../../simulation/index.ts";

/** Values of `input` variables, by name. */
export interface Inputs {
  [name: string]: InputValue;
}

/** One job, as a worker gets it. */
export interface RunTask {
  /** Noise of the emulated device; null: none. */
  noise: NoiseModel | null;
  /** Qubits that a program may use at most; undefined: as many as the machine can simulate. */
  maxQubits: number | undefined;
  programs: SourceProgram[];
  /** Values of the programs' `input` variables. */
  inputs: Inputs;
  shots: number;
  /** Seed of the first program. */
  seed: number;
  /** What is added to the seed for each next program: 0 when the user chose the seed. */
  seedStep: number;
  memory: boolean;
  statevector: boolean;
  /** Not zero: stop. */
  flag: SharedArrayBuffer;
  /** Hears `"running"` when every program has been compiled. */
  port: MessagePort;
}

/** Figures of the largest program of a job, and what its author should know of how the programs were understood. */
export interface CircuitFigures {
  circuitNumQubits: number;
  circuitDepth: number;
  diagnostics?: (Diagnostic & { severity: "note"; program?: number })[];
}

/** How a run ended. `results` holds one `ResultData` a program as JSON, each on its line. */
export type RunOutcome =
  | { kind: "completed"; results: string; microseconds: number; figures: CircuitFigures }
  | { kind: "failed"; message: string; microseconds: number | null; diagnostics?: readonly Diagnostic[] }
  | { kind: "cancelled" };

/** Programs to print: as drawings, or as they were compiled. */
export interface PrintTask {
  programs: SourceProgram[];
  inputs: Inputs;
  /** What a compiled program says of itself; null: draw it. */
  compiled: CompiledNotes | null;
}

/** How printing ended. */
export type PrintOutcome = { kind: "printed"; texts: string[] } | { kind: "failed"; message: string };
