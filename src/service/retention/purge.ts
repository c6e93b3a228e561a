import { type AuditEntry, appendAudit } from "../accounts/audit-trail.ts";
import { removeDocuments } from "../store/documents.ts";
import type { StoreTransaction } from "../store/store.ts";
import { addStoredBytes } from "./stored-bytes.ts";

/** Selects the deleted jobs whose contents are removed. */
export interface PurgeOptions {
  /** Those that were deleted before this time, in milliseconds since 1970. Default: all. */
  deletedBefore?: number;
  /** Those of the users of an organization who have no storage of their own. Default: of every one. */
  organizationId?: string;
  /** Those of one user. Default: of every one. */
  userId?: number | undefined;
  /** As many at most. Default: 100. */
  limit?: number;
  now: number;
}

/** Removed contents. */
export interface Purged {
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
  const due = await transaction
    .selectFrom("jobs")
    .select(["seq", "organization_id"])
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
  if (due.length === 0) return { jobs: 0, bytes: 0 };
  /** Organizations are locked before their jobs, as by submissions, so that transactions never wait in a circle. */
  await addStoredBytes(transaction, new Map(due.map(job => [job.organization_id, 0])));
  const jobs = await transaction
    .updateTable("jobs")
    .set({ ...NO_CONTENTS, purged_at: now })
    .where(
      "seq",
      "in",
      due.map(job => job.seq),
    )
    .where("purged_at", "is", null)
    .returning(["seq", "organization_id"])
    .execute();
  const removed = new Map<string, number>();
  const entries: AuditEntry[] = [];
  for (const [organizationId, members] of Map.groupBy(jobs, job => job.organization_id)) {
    const seqs = members.map(job => job.seq);
    const bytes = await removeDocuments(transaction, seqs);
    removed.set(organizationId, bytes);
    const details = { jobs: seqs.length, bytes };
    entries.push({
      event: "jobs.purged",
      actor: "service",
      organizationId,
      subject: organizationId,
      details,
    });
  }
  await addStoredBytes(transaction, new Map(Array.from(removed, ([id, bytes]) => [id, -bytes])));
  await appendAudit(transaction, entries, now);
  return { jobs: jobs.length, bytes: removed.values().reduce((sum, bytes) => sum + bytes, 0) };
}
