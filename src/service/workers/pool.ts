import { availableParallelism, totalmem } from "node:os";
import { MessageChannel } from "node:worker_threads";
import { Piscina } from "piscina";
import { type RunOutcome, type RunTask, timeLimit } from "./messages.ts";

/** The file that worker threads run. */
export const WORKER_URL = new URL(
  import.meta.url.endsWith(".ts") ? "./worker.ts" : "./worker.js",
  import.meta.url,
);

/** The heap of a worker thread; amplitudes lie outside of it and have a limit of their own. */
export const RESOURCE_LIMITS = {
  maxOldGenerationSizeMb: Math.floor(Math.min(2 ** 31, totalmem() / 4) / 2 ** 20),
};

/** For how long a cancelled run may continue before its thread is ended. */
const CANCEL_GRACE_MS = 250;

/** A run that was started. */
export interface Run {
  outcome: Promise<RunOutcome>;
  /** When its thread began with it, by the monotonic clock. */
  startedAt: number | undefined;
  /** Sets the run's flag; the thread of a run that does not end within 250 ms is ended. */
  cancel(): void;
}

/** Worker threads that run programs. */
export interface WorkerPool {
  /** The maximum number of concurrent runs, without the one in the express slot. */
  readonly slots: number;
  /** Starts a run; `onProgress` is called with 0 when all programs are compiled, and later which part is done. */
  run(task: Omit<RunTask, "flag" | "port">, onProgress: (fraction: number) => void): Run;
  close(): Promise<void>;
}

/** Opens a pool with one thread a processor, and one more for the express slot; `heap` limits that of each. */
export function openPool(slots = availableParallelism(), heap = RESOURCE_LIMITS): WorkerPool {
  const pool = new Piscina({
    filename: WORKER_URL.href,
    minThreads: 1,
    maxThreads: slots + 1,
    idleTimeout: 60_000,
    concurrentTasksPerWorker: 1,
    resourceLimits: heap,
  });
  pool.on("error", () => {});

  function run(task: Omit<RunTask, "flag" | "port">, onProgress: (fraction: number) => void): Run {
    const flag = new SharedArrayBuffer(4);
    const { port1, port2 } = new MessageChannel();
    const abort = new AbortController();
    let isOverTime = false;
    let overTime: NodeJS.Timeout | undefined;
    const started = () => {
      begun.startedAt = performance.now();
      overTime = setTimeout(
        () => {
          isOverTime = true;
          abort.abort();
        },
        task.limits.seconds * 1000 + CANCEL_GRACE_MS,
      );
    };
    port1.on("message", (fraction: number) => (fraction < 0 ? started() : onProgress(fraction)));
    const outcome = pool
      .run({ ...task, flag, port: port2 }, { name: "run", signal: abort.signal, transferList: [port2] })
      .catch((error: Error): RunOutcome => {
        if (isOverTime) return failed(`The job was stopped. ${timeLimit(task.limits)}`, "time");
        if (abort.signal.aborted) return { kind: "cancelled" };
        if ("code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY") {
          return failed("The machine has not enough memory for this program.", "memory");
        }
        throw error;
      })
      .finally(() => {
        clearTimeout(overTime);
        port1.close();
      });
    const begun: Run = {
      outcome,
      startedAt: undefined,
      cancel() {
        Atomics.store(new Int32Array(flag), 0, 1);
        const timer = setTimeout(() => abort.abort(), CANCEL_GRACE_MS);
        outcome.finally(() => clearTimeout(timer)).catch(() => {});
      },
    };
    return begun;
  }

  return { slots, run, close: () => pool.destroy() };
}

function failed(message: string, limit: "time" | "memory"): RunOutcome {
  return { kind: "failed", message, microseconds: null, limit };
}
