import {
  abortable,
  anySignal,
  type Client,
  cancelJob,
  deadlineAfter,
  fetchResult,
  hasEnded,
  lastSeen,
  outlastOutage,
  type RawResults,
  TimeoutError,
  type Trouble,
} from "../../client/index.ts";
import {
  abortSignal,
  aFunction,
  flag,
  must,
  type OptionCheck,
  type RawResult,
  type RuntimeJob,
} from "../../contract/index.ts";
import { formatBytes, formatCount } from "../../display/index.ts";
import { runningKernel } from "../../kernels/index.ts";
import { checkHelperOptions } from "../values/options.ts";
import { type LoadingEntry, showProgress, type WaitingEntry } from "../values/progress.ts";

/** Options for waiting for a job. */
export interface WaitOptions {
  /** Milliseconds after which to give up waiting; the job continues. Default: no limit. */
  timeout?: number;
  /** Ends the waiting when it aborts; the job continues, unless `cancelOnAbort` is set. */
  signal?: AbortSignal;
  /** Cancels the job when `signal` aborts, or the notebook's cell is interrupted. Default: false. */
  cancelOnAbort?: boolean;
  /** Called with the job's latest record after each look. */
  onUpdate?: (job: RuntimeJob) => void;
}

export interface WaitLimits extends Omit<WaitOptions, "signal"> {
  /** Aborts when the caller's signal does, when the cell is interrupted, and when the time is over. */
  readonly signal: AbortSignal;
  /** Whether the caller, or an interrupt, ended the wait. */
  readonly isStopped: boolean;
  readonly isOver: boolean;
}

const checks: Record<keyof WaitOptions, OptionCheck> = {
  timeout: must("milliseconds, 0 or more", value => typeof value === "number" && value >= 0),
  signal: abortSignal,
  cancelOnAbort: flag,
  onUpdate: aFunction,
};

/** Starts the clock of a wait, unless it runs already. Throws a `KetbookError` for a wrong option. */
export function startWait(options: WaitOptions | WaitLimits = {}): WaitLimits {
  if ("isOver" in options) return options;
  checkHelperOptions("wait", options, checks);
  const { signal, ...others } = options;
  const stops = [signal, runningKernel()?.interruption()];
  const deadline = deadlineAfter(options.timeout);
  const isStopped = () => stops.some(stop => stop?.aborted);
  return {
    ...others,
    signal: anySignal(...stops, deadline),
    get isStopped() {
      return isStopped();
    },
    get isOver() {
      return deadline?.aborted === true && !isStopped();
    },
  };
}

/** Failures in words, such as `3 polls failed from 10:04:12 on: the service answered 500`. */
function troubleText({ error, count, since }: Trouble): string {
  const began = new Date(Date.now() - (performance.now() - since)).toTimeString().slice(0, 8);
  return `${formatCount(count, "polls")} failed from ${began} on${lastSeen(error)}`;
}

/** Does something within the limits of a wait, saying why it takes long; `late` writes the error for when the time is over. */
async function within<T>(
  limits: WaitLimits,
  title: string,
  work: (loading: LoadingEntry, onFailure: (error: unknown) => void) => Promise<T>,
  late: (within: string) => string,
  jobQrn?: string,
): Promise<T> {
  const loading: LoadingEntry = { title, started: performance.now() };
  let failure: unknown;
  const onFailure = (error: unknown) => {
    loading.detail = `waiting for the service${lastSeen(error)}`;
    failure = error;
  };
  const hide = showProgress(loading);
  try {
    return await work(loading, onFailure);
  } catch (error) {
    if (!limits.isOver) throw error;
    const message = late(`within ${limits.timeout} ms${lastSeen(failure)}.`);
    throw new TimeoutError(message, { jobQrn, cause: failure ?? error });
  } finally {
    hide();
  }
}

/** Waits for an answer that comes first, such as that of a submission, through any outage. Throws a `TimeoutError`. */
export async function waitForAnswer<T>(
  attempt: { title: string; start(): Promise<T> },
  limits: WaitLimits,
): Promise<T> {
  const { signal } = limits;
  signal.throwIfAborted();
  const work = (_: LoadingEntry, onFailure: (error: unknown) => void) =>
    abortable(
      outlastOutage(() => attempt.start(), { signal, onFailure }),
      signal,
    );
  return within(limits, attempt.title, work, time => `${attempt.title} was not answered ${time}`);
}

/** Waits until jobs have ended, showing their progress. Answers their last records. `title` is what they are called together. */
export async function waitForEnd(
  client: Client,
  jobs: readonly RuntimeJob[],
  limits: WaitLimits,
  title?: string,
): Promise<RuntimeJob[]> {
  const entry: WaitingEntry = { jobs: [...jobs], title, started: performance.now() };
  const hide = showProgress(entry);
  const going = () => entry.jobs.filter(job => !hasEnded(job));
  const kernel = runningKernel();
  const interruption = kernel?.interruption();
  const tell = () => {
    const lines = going().map(
      ({ jobQrn }) => `${jobQrn} continues, and is charged: look again with job("${jobQrn}"), or cancel it.`,
    );
    kernel!.display({ data: { "text/plain": lines.join("\n") }, metadata: {}, transient: {} }, false);
  };
  if (!limits.cancelOnAbort) interruption?.addEventListener("abort", tell, { once: true });
  try {
    const ended = jobs.map((job, index) =>
      client.watch(job, {
        signal: limits.signal,
        onTrouble(trouble) {
          entry.trouble = troubleText(trouble);
        },
        onUpdate(record) {
          entry.jobs[index] = record;
          entry.trouble = undefined;
          limits.onUpdate?.(record);
        },
      }),
    );
    return await Promise.all(ended);
  } catch (error) {
    if (limits.isStopped && limits.cancelOnAbort)
      await Promise.allSettled(going().map(({ jobQrn }) => cancelJob(client.jobs, jobQrn)));
    if (!limits.isOver) throw error;
    const [late] = going();
    const message = entry.trouble
      ? `Waiting for ${late?.jobQrn} ended after ${limits.timeout} ms. It was ${late?.status} when the service last answered; since then ${entry.trouble}. Look again with job(…).`
      : `${late?.jobQrn} is still ${late?.status} after ${limits.timeout} ms. It continues: look again with job(…).`;
    throw new TimeoutError(message, { jobQrn: late?.jobQrn });
  } finally {
    interruption?.removeEventListener("abort", tell);
    hide();
  }
}

export async function downloadResult(
  { jobs }: Client,
  { jobQrn, name }: RuntimeJob,
  limits: WaitLimits,
): Promise<RawResult | RawResults> {
  const { signal, timeout } = limits;
  return within(
    limits,
    `Result of ${name ?? jobQrn}`,
    (loading, onFailure) => {
      const onBytes = (received: number, total: number | undefined) => {
        loading.detail = formatBytes(received);
        if (total) loading.fraction = received / total;
      };
      return fetchResult(jobs, jobQrn, { onBytes, onFailure, signal, ...(timeout && { timeout }) });
    },
    time => `The result of ${jobQrn} was not there ${time} It stays at the service.`,
    jobQrn,
  );
}
