import { ApiError, ConnectionError, LostSubmissionError, TimeoutError } from "./errors/index.ts";
import { type Backoff, backoffDelay, systemTiming, type Timing } from "./timing.ts";

/** Seconds of a pause that a call waits for; a service that asks for more is taken to have refused. */
const MAX_RETRY_AFTER_S = 60;

const BACKOFF: Backoff = { base: 250, max: 8000 };

/** Whether a connection's code says that the service's certificate, or its TLS, is not right. */
export function isCertificateProblem(code: string): boolean {
  return /^(?:CERT_|ERR_TLS_|ERR_SSL_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_)/.test(code);
}

/** The code of a broken connection, such as `ECONNRESET`, wherever it stands. */
export function causeCode(error: unknown): string {
  const { code, cause } = (error ?? {}) as { code?: unknown; cause?: unknown };
  if (typeof code === "string") return code;
  return cause === undefined ? "" : causeCode(cause);
}

/** Whether an error may be gone at the next attempt: an outage, a refusal for now, an answer that broke off. */
export function isTransient(error: unknown): boolean {
  if (error instanceof ConnectionError) return !isCertificateProblem(causeCode(error));
  if (error instanceof TimeoutError) return true;
  if (!(error instanceof ApiError)) return false;
  const { status, code } = error;
  return (
    (status >= 500 && status !== 501) || [408, 425, 429].includes(status) || code === "UNREADABLE_ANSWER"
  );
}

const USED_UP = /QUOTA|MONTH|WEEK|DAILY|YEAR|CREDIT|BUDGET|BALANCE|PLAN/i;
const TOO_FAST = /RATE|THROTTL|SLOW|TOO_(?:MANY|FAST)|BUSY|^HTTP_429$/i;

/** Whether a 429 is about an allowance that no short wait restores, such as a quota of the day. */
export function isUsedUp(error: unknown): boolean {
  if (!(error instanceof ApiError) || error.status !== 429) return false;
  return USED_UP.test(error.code) || (error.retryAfter === null && !TOO_FAST.test(error.code));
}

/** Whether a service refused a request because too many came, so the same one may pass a little later. */
export function isRateLimit(error: unknown): error is ApiError {
  return (
    error instanceof ApiError &&
    error.status === 429 &&
    !isUsedUp(error) &&
    (error.retryAfter ?? 0) <= MAX_RETRY_AFTER_S
  );
}

/** Milliseconds to wait before something that has to succeed in the end is tried again. */
export function outageDelay(error: unknown, failures: number, backoff: Backoff, timing: Timing): number {
  const { retryAfter } = error as Partial<ApiError>;
  const asked = Math.min(retryAfter ?? 0, MAX_RETRY_AFTER_S) * 1000;
  return Math.max(asked, backoffDelay(failures, backoff, timing));
}

/**
 * Milliseconds to wait before a call is repeated; undefined when it should not be.
 *
 * @param isKept - Whether the service recognizes the repetition of a submission, so any lost answer is requested again.
 */
export function retryDelay(
  error: unknown,
  failures: number,
  timing: Timing,
  isKept = false,
): number | undefined {
  if (!isKept && !isTransient(error)) return undefined;
  const { status, retryAfter } = error as Partial<ApiError>;
  if (status === 429 || (retryAfter ?? 0) > MAX_RETRY_AFTER_S) return undefined;
  return Math.max(backoffDelay(failures, BACKOFF, timing), (retryAfter ?? 0) * 1000);
}

const OUTAGE_BACKOFF: Backoff = { base: 500, max: 30_000 };

/** Errors of clients that have had no response yet: the address may be wrong, and waiting would not help. */
const initialFailures = new WeakSet<object>();

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
  return error instanceof Error ? `: ${error.message.split("\n", 1)[0]!.replace(/[.?]$/, "")}` : "";
}

interface OutageOptions {
  signal?: AbortSignal | undefined;
  /** Called with each failure, before the pause that follows it. */
  onFailure?: ((error: unknown) => void) | undefined;
  /** Returns true for a failure that the next try may not have. Default: true for an outage. */
  mayPass?: (error: unknown) => boolean | Promise<boolean>;
  backoff?: Backoff;
}

/** Tries until something succeeds, however long an outage lasts. Throws what no repetition can fix. */
export async function outlastOutage<T>(
  attempt: () => Promise<T>,
  { signal, onFailure, mayPass = isOutage, backoff = OUTAGE_BACKOFF }: OutageOptions = {},
  timing: Timing = systemTiming,
): Promise<T> {
  for (let failures = 1; ; failures += 1) {
    try {
      return await attempt();
    } catch (error) {
      signal?.throwIfAborted();
      if (!(await mayPass(error))) throw error;
      onFailure?.(error);
      await timing.sleep(outageDelay(error, failures, backoff, timing), signal);
    }
  }
}
