import { setTimeout as sleep } from "node:timers/promises";
import type { RuntimeJob } from "../contract/job.ts";
import { isTerminalJob, JOB_STATUSES } from "../contract/status.ts";
import { ConnectionError } from "./errors.ts";
import type { JobsClient } from "./jobs.ts";

/** How a job is watched. */
export interface WatchOptions {
  /** Ends the watching when it aborts; the job goes on. */
  signal?: AbortSignal;
  /** Called with the job's record after each look. */
  onUpdate?: (job: RuntimeJob) => void;
}

/** Watches a job until it has ended, and answers its last record. */
export type Watch = (job: RuntimeJob, options?: WatchOptions) => Promise<RuntimeJob>;

interface Watched {
  job: RuntimeJob;
  seen: boolean;
  onUpdate: ((job: RuntimeJob) => void) | undefined;
  resolve(job: RuntimeJob): void;
  reject(error: unknown): void;
}

const shortestPause = 10;
const longestPause = 3000;
const longestSilence = 60_000;
const pageSize = 100;
const askedSingly = 2;
const strays = 10;

/** Says whether a job will not change any more, as far as anybody knows. */
export function hasEnded({ status }: RuntimeJob): boolean {
  const known = status !== "UNKNOWN" && (JOB_STATUSES as readonly string[]).includes(status);
  return !known || isTerminalJob(status);
}

/**
 * Makes one watcher for all jobs that are waited for. It looks often while things happen and ever less often while
 * nothing does; one or two jobs it asks for by name, more of them through one page of the job list at a time.
 */
export function jobWatcher(jobs: JobsClient): Watch {
  const watched = new Set<Watched>();
  let page = 1;
  let changed = 0;
  let looking = false;

  function update(record: RuntimeJob): void {
    for (const entry of watched) {
      if (entry.job.jobQrn !== record.jobQrn) continue;
      if (entry.job.status !== record.status) changed = performance.now();
      entry.job = record;
      entry.seen = true;
      entry.onUpdate?.(record);
      if (hasEnded(record)) entry.resolve(record);
    }
  }

  async function ask(entry: Watched): Promise<void> {
    try {
      update(await jobs.get(entry.job.jobQrn));
    } catch (error) {
      if (error instanceof ConnectionError) throw error;
      entry.reject(error);
    }
  }

  async function lookAtPage(): Promise<void> {
    const { rows, pagination } = await jobs.list({ page, limit: pageSize });
    for (const row of rows) update(row);
    const unseen = [...watched].filter(entry => !entry.seen);
    if (unseen.length > 0 && pagination.hasNext) {
      page += 1;
      return;
    }
    await Promise.all(unseen.slice(0, strays).map(ask));
    for (const entry of watched) entry.seen = false;
    page = 1;
  }

  async function lookOn(): Promise<void> {
    looking = true;
    let heard = performance.now();
    while (watched.size > 0) {
      await sleep(Math.min(longestPause, Math.max(shortestPause, (performance.now() - changed) / 5)));
      try {
        await (watched.size <= askedSingly ? Promise.all([...watched].map(ask)) : lookAtPage());
        heard = performance.now();
      } catch (error) {
        const patient = error instanceof ConnectionError && performance.now() - heard < longestSilence;
        if (!patient) for (const entry of watched) entry.reject(error);
      }
    }
    looking = false;
  }

  return (job, { signal, onUpdate } = {}) => {
    if (hasEnded(job)) return Promise.resolve(job);
    if (signal?.aborted) return Promise.reject(signal.reason);
    const { promise, resolve, reject } = Promise.withResolvers<RuntimeJob>();
    const entry: Watched = { job, seen: false, onUpdate, resolve, reject };
    const abort = () => reject(signal?.reason);
    signal?.addEventListener("abort", abort, { once: true });
    watched.add(entry);
    changed = performance.now();
    if (!looking) lookOn();
    return promise.finally(() => {
      watched.delete(entry);
      signal?.removeEventListener("abort", abort);
    });
  };
}
