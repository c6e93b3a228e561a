import { TimeoutError } from "../client/errors.ts";
import { hasEnded } from "../client/watch.ts";
import type { RuntimeJob } from "../contract/job.ts";
import { runningKernel } from "../kernels/running-kernel.ts";
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

/**
 * Waits until jobs have ended, showing their progress when that takes a while. Answers the jobs' last records.
 *
 * @param title - What the jobs are called together.
 */
export async function waitForEnd(
  jobs: readonly RuntimeJob[],
  { timeout, signal, onUpdate }: WaitOptions = {},
  title?: string,
): Promise<RuntimeJob[]> {
  const { watch } = await currentClient();
  const entry = { jobs: [...jobs], title, started: performance.now() };
  const hide = showProgress(entry);
  const deadline = timeout === undefined ? undefined : AbortSignal.timeout(timeout);
  const signals = [signal, deadline, runningKernel()?.interruption()].filter(one => one !== undefined);
  try {
    const ended = jobs.map((job, index) =>
      watch(job, {
        ...(signals.length > 0 ? { signal: AbortSignal.any(signals) } : {}),
        onUpdate(record) {
          entry.jobs[index] = record;
          onUpdate?.(record);
        },
      }),
    );
    return await Promise.all(ended);
  } catch (error) {
    if (!deadline?.aborted || signal?.aborted) throw error;
    const [late] = entry.jobs.filter(job => !hasEnded(job));
    const hint = "It goes on: look again with job(…).";
    throw new TimeoutError(`${late?.jobQrn} is still ${late?.status} after ${timeout} ms. ${hint}`);
  } finally {
    hide();
  }
}
