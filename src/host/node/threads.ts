import { availableParallelism, setPriority } from "node:os";
import { isMainThread, Worker } from "node:worker_threads";

/** A thread that helps the one that started it. */
export interface Thread {
  end(): void;
}

/** Returns how many threads this machine runs at a time. */
export const processors = availableParallelism;

/** Returns the bytes of memory that this machine has left. */
export const availableMemory = (): number => process.availableMemory();

/** Lets other threads go before this one, where a thread can have a priority of its own. */
export function lowerPriority(): void {
  if (process.platform === "linux" && !isMainThread) setPriority(10);
}

/**
 * Starts a thread of the state vector simulator with what it works on; it does not keep the process alive. Throws where
 * threads cannot be started; `onError` is called where one fails later.
 */
export function startSimulationThread(workerData: object, onError: () => void): Thread {
  const name = import.meta.url.endsWith(".ts")
    ? "../../simulation/statevector/thread.ts"
    : "./simulation-thread.js";
  const worker = new Worker(new URL(name, import.meta.url), { workerData });
  worker.on("error", onError);
  worker.unref();
  return { end: () => void worker.terminate() };
}
