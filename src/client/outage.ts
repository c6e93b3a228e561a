import { ApiError } from "./errors.ts";
import { isTransient, outageDelay } from "./retry.ts";
import { type Backoff, systemTiming, type Timing } from "./timing.ts";

const PAUSE: Backoff = { base: 500, max: 30_000 };

/** Failures of clients that had never had an answer: the address may be wrong, and waiting would not mend that. */
const firstContacts = new WeakSet<object>();

/** Notes that an error came before the service had ever answered. */
export function noteFirstContact(error: object): void {
  firstContacts.add(error);
}

/** Whether an error is an outage that ends some time: of a service that is there, and not a quota of the day. */
function isOutage(error: unknown): boolean {
  const isQuota = error instanceof ApiError && error.code === "QUOTA_EXCEEDED";
  return isTransient(error) && !isQuota && !firstContacts.has(error as object);
}

/** How an outage is waited out. */
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
      await timing.sleep(outageDelay(error, failures, PAUSE, timing), signal);
    }
  }
}
