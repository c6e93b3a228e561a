import type { PrintOutcome, RunOutcome } from "../../service/workers/messages.ts";
import type { PoolTask } from "../../service/workers/pool.ts";
import type { Printable } from "../../service/workers/printer.ts";

/** Task of a worker. */
export type SimulatorTask =
  /** A run that is to round alike everywhere comes with the kernels of plain SIMD. */
  | { kind: "run"; task: PoolTask; control: SharedArrayBuffer | null; plain?: WebAssembly.Module }
  | { kind: "print"; task: Printable };

/** Messages to a worker: first its kernels, then one task after the other. */
export type ToSimulator = { kind: "kernels"; fastest: WebAssembly.Module } | SimulatorTask;

/** Messages from a worker: progress, and the result of its task. */
export type FromSimulator =
  /** Asks for a thread that helps with what this worker computes. */
  | { kind: "start-thread"; data: object }
  /** Says that the threads that were started for it are needed no more. */
  | { kind: "end-threads" }
  | { kind: "report"; fraction: number }
  | { kind: "outcome"; outcome: RunOutcome | PrintOutcome }
  | { kind: "error"; message: string; stack: string | undefined };
