import { availableParallelism } from "node:os";
import { MessageChannel } from "node:worker_threads";
import { Piscina } from "piscina";
import type { PrintOutcome, PrintTask, RunOutcome, RunTask } from "./messages.ts";

const entry = new URL(import.meta.url.endsWith(".ts") ? "./worker.ts" : "./worker.js", import.meta.url);
const patience = 250;
const printingTime = 10_000;

/** A run that was started. */
export interface Run {
  outcome: Promise<RunOutcome>;
  /** Raises the run's flag; a run that does not heed it within 250 ms loses its thread. */
  cancel(): void;
}

/** Worker threads that run and print programs. */
export interface WorkerPool {
  /** Runs that go on at the same time at most. */
  readonly slots: number;
  /** Starts a run; `onProgress` hears 0 when all programs are compiled, and later which part is done. */
  run(task: Omit<RunTask, "flag" | "port">, onProgress: (fraction: number) => void): Run;
  print(task: PrintTask): Promise<PrintOutcome>;
  close(): Promise<void>;
}

/** Opens a pool with one thread a processor, and one more for printing. */
export function openPool(slots = availableParallelism()): WorkerPool {
  const pool = new Piscina({
    filename: entry.href,
    minThreads: 1,
    maxThreads: slots + 1,
    idleTimeout: 60_000,
    concurrentTasksPerWorker: 1,
  });
  pool.on("error", () => {});
  let printing: Promise<unknown> = Promise.resolve();

  function run(task: Omit<RunTask, "flag" | "port">, onProgress: (fraction: number) => void): Run {
    const flag = new SharedArrayBuffer(4);
    const { port1, port2 } = new MessageChannel();
    const abort = new AbortController();
    port1.on("message", onProgress);
    const outcome = pool
      .run({ ...task, flag, port: port2 }, { name: "run", signal: abort.signal, transferList: [port2] })
      .catch((error: Error): RunOutcome => {
        if (abort.signal.aborted) return { kind: "cancelled" };
        if ("code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY") {
          return {
            kind: "failed",
            message: "The machine has not enough memory for this program.",
            microseconds: null,
          };
        }
        throw error;
      })
      .finally(() => port1.close());
    return {
      outcome,
      cancel() {
        Atomics.store(new Int32Array(flag), 0, 1);
        const timer = setTimeout(() => abort.abort(), patience);
        outcome.finally(() => clearTimeout(timer)).catch(() => {});
      },
    };
  }

  /** Prints one after the other, so that printing never takes the threads that jobs run on. */
  function print(task: PrintTask): Promise<PrintOutcome> {
    const printed = printing.then(() => printNow(task));
    printing = printed.catch(() => {});
    return printed;
  }

  function printNow(task: PrintTask): Promise<PrintOutcome> {
    return pool
      .run(task, { name: "print", signal: AbortSignal.timeout(printingTime) })
      .catch((error: Error) => {
        if (error.name !== "AbortError" && error.name !== "TimeoutError") throw error;
        return { kind: "failed", message: `it took longer than ${printingTime / 1000} s` };
      });
  }

  return { slots, run, print, close: () => pool.destroy() };
}
