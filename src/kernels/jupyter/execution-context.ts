import { AsyncLocalStorage } from "node:async_hooks";
import { Interrupted } from "../errors/failure.ts";

/** One run of a cell, with everything that follows from it. */
export interface Execution {
  signal: AbortSignal;
  /** Rejects when the run is interrupted. */
  stopped: Promise<never>;
  /** Things that the run has scheduled; each call removes one. */
  scheduled: Set<() => void>;
  interrupt(): void;
}

/** The run that the code that runs now follows from; undefined for the kernel's own code. */
export const currentExecution = new AsyncLocalStorage<Execution>();

export function openExecution(): Execution {
  const controller = new AbortController();
  const { promise, reject } = Promise.withResolvers<never>();
  promise.catch(() => undefined);
  const scheduled = new Set<() => void>();
  return {
    signal: controller.signal,
    stopped: promise,
    scheduled,
    interrupt() {
      const reason = new Interrupted();
      for (const cancel of scheduled) cancel();
      scheduled.clear();
      controller.abort(reason);
      reject(reason);
    },
  };
}

/** Throws if the run that the code that runs now follows from has been interrupted. */
export function throwIfInterrupted(): void {
  const execution = currentExecution.getStore();
  if (execution?.signal.aborted) throw execution.signal.reason;
}
