import { isTerminalJob } from "../contract/status.ts";
import type { JobCancelled } from "../contract/summary.ts";
import { ApiError, TimeoutError } from "./errors.ts";
import type { JobsClient } from "./jobs.ts";
import type { CallOptions } from "./options.ts";
import { type Backoff, backoffDelay, systemTiming, type Timing } from "./timing.ts";

/** Options for cancelling a job. */
export interface CancelOptions extends Pick<CallOptions, "signal" | "headers"> {
  /** Milliseconds that cancelling may take, while the job cannot be cancelled yet. Default: 60,000. */
  timeout?: number;
}

const BACKOFF: Backoff = { base: 500, max: 5000 };

/**
 * Asks a job to stop, and retries while the service cannot cancel it yet: after 409 until the job has ended, and after 400
 * or 422 while it is initializing.
 *
 * @throws ConflictError when the job has ended, or cannot be cancelled within the time.
 * @throws TimeoutError when the service does not answer at all within the time.
 */
export function cancelJob(client: JobsClient, qrn: string, options?: CancelOptions): Promise<JobCancelled>;
/** @internal */
export function cancelJob(
  client: JobsClient,
  qrn: string,
  options: CancelOptions | undefined,
  timing: Timing,
): Promise<JobCancelled>;
export async function cancelJob(
  client: JobsClient,
  qrn: string,
  { timeout = 60_000, ...options }: CancelOptions = {},
  timing: Timing = systemTiming,
): Promise<JobCancelled> {
  const deadline = timing.now() + timeout;
  let refusal: ApiError | undefined;
  for (let failures = 1; ; failures += 1) {
    const timeLeft = () => ({ ...options, timeout: Math.max(1, Math.ceil(deadline - timing.now())) });
    try {
      return await client.cancel(qrn, timeLeft());
    } catch (error) {
      if (refusal && error instanceof TimeoutError) throw refusal;
      if (!(error instanceof ApiError) || ![400, 409, 422].includes(error.status)) throw error;
      refusal = error;
      const { status } = await client.get(qrn, timeLeft()).catch((problem: unknown) => {
        throw problem instanceof TimeoutError ? error : problem;
      });
      if (status === "CANCELLING") return { message: "The job is being cancelled.", jobQrn: qrn, status };
      const delay = backoffDelay(failures, BACKOFF, timing);
      const isTooEarly = error.status === 409 ? !isTerminalJob(status) : status === "INITIALIZING";
      if (!isTooEarly || timing.now() + delay > deadline) throw error;
      await timing.sleep(delay, options.signal);
    }
  }
}
