import { syncBuiltinESMExports } from "node:module";
import worker_threads, { type Worker } from "node:worker_threads";
import { currentExecution, throwIfInterrupted } from "./execution-context.ts";

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
