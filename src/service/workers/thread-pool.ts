import { availableParallelism, totalmem } from "node:os";
import { Piscina } from "piscina";
import { createPool, type ThreadControl, type WorkerPool } from "./pool.ts";
import { readReport } from "./shared-control.ts";

/** The file that worker threads run. */
export const WORKER_URL = new URL(
  import.meta.url.endsWith(".ts") ? "./worker.ts" : "./worker.js",
  import.meta.url,
);

/** The heap of a worker thread; amplitudes lie outside of it and have a limit of their own. */
export const RESOURCE_LIMITS = {
  maxOldGenerationSizeMb: Math.floor(Math.min(2 ** 31, totalmem() / 4) / 2 ** 20),
};

/** After which a thread that has nothing to do ends. */
const IDLE_MS = 60_000;

/** How often the reports of a run are read: one that is shorter needs none. */
const REPORT_INTERVAL_MS = 10;

/** Follows the reports of a run in the memory that it shares, until `end`, which reads only when it began. */
function followReports(
  control: SharedArrayBuffer,
  { onStart, onProgress }: Pick<ThreadControl, "onStart" | "onProgress">,
): { end(): void } {
  let isStarted = false;
  let last: number | undefined;
  const read = () => {
    const { startedAt, fraction } = readReport(control);
    if (!isStarted && startedAt !== undefined) {
      isStarted = true;
      onStart(startedAt);
    }
    return fraction;
  };
  const timer = setInterval(() => {
    const fraction = read();
    if (fraction === undefined || fraction === last) return;
    if (last === undefined && fraction > 0) onProgress(0);
    last = fraction;
    onProgress(fraction);
  }, REPORT_INTERVAL_MS);
  return {
    end() {
      clearInterval(timer);
      read();
    },
  };
}

/**
 * Opens a pool with one thread a processor, and one more for the express slot, which is started once all others are busy,
 * so that who gets that slot need not wait for it; `heap` limits that of each.
 */
export function openPool(slots = availableParallelism(), heap = RESOURCE_LIMITS): WorkerPool {
  const pool = new Piscina({
    filename: WORKER_URL.href,
    minThreads: 1,
    maxThreads: slots + 1,
    idleTimeout: IDLE_MS,
    concurrentTasksPerWorker: 1,
    resourceLimits: heap,
  });
  pool.on("error", () => {});
  let running = 0;
  const warmUp = () => {
    if (running === slots) pool.run(null, { name: "warmUp" }).catch(() => {});
  };
  const startExpress = () => {
    if (pool.threads.length <= slots) warmUp();
  };
  const warming = setInterval(warmUp, IDLE_MS / 2).unref();
  return createPool({
    slots,
    isShared: true,
    run(task, { control, onStart, onProgress, signal }) {
      const reporting = followReports(control!, { onStart, onProgress });
      running += 1;
      setImmediate(startExpress);
      return pool
        .run({ ...task, control, port: null }, { name: "run", signal })
        .catch((error: Error & { code?: string }) => {
          if (error.code !== "ERR_WORKER_OUT_OF_MEMORY") throw error;
          const message = "The machine has not enough memory for this program.";
          return { kind: "failed", message, microseconds: null, limit: "memory" };
        })
        .finally(() => {
          running -= 1;
          reporting.end();
        });
    },
    close() {
      clearInterval(warming);
      return pool.destroy();
    },
  });
}
