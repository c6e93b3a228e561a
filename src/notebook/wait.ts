import { TimeoutError } from "../client/errors.ts";
import type { RuntimeJob } from "../contract/job.ts";
import { currentClient } from "./connection.ts";
import { showProgress } from "./progress.ts";

/** How to wait for a job. */
export interface WaitOptions {
  /** Milliseconds after which to give up waiting; the job goes on. No limit if not given. */
  timeout?: number;
  /** Ends the waiting when it aborts; the job goes on. */
  signal?: AbortSignal;
  /** Called with the job's latest record after each look. */
  onUpdate?: (job: RuntimeJob) => void;
}

/** Waits until a job has ended, showing its progress when that takes a while. Answers the job's last record. */
export async function waitForEnd(
  job: RuntimeJob,
  { timeout, signal, onUpdate }: WaitOptions = {},
): Promise<RuntimeJob> {
  const { watch } = await currentClient();
  const entry = { job, started: performance.now() };
  const hide = showProgress(entry);
  const deadline = timeout === undefined ? undefined : AbortSignal.timeout(timeout);
  const signals = [signal, deadline].filter(one => one !== undefined);
  try {
    return await watch(job, {
      ...(signals.length > 0 ? { signal: AbortSignal.any(signals) } : {}),
      onUpdate(record) {
        entry.job = record;
        onUpdate?.(record);
      },
    });
  } catch (error) {
    if (!deadline?.aborted || signal?.aborted) throw error;
    const hint = "It goes on: look again with job(…).";
    throw new TimeoutError(`${job.jobQrn} is still ${entry.job.status} after ${timeout} ms. ${hint}`);
  } finally {
    hide();
  }
}
