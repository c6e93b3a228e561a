import { setTimeout as wait } from "node:timers/promises";

/** A timer that was set. */
export type Timer = NodeJS.Timeout;

/** Lets a timer not keep the process alive, and returns it. */
export const detach = (timer: Timer): Timer => timer.unref();

/** Runs a function once what is under way has been done, and what came in from outside. */
export const nextTurn = (run: () => void): void => void setImmediate(run);

/** Options of a pause. */
export interface SleepOptions {
  /** Ends the pause with an `AbortError` when it aborts. */
  signal?: AbortSignal | undefined;
  /** Whether the pause keeps the process alive. Default: true. */
  ref?: boolean;
}

/** Waits for some milliseconds. */
export const sleep = (milliseconds: number, options: SleepOptions = {}): Promise<void> =>
  wait(milliseconds, undefined, options);
