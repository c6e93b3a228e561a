import type { Caller } from "../accounts/caller.ts";
import { tierOf } from "../accounts/tiers.ts";
import { HttpError } from "../http-error.ts";
import { purgeDeletedJobs } from "../retention/purge.ts";
import { addStoredBytes, lockStoredBytes } from "../retention/stored-bytes.ts";
import type { JobRow } from "../store/schema.ts";
import type { StoreTransaction } from "../store/store.ts";

/**
 * Counts the programs of a new job; throws an HttpError (429) when they don't fit into what the organization may
 * keep. Deleted jobs make room: their contents are removed early where that is needed.
 */
export async function takeStorage(
  transaction: StoreTransaction,
  { organizationId, tier }: Caller,
  bytes: number,
  now: number,
): Promise<void> {
  const limit = tierOf(tier).storedBytes;
  const excess = await makeRoom(transaction, { organizationId, limit, bytes, now });
  if (excess > 0) {
    throw new HttpError(
      "QUOTA_EXCEEDED",
      `Your organization keeps as much as it may: ${toMegabytes(limit ?? 0)} of programs and results. This job needs ${toMegabytes(excess)} more than is left. Delete jobs that you no longer need, those with the largest results first (DELETE /jobs/{job_qrn}); that makes room at once.`,
    );
  }
  await addStoredBytes(transaction, organizationId, bytes);
}

/** Returns why the results of a job can't be kept; undefined when they can. */
export async function storageProblemOf(
  transaction: StoreTransaction,
  job: JobRow,
  bytes: number,
  now: number,
): Promise<string | undefined> {
  const { tier } = await transaction
    .selectFrom("users")
    .select("tier")
    .where("id", "=", job.user_id)
    .executeTakeFirstOrThrow();
  const organizationId = job.organization_id;
  const limit = tierOf(tier).storedBytes;
  const excess = await makeRoom(transaction, { organizationId, limit, bytes, now });
  if (excess === 0) return undefined;
  return `The results take ${toMegabytes(bytes)}, ${toMegabytes(excess)} more than is left of the ${toMegabytes(limit ?? 0)} that your organization may keep. Delete jobs that you no longer need, and submit this one again.`;
}

/** Removes the contents of deleted jobs until the bytes fit, or none are left. Returns by how much they don't fit. */
async function makeRoom(
  transaction: StoreTransaction,
  {
    organizationId,
    limit,
    bytes,
    now,
  }: { organizationId: string; limit: number | null; bytes: number; now: number },
): Promise<number> {
  if (limit === null) return 0;
  let excess = (await lockStoredBytes(transaction, organizationId)) + bytes - limit;
  while (excess > 0) {
    const purged = await purgeDeletedJobs(transaction, { organizationId, limit: 20, now });
    if (purged.jobs === 0) return excess;
    excess -= purged.bytes;
  }
  return 0;
}

const toMegabytes = (bytes: number) => `${(bytes / 1e6).toFixed(bytes < 1e7 ? 2 : 0)} MB`;
