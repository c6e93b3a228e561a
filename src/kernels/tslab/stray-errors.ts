import type { Failure } from "../errors/failure.ts";
import { Interrupted } from "../errors/interrupted.ts";

const EVENTS = ["uncaughtException", "unhandledRejection"] as const;

/**
 * Reports what goes wrong outside of a cell's own course, such as in a callback, as a cell's error is reported:
 * where in the cells it happened. Takes the place of the reports that tslab has set up since `before`.
 */
export function reportStrayErrors(describe: (thrown: unknown) => Failure, before: StrayListeners): void {
  for (const event of EVENTS) {
    for (const listener of process.listeners(event as never)) {
      if (!before.get(event)?.has(listener)) process.off(event, listener);
    }
    process.on(event, (thrown: unknown) => {
      // A part of a cell that nobody waits for ends with the rest of it.
      if (thrown instanceof Interrupted) return;
      const what = event === "uncaughtException" ? "Uncaught" : "Unhandled rejection:";
      process.stderr.write(`${what} ${describe(thrown).traceback.join("\n")}\n`);
    });
  }
}

/** The listeners of such events at some moment. */
export type StrayListeners = ReadonlyMap<string, ReadonlySet<unknown>>;

/** The listeners that there are now. */
export function strayListeners(): StrayListeners {
  return new Map(EVENTS.map(event => [event, new Set(process.listeners(event as never))]));
}
