import type { Caller } from "../accounts/caller.ts";
import { tierOf } from "../accounts/tiers.ts";
import { HttpError } from "../http-error.ts";
import { purgeDeletedJobs } from "../retention/purge.ts";
import { addAllStoredBytes, lockStoredBytes } from "../retention/stored-bytes.ts";
import type { JobRow } from "../store/schema.ts";
import type { StoreTransaction } from "../store/store.ts";

/** What the programs of a new job take. */
export interface StorageDemand {
  caller: Caller;
  bytes: number;
}

/**
 * Counts the programs of new jobs. Returns HttpErrors (429) for those that don't fit into what their organization may
 * keep, which count nothing. Deleted jobs make room: their contents are removed early where that is needed.
 */
export async function takeStorage<Demand extends StorageDemand>(
  transaction: StoreTransaction,
  demands: readonly Demand[],
  now: number,
): Promise<Map<Demand, HttpError>> {
  const refused = new Map<Demand, HttpError>();
  const totals = await addAllStoredBytes(transaction, bytesOf(demands));
  for (const [organizationId, members] of groupByOrganization(demands)) {
    let stored = totals.get(organizationId)! - members.reduce((sum, { bytes }) => sum + bytes, 0);
    for (const demand of members) {
      const limit = tierOf(demand.caller.tier).storedBytes;
      stored += demand.bytes;
      if (limit === null || stored <= limit) continue;
      const excess = stored - limit;
      const left = await purgeUntilFits(transaction, { organizationId, excess, now });
      stored = limit + left;
      if (left <= 0) continue;
      stored -= demand.bytes;
      const message = `Your organization keeps as much as it may: ${toMegabytes(limit)} of programs and results. This job needs ${toMegabytes(left)} more than is left. Delete jobs that you no longer need, those with the largest results first (DELETE /jobs/{job_qrn}); that makes room at once.`;
      refused.set(demand, new HttpError("QUOTA_EXCEEDED", message));
    }
  }
  await giveBackStorage(transaction, [...refused.keys()]);
  return refused;
}

/** Takes back the count of jobs that are not made. */
export async function giveBackStorage(
  transaction: StoreTransaction,
  demands: readonly StorageDemand[],
): Promise<void> {
  const bytes = [...bytesOf(demands)].map(([id, sum]): [string, number] => [id, -sum]);
  await addAllStoredBytes(transaction, new Map(bytes));
}

const groupByOrganization = <Demand extends StorageDemand>(demands: readonly Demand[]) =>
  Map.groupBy(demands, ({ caller }) => caller.organizationId);

function bytesOf(demands: readonly StorageDemand[]): Map<string, number> {
  const sums = new Map<string, number>();
  for (const { caller, bytes } of demands)
    sums.set(caller.organizationId, (sums.get(caller.organizationId) ?? 0) + bytes);
  return sums;
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
  if (limit === null) return undefined;
  const stored = await lockStoredBytes(transaction, organizationId);
  const excess = await purgeUntilFits(transaction, { organizationId, excess: stored + bytes - limit, now });
  if (excess <= 0) return undefined;
  return `The results take ${toMegabytes(bytes)}, ${toMegabytes(excess)} more than is left of the ${toMegabytes(limit)} that your organization may keep. Delete jobs that you no longer need, and submit this one again.`;
}

/** Removes the contents of deleted jobs until there is no excess of bytes, or none are left. Returns the excess. */
async function purgeUntilFits(
  transaction: StoreTransaction,
  { organizationId, excess, now }: { organizationId: string; excess: number; now: number },
): Promise<number> {
  let left = excess;
  while (left > 0) {
    const purged = await purgeDeletedJobs(transaction, { organizationId, limit: 20, now });
    if (purged.jobs === 0) break;
    left -= purged.bytes;
  }
  return left;
}

const toMegabytes = (bytes: number) => `${(bytes / 1e6).toFixed(bytes < 1e7 ? 2 : 0)} MB`;
