import { TimeoutError } from "../client/errors.ts";
import type { RuntimeJob } from "../contract/job.ts";
import { displayable, progressView } from "../display/index.ts";
import { live } from "../kernels/live.ts";
import { currentClient } from "./connection.ts";

/** How to wait for a job. */
export interface WaitOptions {
  /** Milliseconds after which to give up waiting; the job goes on. No limit if not given. */
  timeout?: number;
  /** Ends the waiting when it aborts; the job goes on. */
  signal?: AbortSignal;
  /** Called with the job's latest record after each look. */
  onUpdate?: (job: RuntimeJob) => void;
}

const unnoticed = 400;
const redraw = 250;

/** Waits until a job has ended, showing its progress when that takes a while. Answers the job's last record. */
export async function waitForEnd(
  job: RuntimeJob,
  { timeout, signal, onUpdate }: WaitOptions = {},
): Promise<RuntimeJob> {
  const { watch } = await currentClient();
  const started = performance.now();
  const progress = live();
  let latest = job;
  const draw = () => {
    const elapsedMs = performance.now() - started;
    const { name, deviceQrn, status, queuePosition } = latest;
    if (elapsedMs < unnoticed) return;
    const view = progressView({ title: name ?? deviceQrn, status, queuePosition, elapsedMs });
    progress.update({ ...displayable(view), line: view.line });
  };
  const drawing = setInterval(draw, redraw);
  const deadline = timeout === undefined ? undefined : AbortSignal.timeout(timeout);
  const signals = [signal, deadline].filter(one => one !== undefined);
  try {
    return await watch(job, {
      ...(signals.length > 0 ? { signal: AbortSignal.any(signals) } : {}),
      onUpdate(record) {
        latest = record;
        onUpdate?.(record);
      },
    });
  } catch (error) {
    if (!deadline?.aborted || signal?.aborted) throw error;
    const hint = "It goes on: look again with job(…).";
    throw new TimeoutError(`${job.jobQrn} is still ${latest.status} after ${timeout} ms. ${hint}`);
  } finally {
    clearInterval(drawing);
    progress.clear();
  }
}
