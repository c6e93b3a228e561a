import { sleep } from "#host/timers";
import type { Log } from "../log.ts";
import { isBusy } from "../storage-errors.ts";
import { type Store, transact } from "../store/store.ts";
import { purgeDeletedJobs } from "./purge.ts";

/** Default retention of the contents of deleted jobs: 30 days. */
export const RETENTION_MS = 30 * 86_400_000;

const MAX_INTERVAL_MS = 600_000;
const MIN_INTERVAL_MS = 1000;
const PAUSE_MS = 20;

/** Dependencies of retention. */
export interface RetentionParts {
  store: Store;
  /** Returns some of the store's free pages to the disk; returns whether there is more. Default: the database does so by itself. */
  compact?(): boolean;
  /** Milliseconds for which the contents of deleted jobs are kept. */
  retention: number;
  clock: () => number;
  log: Log;
}

/**
 * Removes the contents of jobs that were deleted longer ago than the retention, at once and every ten minutes (more often
 * where the retention is short), and lets the file shrink. A few are removed at a time, so that others are served
 * in between. Returns what ends that.
 */
export function startRetention({
  store,
  compact = () => false,
  retention,
  clock,
  log,
}: RetentionParts): () => Promise<void> {
  const stopping = new AbortController();
  const pause = (milliseconds: number) =>
    sleep(milliseconds, { ref: false, signal: stopping.signal }).catch(() => {});
  const interval = Math.min(MAX_INTERVAL_MS, Math.max(MIN_INTERVAL_MS, retention / 10));

  async function purge(): Promise<void> {
    let total = 0;
    while (!stopping.signal.aborted) {
      const now = clock();
      const options = { deletedBefore: now - retention, now };
      const { jobs } = await transact(store, transaction => purgeDeletedJobs(transaction, options));
      if (jobs === 0) break;
      total += jobs;
      await pause(PAUSE_MS);
    }
    if (total > 0) log("info", "retention", { jobs: total });
  }

  async function compactAll(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        if (!compact()) return;
      } catch (error) {
        if (!isBusy(error)) throw error;
      }
      await pause(PAUSE_MS);
    }
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        await purge();
        await compactAll();
      } catch (error) {
        log("error", "retention", { error: String(error) });
      }
      await pause(interval);
    }
  }

  const ended = run();
  return () => {
    stopping.abort();
    return ended;
  };
}
