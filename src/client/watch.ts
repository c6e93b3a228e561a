import { isTerminalJob, LIMITS, type RuntimeJob } from "../contract/index.ts";
import { ApiError, RequestError, withJobQrn } from "./errors/index.ts";
import type { JobsClient } from "./jobs.ts";
import type { CallOptions } from "./options.ts";
import { isTransient, outageDelay, type Trouble } from "./retry.ts";
import { abortable, type Backoff, systemTiming, type Timing } from "./timing.ts";

/** Options for watching a job. */
export interface WatchOptions {
  /** Ends the watching when it aborts; the job continues. */
  signal?: AbortSignal;
  /** Called with the job's record after each poll. */
  onUpdate?: (job: RuntimeJob) => void;
  /** Called after each poll that failed. A poll that succeeds ends the trouble, and calls `onUpdate`. */
  onTrouble?: (trouble: Trouble) => void;
}

/**
 * Watches a job until it has ended, and resolves to its last record. Outages and rate limits are waited out for as long as
 * they last; redirects, refusals and untrusted certificates for half a minute.
 *
 * @throws AuthenticationError, PermissionError or NotFoundError (401, 403, 404): no retry helps.
 */
export type Watch = (job: RuntimeJob, options?: WatchOptions) => Promise<RuntimeJob>;

interface Watched {
  job: RuntimeJob;
  onUpdate: ((job: RuntimeJob) => void) | undefined;
  onTrouble: ((trouble: Trouble) => void) | undefined;
  resolve(job: RuntimeJob): void;
  reject(error: unknown): void;
}

/**
 * Pause between polls, in milliseconds: a fifth of the time since anything changed, within these bounds, and no less
 * than a poll of the list took. There is none after a poll whose answer the service has held for want of a change.
 */
const MIN_PAUSE_MS = 10;
const MAX_PAUSE_MS = 3000;
const OUTAGE_BACKOFF: Backoff = { base: 500, max: 30_000 };
/** Maximum time to wait out answers that waiting should not change. */
const MAX_STRANGE_MS = 30_000;
/** Jobs up to this many are polled one by one, more of them through the list. */
const MAX_INDIVIDUAL_POLLS = 2;
/** Jobs that a sweep did not find in the list, such as deleted ones, polled one by one after it. */
const MAX_UNLISTED = 10;
/** Jobs of others, or that have ended, which the short page of a sweep has room for among those watched. */
const MAX_NEWER = 8;
/** Pages of the list that one sweep looks through. */
const MAX_PAGES = 20;

/** Whether a job will not change any more. An undocumented status is not terminal. */
export function hasEnded({ status }: RuntimeJob): boolean {
  return isTerminalJob(status);
}

/** Whether a poll failed in a way that no retry can fix. */
function isFinal(error: unknown): boolean {
  return error instanceof ApiError
    ? [401, 403, 404].includes(error.status)
    : !(error instanceof RequestError);
}

/** Whether a failure should not pass with time: a redirect, a refusal, an untrusted certificate. */
function isStrange(error: unknown): boolean {
  return !isTransient(error) && !(error instanceof ApiError && error.code === "UNEXPECTED_SHAPE");
}

/**
 * Makes one watcher for all jobs that are waited for. It polls often while things happen and ever less often while
 * nothing does; more than two jobs through one page of the job list at a time, one or two by name, whose service may
 * hold its answers until they change. `timeout` is how many milliseconds a request may take, by default any time.
 */
export function jobWatcher(
  jobs: JobsClient,
  timing: Timing = systemTiming,
  timeout = Number.POSITIVE_INFINITY,
): Watch {
  const watched = new Set<Watched>();
  /** Polls of jobs by name that are under way. */
  const held = new Map<Watched, Promise<void>>();
  let changedAt = 0;
  let polling: AbortController | undefined;
  /** Resolves when a job is added that is not to wait for the answers or the pause of the others. */
  let added = Promise.withResolvers<void>();

  function update(record: RuntimeJob): void {
    for (const entry of watched) {
      if (entry.job.jobQrn !== record.jobQrn) continue;
      if (entry.job.status !== record.status) changedAt = timing.now();
      entry.job = record;
      try {
        entry.onUpdate?.(record);
      } catch (error) {
        entry.reject(error);
      }
      if (hasEnded(record)) entry.resolve(record);
    }
  }

  /** Polls a job by name. It moves to the end of the queue, so others are polled next. */
  async function poll(entry: Watched, options: CallOptions): Promise<void> {
    watched.delete(entry);
    watched.add(entry);
    try {
      update(await jobs.get(entry.job.jobQrn, options));
    } catch (error) {
      if (!isFinal(error)) throw error;
      entry.reject(error);
    }
  }

  async function pollEach(entries: readonly Watched[], signal: AbortSignal): Promise<void> {
    const polls = entries.map(entry => poll(entry, { signal }));
    const failed = (await Promise.allSettled(polls)).find(each => each.status === "rejected");
    if (failed) throw failed.reason;
  }

  /**
   * Polls every job by name, and lets the service hold each answer until its job changes, or for some seconds. Resolves
   * with the first answer, to whether that was held, or when a job is added.
   */
  async function pollHeld(pause: number, signal: AbortSignal): Promise<boolean> {
    const startedAt = timing.now();
    const seconds = Math.max(1, Math.round(pause / 1000));
    const options =
      2000 * seconds > timeout ? { signal } : { signal, headers: { prefer: `wait=${seconds}` } };
    for (const entry of [...watched]) {
      if (held.has(entry)) continue;
      const answered = poll(entry, options).finally(() => held.delete(entry));
      answered.catch(() => {});
      held.set(entry, answered);
    }
    await Promise.race([...held.values(), added.promise]);
    return timing.now() - startedAt >= 900 * seconds;
  }

  /**
   * Polls one page of the list, or what the pages so far don't have. Returns the number of the next page. A sweep begins
   * with a short page (0), as watched jobs are mostly the newest.
   */
  async function pollPage(page: number, seen: Set<string>, signal: AbortSignal): Promise<number> {
    const short = watched.size + Math.min(watched.size, MAX_NEWER);
    const limit = page === 0 ? Math.min(short, LIMITS.maxPageSize) : LIMITS.maxPageSize;
    const { rows, pagination } = await jobs.list({ page: Math.max(page, 1), limit }, { signal });
    const hasNewRows = rows.some(({ jobQrn }) => !seen.has(jobQrn));
    for (const row of rows) {
      seen.add(row.jobQrn);
      update(row);
    }
    const unlisted = [...watched].filter(({ job }) => !seen.has(job.jobQrn));
    if (unlisted.length > 0 && hasNewRows && pagination.hasNext && page < MAX_PAGES)
      return limit < LIMITS.maxPageSize ? 1 : Math.max(page, 1) + 1;
    seen.clear();
    await pollEach(unlisted.slice(0, MAX_UNLISTED), signal);
    return 0;
  }

  async function pollUntilAborted(signal: AbortSignal): Promise<void> {
    const seen = new Set<string>();
    let page = 0;
    let failures = 0;
    let pause = MIN_PAUSE_MS;
    let troubledAt = 0;
    let strangeSince: number | undefined;
    await undefined;
    while (!signal.aborted) {
      added = Promise.withResolvers();
      let isHeld = false;
      let minPause = MIN_PAUSE_MS;
      try {
        if (watched.size <= MAX_INDIVIDUAL_POLLS) isHeld = await pollHeld(pause, signal);
        else {
          const startedAt = timing.now();
          page = await pollPage(page, seen, signal).catch(error => pollWithoutList(error, signal));
          minPause = Math.max(minPause, timing.now() - startedAt);
        }
        failures = 0;
        strangeSince = undefined;
        pause = Math.min(MAX_PAUSE_MS, Math.max(minPause, (timing.now() - changedAt) / 5));
        await Promise.race([timing.sleep(isHeld ? 0 : pause, signal), added.promise]);
      } catch (error) {
        if (signal.aborted) return;
        failures += 1;
        const now = timing.now();
        if (failures === 1) troubledAt = now;
        strangeSince = isStrange(error) ? (strangeSince ?? now) : undefined;
        if (strangeSince !== undefined && now - strangeSince > MAX_STRANGE_MS) rejectAll(error);
        for (const entry of watched) entry.onTrouble?.({ error, count: failures, since: troubledAt });
        await timing.sleep(outageDelay(error, failures, OUTAGE_BACKOFF, timing), signal).catch(() => {});
      }
    }
  }

  /** Polls without a list that the service refuses: it is forbidden, or not there. */
  async function pollWithoutList(error: unknown, signal: AbortSignal): Promise<number> {
    if (signal.aborted || isTransient(error)) throw error;
    if (error instanceof ApiError && ![401, 403].includes(error.status)) {
      await pollEach([...watched].slice(0, MAX_UNLISTED), signal);
      return 0;
    }
    rejectAll(error);
    return 0;
  }

  function rejectAll(error: unknown): void {
    for (const entry of watched)
      entry.reject(error instanceof ApiError ? withJobQrn(error, entry.job.jobQrn) : error);
  }

  return (job, { signal, onUpdate, onTrouble } = {}) => {
    if (signal?.aborted) return Promise.reject(signal.reason);
    if (hasEnded(job)) return Promise.resolve(job);
    const { promise, resolve, reject } = Promise.withResolvers<RuntimeJob>();
    const entry: Watched = { job, onUpdate, onTrouble, resolve, reject };
    watched.add(entry);
    changedAt = timing.now();
    if (watched.size <= MAX_INDIVIDUAL_POLLS + 1) added.resolve();
    if (!polling) {
      polling = new AbortController();
      void pollUntilAborted(polling.signal);
    }
    return abortable(promise, signal).finally(() => {
      watched.delete(entry);
      if (watched.size > 0) return;
      polling?.abort();
      polling = undefined;
    });
  };
}
