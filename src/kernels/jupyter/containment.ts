import { AsyncLocalStorage } from "node:async_hooks";
import { syncBuiltinESMExports } from "node:module";
import { getCallSites, promisify } from "node:util";
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
export const currentExecution = new AsyncLocalStorage<Execution>();

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
type Schedule = (callback: Callback, ...others: unknown[]) => unknown;

/**
 * Makes the callbacks that cells schedule stoppable: a runaway one can be terminated without harm to the process, an
 * interrupted interval is cancelled, and an interrupt takes back what its cell has scheduled.
 */
export function guardTimers(evaluator: ContainingEvaluator, stopping: () => boolean): void {
  const inside = new WeakSet<Callback>();
  guard("setTimeout", clearTimeout as (handle: unknown) => void, true);
  guard("setInterval", clearInterval as (handle: unknown) => void, false);
  guard("setImmediate", clearImmediate as (handle: unknown) => void, true);
  containTimersOf(
    setTimeout(() => undefined, 0),
    "_onTimeout",
    clearTimeout as (handle: unknown) => void,
  );
  containTimersOf(
    global.setImmediate(() => undefined),
    "_onImmediate",
    clearImmediate as (handle: unknown) => void,
  );
  const { nextTick } = process;
  process.nextTick = ((callback: Callback, ...values: unknown[]) => {
    if (stopping() && currentExecution.getStore() && !isCalledByNode()) throw new Interrupted();
    nextTick(callback, ...values);
  }) as typeof nextTick;

  function guard(
    name: "setTimeout" | "setInterval" | "setImmediate",
    clear: (handle: unknown) => void,
    once: boolean,
  ) {
    const schedule = globalThis[name] as unknown as Schedule;
    const guarded: Schedule = (callback, ...others) => {
      const execution = currentExecution.getStore();
      if (!execution || typeof callback !== "function") return schedule(callback, ...others);
      throwIfInterrupted();
      const contained = containedIn(execution, callback, () => cancel());
      const run: Callback = once
        ? (...values) => {
            execution.scheduled.delete(cancel);
            return contained(...values);
          }
        : contained;
      inside.add(run);
      const handle = schedule(run, ...others);
      const weak = new WeakRef(handle as object);
      const cancel = () => {
        execution.scheduled.delete(cancel);
        const left = weak.deref();
        if (left) clear(left);
      };
      execution.scheduled.add(cancel);
      return handle;
    };
    const later = (schedule as { [promisify.custom]?: unknown })[promisify.custom];
    if (later) Object.defineProperty(guarded, promisify.custom, { value: later });
    Object.defineProperty(guarded, "name", { value: name });
    Object.defineProperty(globalThis, name, {
      value: guarded,
      configurable: true,
      writable: true,
      enumerable: true,
    });
  }

  /**
   * Contains the callbacks of all timers of a kind that follow from a cell, also those that Node's own modules
   * start for it, such as `AbortSignal.timeout()`.
   */
  function containTimersOf(timer: object, property: string, clear: (handle: unknown) => void): void {
    clear(timer);
    const callbacks = new WeakMap<object, unknown>();
    Object.defineProperty(Object.getPrototypeOf(timer), property, {
      configurable: true,
      get(this: object) {
        return callbacks.get(this);
      },
      set(this: object, callback: unknown) {
        const execution = typeof callback === "function" ? currentExecution.getStore() : undefined;
        const contained = execution && !inside.has(callback as Callback);
        callbacks.set(
          this,
          contained ? containedIn(execution, callback as Callback, () => clear(this)) : callback,
        );
      },
    });
  }

  function containedIn(execution: Execution, callback: Callback, cancel: () => void): Callback {
    const run: Callback = function (this: unknown, ...values) {
      const before = new Set(execution.scheduled);
      const stop = () => {
        cancel();
        for (const undo of execution.scheduled) if (!before.has(undo)) undo();
      };
      try {
        if (evaluator.contain(() => void callback.apply(this, values))) stop();
      } catch (error) {
        if (error instanceof Interrupted) return stop();
        throw error;
      }
    };
    inside.add(run);
    return run;
  }
}

/** Whether the function that calls this one was called by Node's own code, which an exception would leave half done. */
function isCalledByNode(): boolean {
  return getCallSites(3)[2]?.scriptName.startsWith("node:") ?? false;
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
