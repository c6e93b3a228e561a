import { availableParallelism, totalmem } from "node:os";
import { MessageChannel } from "node:worker_threads";
import { Piscina } from "piscina";
import { createPool, createPrinter, type Printer, type ThreadControl, type WorkerPool } from "../index.ts";
import { readReport } from "../workers/messages.ts";

const isSource = import.meta.url.endsWith(".ts");
const script = (name: string) =>
  new URL(isSource ? `../workers/${name}.ts` : `./${name}.js`, import.meta.url).href;

/** The heap of a worker thread; amplitudes lie outside of it and have their own limit. */
const RESOURCE_LIMITS = {
  maxOldGenerationSizeMb: Math.floor(Math.min(2 ** 31, totalmem() / 4) / 2 ** 20),
};

/** After which a thread that has nothing to do ends. */
const IDLE_MS = 60_000;

/** Threads that are started before they are needed, and how long after a run, so its result goes first. */
const MAX_SPARE_THREADS = 3;
const SPARE_DELAY_MS = 250;

/** Interval of reading a run's reports; shorter runs need none. */
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
 * so that who gets that slot need not wait for it; `heap` limits that of each. The first thread is started at once, and
 * two more after the first runs.
 */
export function openPool(slots = availableParallelism(), heap = RESOURCE_LIMITS): WorkerPool {
  const pool = new Piscina({
    filename: script("warm-worker"),
    name: "run",
    minThreads: 1,
    maxThreads: slots + 1,
    idleTimeout: IDLE_MS,
    concurrentTasksPerWorker: 1,
    resourceLimits: heap,
  });
  pool.on("error", () => {});
  let running = 0;
  let spareTimer: NodeJS.Timeout | undefined;
  const warmUp = () => void pool.run(null, { name: "warmUp" }).catch(() => {});
  const warmExpress = () => {
    if (running === slots) warmUp();
  };
  const startExpress = () => {
    if (pool.threads.length <= slots) warmExpress();
  };
  const warming = setInterval(warmExpress, IDLE_MS / 2).unref();

  /** Starts one more thread: the tasks that do nothing are one more than there are threads for. */
  function startSpare(): void {
    spareTimer = undefined;
    for (let task = running, { length } = pool.threads; task <= length; task += 1) warmUp();
  }

  function startSpareSoon(): void {
    if (spareTimer || pool.threads.length >= Math.min(MAX_SPARE_THREADS, slots + 1)) return;
    spareTimer = setTimeout(startSpare, SPARE_DELAY_MS).unref();
  }

  return createPool({
    slots,
    isShared: true,
    run(task, { control, onStart, onProgress, signal }) {
      const reporting = followReports(control!, { onStart, onProgress });
      running += 1;
      setImmediate(startExpress);
      return pool
        .run({ ...task, control, port: null }, { signal })
        .catch((error: Error & { code?: string }) => {
          if (error.code !== "ERR_WORKER_OUT_OF_MEMORY") throw error;
          const message = "The machine has not enough memory for this program.";
          return { kind: "failed", message, microseconds: null, limit: "memory" };
        })
        .finally(() => {
          running -= 1;
          reporting.end();
          startSpareSoon();
        });
    },
    close() {
      for (const timer of [warming, spareTimer]) clearTimeout(timer);
      return pool.destroy();
    },
  });
}

export function openPrinter(): Printer {
  const pool = new Piscina({
    filename: script("worker"),
    minThreads: 0,
    maxThreads: 1,
    idleTimeout: 60_000,
    concurrentTasksPerWorker: 1,
    resourceLimits: RESOURCE_LIMITS,
  });
  pool.on("error", () => {});
  return createPrinter({
    print(task, { signal, onStart }) {
      const { port1, port2 } = new MessageChannel();
      port1.on("message", onStart);
      return pool
        .run({ ...task, port: port2 }, { name: "print", signal, transferList: [port2] })
        .catch((error: Error & { code?: string }) => {
          if (error.code !== "ERR_WORKER_OUT_OF_MEMORY") throw error;
          return { kind: "failed", message: "it needs too much memory" };
        })
        .finally(() => port1.close());
    },
    close: () => pool.destroy(),
  });
}
