import { availableParallelism, totalmem } from "node:os";
import { MessageChannel } from "node:worker_threads";
import { Piscina } from "piscina";
import { createPool, createPrinter, type Printer, type WorkerPool } from "../index.ts";

const isSource = import.meta.url.endsWith(".ts");
const script = (name: "worker" | "warm-worker") =>
  new URL(isSource ? `../workers/${name}.ts` : `./${name}.js`, import.meta.url).href;

/** The heap of a worker thread; amplitudes lie outside of it and have their own limit. */
const RESOURCE_LIMITS = {
  maxOldGenerationSizeMb: Math.floor(Math.min(2 ** 31, totalmem() / 4) / 2 ** 20),
};

/** Time after which an idle thread ends. */
const IDLE_MS = 60_000;

/** Opens threads of a script that each do one task at a time. */
function openThreads(
  filename: string,
  minThreads: number,
  maxThreads: number,
  resourceLimits = RESOURCE_LIMITS,
) {
  const pool = new Piscina({
    filename,
    minThreads,
    maxThreads,
    idleTimeout: IDLE_MS,
    concurrentTasksPerWorker: 1,
    resourceLimits,
  });
  pool.on("error", () => {});
  return {
    /**
     * Calls a function of the worker with a task, and `onReport` with what that posts to its port. Ends the thread when the
     * signal aborts; resolves to `outOfMemory` where the thread has too little.
     */
    async perform<T>(
      name: "run" | "print",
      task: object,
      signal: AbortSignal,
      onReport: (fraction: number) => void,
      outOfMemory: T,
    ): Promise<T> {
      const { port1, port2 } = new MessageChannel();
      port1.on("message", onReport);
      try {
        return await pool.run({ ...task, port: port2 }, { name, signal, transferList: [port2] });
      } catch (error) {
        if ((error as { code?: string }).code === "ERR_WORKER_OUT_OF_MEMORY") return outOfMemory;
        throw error;
      } finally {
        port1.close();
      }
    },
    close: () => pool.destroy(),
  };
}

/**
 * Opens a pool with one thread a processor, and one more for the express slot; `heap` limits that of each. The first
 * thread is started at once, the others when they are needed.
 */
export function openPool(slots = availableParallelism(), heap = RESOURCE_LIMITS): WorkerPool {
  const { perform, close } = openThreads(script("warm-worker"), 1, slots + 1, heap);
  const message = "The machine lacks the memory for this program.";
  return createPool({
    slots,
    isShared: true,
    run: (task, { control, signal, onStart, onProgress }) =>
      perform(
        "run",
        { ...task, control },
        signal,
        fraction => (fraction < 0 ? onStart(performance.now()) : onProgress(fraction)),
        { kind: "failed", message, microseconds: null, limit: "memory" },
      ),
    close,
  });
}

export function openPrinter(): Printer {
  const { perform, close } = openThreads(script("worker"), 0, 1);
  return createPrinter({
    print: (task, { signal, onStart }) =>
      perform("print", task, signal, onStart, { kind: "failed", message: "it needs too much memory" }),
    close,
  });
}
