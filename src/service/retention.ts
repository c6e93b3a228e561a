import { sleep } from "#host";
import { type AuditEntry, appendAudit } from "./accounts/audit-trail.ts";
import type { Log } from "./context.ts";
import { isBusy } from "./storage-errors.ts";
import { removeDocuments } from "./store/documents.ts";
import { type Store, type StoreTransaction, transact } from "./store/store.ts";

/** Selects the deleted jobs whose contents are removed. */
export interface PurgeOptions {
  /** Those that were deleted before this time, in milliseconds since 1970. Default: all. */
  deletedBefore?: number;
  /** Those of the users of an organization without a personal storage quota. Default: of every one. */
  organizationId?: string;
  /** Those of one user. Default: of every one. */
  userId?: number | undefined;
  /** As many at most. Default: 100. */
  limit?: number;
  now: number;
}

interface Purged {
  jobs: number;
  bytes: number;
}

/** A job's row once its contents are removed. */
const NO_CONTENTS = {
  name: null,
  status_msg: null,
  tags_json: "{}",
  options_json: "{}",
  seed: null,
  provenance_json: null,
  figures_json: null,
  diagnostics_json: null,
};

/**
 * Removes the contents of deleted jobs that have ended, the first deleted first: programs, results, names, tags and
 * options. What the ledger, quotas and quotes need stays: whose job it was, on which device, how long it ran and what
 * it cost, and the digest under its idempotency key.
 */
export async function purgeDeletedJobs(
  transaction: StoreTransaction,
  { deletedBefore = Number.MAX_SAFE_INTEGER, organizationId, userId, limit = 100, now }: PurgeOptions,
): Promise<Purged> {
  const found = await transaction
    .selectFrom("jobs")
    .select("seq")
    .where("deleted_at", "is not", null)
    .where("purged_at", "is", null)
    .where("deleted_at", "<", deletedBefore)
    .where("ended_at", "is not", null)
    .$if(organizationId !== undefined, query =>
      query
        .where("organization_id", "=", organizationId!)
        .where("user_id", "not in", eb =>
          eb
            .selectFrom("users")
            .select("users.id")
            .where("users.organization_id", "=", organizationId!)
            .where("max_stored_bytes", "is not", null),
        ),
    )
    .$if(userId !== undefined, query => query.where("user_id", "=", userId!))
    .orderBy("deleted_at")
    .limit(limit)
    .execute();
  const due = found.map(({ seq }) => seq);
  if (due.length === 0) return { jobs: 0, bytes: 0 };
  const jobs = await transaction
    .updateTable("jobs")
    .set({ ...NO_CONTENTS, purged_at: now })
    .where("seq", "in", due)
    .where("purged_at", "is", null)
    .returning(["seq", "organization_id"])
    .execute();
  const entries: AuditEntry[] = [];
  let bytes = 0;
  for (const [organizationId, members] of Map.groupBy(jobs, job => job.organization_id)) {
    const seqs = members.map(job => job.seq);
    const details = { jobs: seqs.length, bytes: await removeDocuments(transaction, seqs) };
    bytes += details.bytes;
    const subject = { organizationId, subject: organizationId };
    entries.push({ event: "jobs.purged", actor: "service", ...subject, details });
  }
  await appendAudit(transaction, entries, now);
  return { jobs: jobs.length, bytes };
}

export const RETENTION_MS = 30 * 86_400_000;

const MAX_INTERVAL_MS = 600_000;
const MIN_INTERVAL_MS = 1000;
const PAUSE_MS = 20;

interface RetentionParts {
  store: Store;
  /** Returns some of the store's free pages to the disk; returns whether there is more. Default: the database does so by itself. */
  compact?(): boolean;
  /** Milliseconds for which the contents of deleted jobs are kept. */
  retention: number;
  clock: () => number;
  log: Log;
}

/**
 * Removes the contents of jobs that were deleted longer ago than the retention, and rate limits that nobody uses, at once
 * and every ten minutes (more often where the retention is short), and lets the file shrink. A few are removed at a time, so others are served
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
    await store.deleteFrom("rate_limits").where("full_at", "<", clock()).execute();
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
