import { cancelJob } from "../../client/cancel.ts";
import type { Client } from "../../client/client.ts";
import { TimeoutError } from "../../client/errors.ts";
import { deadlineAfter } from "../../client/timing.ts";
import { hasEnded } from "../../client/watch.ts";
import type { RuntimeJob } from "../../contract/job.ts";
import { anyValue, flag, type OptionCheck } from "../../contract/options.ts";
import { runningKernel } from "../../kernels/running-kernel.ts";
import { checkGiven } from "../values/options.ts";
import { showProgress } from "../values/progress.ts";

/** How to wait for a job. */
export interface WaitOptions {
  /** Milliseconds after which to give up waiting; the job goes on. No limit if not given. */
  timeout?: number;
  /** Ends the waiting when it aborts; the job goes on, unless `cancelOnAbort` is set. */
  signal?: AbortSignal;
  /** Cancels the job when `signal` aborts, or the notebook's cell is interrupted. Default: false. */
  cancelOnAbort?: boolean;
  /** Called with the job's latest record after each look. */
  onUpdate?: (job: RuntimeJob) => void;
}

const checks: Record<keyof WaitOptions, OptionCheck> = {
  timeout: value => (typeof value === "number" && value >= 0 ? undefined : "milliseconds, 0 or more"),
  signal: anyValue,
  cancelOnAbort: flag,
  onUpdate: anyValue,
};

/** What ends the waiting: the caller's signal, and an interrupt of the notebook's cell. */
export function stopSignals({ signal }: WaitOptions): AbortSignal[] {
  return [signal, runningKernel()?.interruption()].filter(one => one !== undefined);
}

/**
 * Waits until jobs have ended, showing their progress when that takes a while. Answers the jobs' last records.
 *
 * @param title - What the jobs are called together.
 */
export async function waitForEnd(
  client: Client,
  jobs: readonly RuntimeJob[],
  options: WaitOptions = {},
  title?: string,
): Promise<RuntimeJob[]> {
  checkGiven("wait", options, checks);
  const { timeout, cancelOnAbort = false, onUpdate } = options;
  const entry = { jobs: [...jobs], title, started: performance.now() };
  const hide = showProgress(entry);
  const deadline = deadlineAfter(timeout);
  const stops = stopSignals(options);
  const signals = deadline ? [...stops, deadline] : stops;
  try {
    const ended = jobs.map((job, index) =>
      client.watch(job, {
        ...(signals.length > 0 ? { signal: AbortSignal.any(signals) } : {}),
        onUpdate(record) {
          entry.jobs[index] = record;
          onUpdate?.(record);
        },
      }),
    );
    return await Promise.all(ended);
  } catch (error) {
    const going = entry.jobs.filter(job => !hasEnded(job));
    if (stops.some(({ aborted }) => aborted)) {
      if (cancelOnAbort) await Promise.allSettled(going.map(({ jobQrn }) => cancelJob(client.jobs, jobQrn)));
      throw error;
    }
    if (!deadline?.aborted) throw error;
    const [late] = going;
    const hint = "It goes on: look again with job(…).";
    const message = `${late?.jobQrn} is still ${late?.status} after ${timeout} ms. ${hint}`;
    throw new TimeoutError(message, { jobQrn: late?.jobQrn });
  } finally {
    hide();
  }
}
