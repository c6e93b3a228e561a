import { isTerminalJob, type JobCancelled, type RawResult } from "../contract/index.ts";
import { ApiError, ConnectionError, TimeoutError } from "./errors/index.ts";
import type { JobsClient, RawResults } from "./jobs.ts";
import type { CallOptions } from "./options.ts";
import { isTransient, isUsedUp, lastSeen, outlastOutage } from "./retry.ts";
import { anySignal, type Backoff, backoffDelay, deadlineAfter, systemTiming, type Timing } from "./timing.ts";

/** Options for fetching a result. */
export interface FetchResultOptions extends Pick<CallOptions, "signal" | "headers" | "onBytes"> {
  /** Milliseconds after which to give up. Default: no limit, but a minute for a result that the service does not have. */
  timeout?: number;
  /** Called with each failure, before the next try. */
  onFailure?: (error: unknown) => void;
  /** @internal */
  timing?: Timing;
}

/** Time after which a result that the service does not have is given up, in milliseconds, if no limit is given. */
const MAX_RESULT_DELAY_MS = 60_000;
const BACKOFF: Backoff = { base: 300, max: 10_000 };

/**
 * Fetches the result of a job that is COMPLETED. A service that does not have it yet is asked again until `timeout`, by
 * default for a minute; an outage is waited out for as long as it takes.
 *
 * @throws TimeoutError when `timeout` ran out first.
 * @throws NotFoundError when there is no such job, or no result of it.
 */
export async function fetchResult(
  client: JobsClient,
  qrn: string,
  options: FetchResultOptions = {},
): Promise<RawResult | RawResults> {
  const { timeout, signal, onFailure, timing = systemTiming, ...others } = options;
  const deadline = deadlineAfter(timeout);
  const stop = anySignal(signal, deadline);
  const call = { ...others, signal: stop };
  let missingSince: number | undefined;
  let failure: unknown;
  const mayPass = async (error: unknown) => {
    failure = error;
    if (!isMissing(error)) return isTransient(error) && !isUsedUp(error);
    if (missingSince === undefined && error.code !== "RESULT_NOT_FOUND") await requireJob(client, qrn, stop);
    missingSince ??= timing.now();
    return timeout !== undefined || timing.now() - missingSince <= MAX_RESULT_DELAY_MS;
  };
  try {
    const retry = { signal: stop, onFailure, mayPass, backoff: BACKOFF };
    return await outlastOutage(() => client.result(qrn, call), retry, timing);
  } catch (error) {
    if (!deadline?.aborted || signal?.aborted) throw error;
    const message = `The result of ${qrn} could not be fetched within ${timeout} ms${lastSeen(failure)}. It stays at the service.`;
    throw new TimeoutError(message, { jobQrn: qrn, cause: failure });
  }
}

/** Whether a service says, in one way or another, that it has no result. */
function isMissing(error: unknown): error is ApiError {
  if (!(error instanceof ApiError) || isTransient(error) || error.code === "ANSWER_TOO_LARGE") return false;
  return error.status === 404 || error.status < 300;
}

/** Throws a `NotFoundError` if it is the job itself that does not exist. */
async function requireJob(client: JobsClient, qrn: string, signal: AbortSignal): Promise<void> {
  await client.get(qrn, { signal }).catch(error => {
    if (!isTransient(error)) throw error;
  });
}

/** Options for cancelling a job. */
export interface CancelOptions extends Pick<CallOptions, "signal" | "headers"> {
  /** Milliseconds that cancelling may take, while the job cannot be cancelled yet or nothing answers. Default: 60,000. */
  timeout?: number;
  /** @internal */
  timing?: Timing;
}

const CANCEL_BACKOFF: Backoff = { base: 500, max: 5000 };

/**
 * Asks a job to stop, and retries while the service cannot cancel it yet: after 409 until the job has ended, and after 400
 * or 422 while it is initializing. Where nothing answers, it asks again, too.
 *
 * @throws ConflictError when the job has ended, or cannot be cancelled within the time.
 * @throws TimeoutError or ConnectionError when the service does not answer at all within the time.
 */
export async function cancelJob(
  client: JobsClient,
  qrn: string,
  options: CancelOptions = {},
): Promise<JobCancelled> {
  const { timeout = 60_000, timing = systemTiming, ...others } = options;
  const deadline = timing.now() + timeout;
  let refusal: ApiError | undefined;
  for (let failures = 1; ; failures += 1) {
    const timeLeft = () => ({ ...others, timeout: Math.max(1, Math.ceil(deadline - timing.now())) });
    try {
      return await client.cancel(qrn, timeLeft());
    } catch (error) {
      if (refusal && error instanceof TimeoutError) throw refusal;
      const wait = backoffDelay(failures, CANCEL_BACKOFF, timing);
      if (error instanceof ConnectionError && timing.now() + wait <= deadline) {
        await timing.sleep(wait, options.signal);
        continue;
      }
      if (!(error instanceof ApiError) || ![400, 409, 422].includes(error.status)) throw error;
      refusal = error;
      const { status } = await client.get(qrn, timeLeft()).catch((problem: unknown) => {
        throw problem instanceof TimeoutError ? error : problem;
      });
      if (status === "CANCELLING") return { message: "The job is being cancelled.", jobQrn: qrn, status };
      const isTooEarly = error.status === 409 ? !isTerminalJob(status) : status === "INITIALIZING";
      if (!isTooEarly || timing.now() + wait > deadline) throw error;
      await timing.sleep(wait, options.signal);
    }
  }
}
