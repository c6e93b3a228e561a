import { MessageChannel } from "node:worker_threads";
import { Piscina } from "piscina";
import { createPrinter, type Printer } from "./printer.ts";
import { RESOURCE_LIMITS, WORKER_URL } from "./thread-pool.ts";

/** Opens a printer with a worker thread. */
export function openPrinter(): Printer {
  const pool = new Piscina({
    filename: WORKER_URL.href,
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
