import type { RawResult } from "../contract/result.ts";
import { ApiError, TimeoutError } from "./errors.ts";
import type { JobsClient, RawResults } from "./jobs.ts";
import type { CallOptions } from "./options.ts";
import { isTransient, outageDelay } from "./retry.ts";
import { type Backoff, deadlineAfter, systemTiming, type Timing } from "./timing.ts";

/** How a result is fetched. */
export interface FetchResultOptions extends Pick<CallOptions, "signal" | "headers" | "onBytes"> {
  /** Milliseconds after which to give up. Default: no limit. */
  timeout?: number;
}

/** How long a job may be COMPLETED before its result is there, in milliseconds. */
const MAX_RESULT_DELAY_MS = 60_000;
const BACKOFF: Backoff = { base: 300, max: 10_000 };

/**
 * Fetches the result of a job that is COMPLETED. A service that does not have it yet is asked again for a minute, unless
 * the job ended longer ago; an outage is waited out for as long as it takes.
 *
 * @throws TimeoutError when `timeout` ran out first.
 * @throws NotFoundError when there is no such job, or no result of it.
 */
export function fetchResult(
  client: JobsClient,
  qrn: string,
  options?: FetchResultOptions,
): Promise<RawResult | RawResults>;
/** @internal */
export function fetchResult(
  client: JobsClient,
  qrn: string,
  options: FetchResultOptions | undefined,
  timing: Timing,
): Promise<RawResult | RawResults>;
export async function fetchResult(
  client: JobsClient,
  qrn: string,
  { timeout, signal, ...options }: FetchResultOptions = {},
  timing: Timing = systemTiming,
): Promise<RawResult | RawResults> {
  const deadline = deadlineAfter(timeout);
  const anySignal = signal && deadline ? AbortSignal.any([signal, deadline]) : (signal ?? deadline);
  const call = { ...options, signal: anySignal };
  let missingSince: number | undefined;
  try {
    for (let failures = 1; ; failures += 1) {
      try {
        return await client.result(qrn, call);
      } catch (error) {
        anySignal?.throwIfAborted();
        if (isMissing(error)) {
          if (error.code !== "RESULT_NOT_FOUND" && (await hasLongEnded(client, qrn, anySignal))) throw error;
          missingSince ??= timing.now();
          if (timing.now() - missingSince > MAX_RESULT_DELAY_MS) throw error;
        } else if (!isTransient(error)) throw error;
        await timing.sleep(outageDelay(error, failures, BACKOFF, timing), anySignal);
      }
    }
  } catch (error) {
    if (!deadline?.aborted || signal?.aborted) throw error;
    const message = `The result of ${qrn} could not be fetched within ${timeout} ms. It stays at the service.`;
    throw new TimeoutError(message, { jobQrn: qrn, cause: error });
  }
}

/** Whether a service says, in one way or another, that it has no result. */
function isMissing(error: unknown): error is ApiError {
  if (!(error instanceof ApiError) || isTransient(error) || error.code === "ANSWER_TOO_LARGE") return false;
  return error.status === 404 || error.status < 300;
}

/** Whether a job ended so long ago that its result comes no more. Throws when it is the job itself that is not there. */
async function hasLongEnded(
  client: JobsClient,
  qrn: string,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const job = await client.get(qrn, { signal }).catch(error => {
    if (!isTransient(error)) throw error;
  });
  return Date.now() - Date.parse(job?.timeStamps.endedAt ?? "") > MAX_RESULT_DELAY_MS;
}
