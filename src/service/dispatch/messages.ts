import type { MessagePort } from "node:worker_threads";
import type { NoiseModel, SourceProgram } from "../../simulation/index.ts";

/** One job, as a worker gets it. */
export interface RunTask {
  /** Noise of the emulated device; null: none. */
  noise: NoiseModel | null;
  /** Qubits that a program may use at most; undefined: as many as the machine can simulate. */
  maxQubits: number | undefined;
  programs: SourceProgram[];
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

/** Figures of the largest program of a job. */
export interface CircuitFigures {
  circuitNumQubits: number;
  circuitDepth: number;
}

/** How a run ended. `results` holds one `ResultData` a program as JSON, each on its line. */
export type RunOutcome =
  | { kind: "completed"; results: string; microseconds: number; figures: CircuitFigures }
  | { kind: "failed"; message: string; microseconds: number | null }
  | { kind: "cancelled" };

/** Programs to draw. */
export interface DrawTask {
  programs: SourceProgram[];
}

/** How drawing ended. */
export type DrawOutcome = { kind: "drawn"; texts: string[] } | { kind: "failed"; message: string };
