import { AsyncLocalStorage } from "node:async_hooks";
import { syncBuiltinESMExports } from "node:module";
import { getCallSites } from "node:util";
import type { Worker } from "node:worker_threads";
import worker_threads from "node:worker_threads";
import { Interrupted, openRun, type Run } from "../errors/failure.ts";
import type { ContainingEvaluator } from "./evaluator.ts";

/** One run of a cell, with everything that follows from it. */
export interface Execution extends Run {
  /** Things that the run has scheduled; each call removes one. */
  scheduled: Set<() => void>;
}

/** The run that the code that runs now follows from; undefined for the kernel's own code. */
export const currentExecution = new AsyncLocalStorage<Execution | undefined>();

export function openExecution(): Execution {
  const run = openRun();
  const scheduled = new Set<() => void>();
  return {
    ...run,
    scheduled,
    interrupt() {
      for (const cancel of scheduled) cancel();
      scheduled.clear();
      run.interrupt();
    },
  };
}

/** Throws if the run that the code that runs now follows from has been interrupted. */
export function throwIfInterrupted(): void {
  const execution = currentExecution.getStore();
  if (execution?.signal.aborted) throw execution.signal.reason;
}

type Callback = (...values: unknown[]) => unknown;
type Clear = (timer: unknown) => void;

/**
 * Makes the callbacks of timers that follow from a cell stoppable, also of those that Node's own modules start for it, such
 * as `AbortSignal.timeout()`: a runaway one can be terminated without harm to the process, an interrupted interval is
 * cancelled, and an interrupt takes back what its cell has scheduled itself.
 */
export function guardTimers(evaluator: ContainingEvaluator, stopping: () => boolean): void {
  guard(
    setTimeout(() => undefined),
    "_onTimeout",
    clearTimeout as Clear,
  );
  guard(
    global.setImmediate(() => undefined),
    "_onImmediate",
    clearImmediate as Clear,
  );
  const { nextTick } = process;
  process.nextTick = ((callback: Callback, ...values: unknown[]) => {
    if (stopping() && currentExecution.getStore() && !isNodeAt(2)) throw new Interrupted();
    nextTick(callback, ...values);
  }) as typeof nextTick;

  /** Guards the timers of a kind. Each has its callback as a property, which is null once it is cleared. */
  function guard(example: object, property: string, clear: Clear): void {
    clear(example);
    const callbacks = new WeakMap<object, { callback: unknown; forget?(): void }>();
    Object.defineProperty(Object.getPrototypeOf(example), property, {
      configurable: true,
      get(this: object) {
        return callbacks.get(this)?.callback;
      },
      set(this: object, callback: unknown) {
        callbacks.get(this)?.forget?.();
        const execution = typeof callback === "function" ? currentExecution.getStore() : undefined;
        callbacks.set(this, execution ? contain(this, execution, callback as Callback, clear) : { callback });
      },
    });
  }

  function contain(timer: { _repeat?: unknown }, execution: Execution, callback: Callback, clear: Clear) {
    const { scheduled } = execution;
    const cancel = () => clear(timer);
    const forget = () => void scheduled.delete(cancel);
    // Its callers are the property, the timer's constructor and the function that makes one.
    if (!isNodeAt(5)) {
      throwIfInterrupted();
      scheduled.add(cancel);
    }
    const contained: Callback = function (this: unknown, ...values) {
      if (!timer._repeat) forget();
      const before = new Set(scheduled);
      const stop = () => {
        cancel();
        for (const undo of scheduled) if (!before.has(undo)) undo();
      };
      try {
        if (evaluator.contain(() => void callback.apply(this, values))) stop();
      } catch (error) {
        if (error instanceof Interrupted) return stop();
        throw error;
      }
    };
    return { callback: contained, forget };
  }
}

/** Whether a caller is Node's own code, which an exception would leave half done. This function is the first one. */
function isNodeAt(depth: number): boolean {
  return getCallSites(depth + 1)[depth]?.scriptName.startsWith("node:") ?? false;
}

/**
 * Makes an interrupt end the worker threads that its cell has started. One that has been unreferenced, as those of
 * a library's pool are, is nothing that a cell waits for, and lives on.
 */
export function guardWorkers(): void {
  worker_threads.Worker = new Proxy(worker_threads.Worker, {
    construct(target, given, newTarget) {
      throwIfInterrupted();
      const worker: Worker = Reflect.construct(target, given, newTarget);
      const scheduled = currentExecution.getStore()?.scheduled;
      if (!scheduled) return worker;
      const end = () => void worker.terminate();
      scheduled.add(end);
      worker.once("exit", () => scheduled.delete(end));
      const { unref } = worker;
      worker.unref = () => {
        scheduled.delete(end);
        unref.call(worker);
      };
      return worker;
    },
  });
  syncBuiltinESMExports();
}

/** Makes `process.exit()` end the cell that calls it, and not the kernel with everything that other cells have made. */
export function containExit(): void {
  const { exit } = process;
  process.exit = code => {
    if (!currentExecution.getStore()) return exit(code);
    const message = `process.exit(${code ?? ""}) ended this cell. The kernel continues; restart it for a fresh start.`;
    throw Object.assign(new Error(message), { name: "ProcessExit" });
  };
}
