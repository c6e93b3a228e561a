import { cancelJob } from "../../client/cancel.ts";
import type { Client } from "../../client/client.ts";
import { TimeoutError } from "../../client/errors.ts";
import { lastSeen, outlastOutage, type Trouble } from "../../client/outage.ts";
import { hasEnded } from "../../client/watch.ts";
import type { RuntimeJob } from "../../contract/job.ts";
import { formatCount } from "../../display/index.ts";
import { type LoadingEntry, showProgress, type WaitingEntry } from "../values/progress.ts";
import type { WaitLimits } from "./wait-limits.ts";

/** Failures in words, such as `3 polls failed from 10:04:12 on: the service answered 500`. */
function troubleText({ error, count, since }: Trouble): string {
  const began = new Date(Date.now() - (performance.now() - since)).toTimeString().slice(0, 8);
  return `${formatCount(count, "polls")} failed from ${began} on${lastSeen(error)}`;
}

/** An awaited operation, and the way to detect its failure. */
interface Attempt<T> {
  /** Name of the operation while it takes long, such as `Submission`. */
  title: string;
  /** Tries once; the same attempt again after a failure. */
  start(): Promise<T>;
}

/**
 * Waits for what a service has to answer first, such as a submission, through any outage.
 *
 * @throws TimeoutError when the time ran out first.
 */
export async function waitForAnswer<T>(attempt: Attempt<T>, limits: WaitLimits): Promise<T> {
  const { title } = attempt;
  limits.signal.throwIfAborted();
  const loading: LoadingEntry = { title, started: performance.now() };
  const hide = showProgress(loading);
  const { promise: stopped, reject } = Promise.withResolvers<never>();
  const stop = () => reject(limits.signal.reason);
  limits.signal.addEventListener("abort", stop, { once: true });
  let failure: unknown;
  const onFailure = (error: unknown) => {
    loading.detail = `waiting for the service${lastSeen(error)}`;
    failure = error;
  };
  try {
    return await Promise.race([
      outlastOutage(() => attempt.start(), { signal: limits.signal, onFailure }),
      stopped,
    ]);
  } catch (error) {
    if (!limits.isOver) throw error;
    const message = `${title} was not answered within ${limits.timeout} ms${lastSeen(failure)}.`;
    throw new TimeoutError(message, { cause: failure ?? error });
  } finally {
    limits.signal.removeEventListener("abort", stop);
    hide();
  }
}

/**
 * Waits until jobs have ended, showing their progress when that takes a while. Answers the jobs' last records.
 *
 * @param title - What the jobs are called together.
 */
export async function waitForEnd(
  client: Client,
  jobs: readonly RuntimeJob[],
  limits: WaitLimits,
  title?: string,
): Promise<RuntimeJob[]> {
  const entry: WaitingEntry = { jobs: [...jobs], title, started: performance.now() };
  const hide = showProgress(entry);
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
    const going = entry.jobs.filter(job => !hasEnded(job));
    if (limits.isStopped && limits.cancelOnAbort)
      await Promise.allSettled(going.map(({ jobQrn }) => cancelJob(client.jobs, jobQrn)));
    if (!limits.isOver) throw error;
    const [late] = going;
    const message = entry.trouble
      ? `Waiting for ${late?.jobQrn} ended after ${limits.timeout} ms. It was ${late?.status} when the service last answered; since then ${entry.trouble}. Look again with job(…).`
      : `${late?.jobQrn} is still ${late?.status} after ${limits.timeout} ms. It continues: look again with job(…).`;
    throw new TimeoutError(message, { jobQrn: late?.jobQrn });
  } finally {
    hide();
  }
}
