import { LostSubmissionError } from "./errors.ts";
import { isTransient, isUsedUp, outageDelay } from "./retry.ts";
import { type Backoff, systemTiming, type Timing } from "./timing.ts";

const BACKOFF: Backoff = { base: 500, max: 30_000 };

/** Errors of clients that have had no response yet: the address may be wrong, and waiting would not help. */
const initialFailures = new WeakSet<object>();

/** Marks an error that came before the first response of the service. */
export function markInitialFailure(error: object): void {
  initialFailures.add(error);
}

/** Whether an error is an outage that ends some time: of a service that has answered, and not a quota of the day. */
export function isOutage(error: unknown): boolean {
  if (initialFailures.has(Object(error))) return false;
  if (error instanceof LostSubmissionError)
    return !error.looked && (!error.lookFailure || isTransient(error.lookFailure));
  return isTransient(error) && !isUsedUp(error);
}

/** Failures of a service in a row. */
export interface Trouble {
  /** The latest one. */
  error: unknown;
  /** Number of failures. */
  count: number;
  /** Time of the first one, by the clock of the client, in milliseconds. */
  since: number;
}

/** A failure in words that continue a sentence, such as `: the service answered 500`; empty without one. */
export function lastSeen(error: unknown): string {
  return error instanceof Error ? `: ${error.message.split("\n", 1)[0]!.replace(/\.$/, "")}` : "";
}

/** Options for waiting out an outage. */
export interface OutageOptions {
  /** Ends the waiting when it aborts. */
  signal?: AbortSignal | undefined;
  /** Called with each failure, before the pause that follows it. */
  onFailure?: (error: unknown) => void;
}

/** Tries until something succeeds, however long an outage lasts. Throws what no repetition can mend. */
export async function outlastOutage<T>(
  attempt: () => Promise<T>,
  { signal, onFailure }: OutageOptions = {},
  timing: Timing = systemTiming,
): Promise<T> {
  for (let failures = 1; ; failures += 1) {
    try {
      return await attempt();
    } catch (error) {
      signal?.throwIfAborted();
      if (!isOutage(error)) throw error;
      onFailure?.(error);
      await timing.sleep(outageDelay(error, failures, BACKOFF, timing), signal);
    }
  }
}
