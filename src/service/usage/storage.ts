import type { Caller } from "../accounts/caller.ts";
import { tierOf } from "../accounts/tiers.ts";
import { HttpError } from "../http-error.ts";
import { purgeDeletedJobs } from "../retention/purge.ts";
import { addStoredBytes } from "../retention/stored-bytes.ts";
import type { StoreTransaction } from "../store/store.ts";

/** What the documents of a job take. */
export interface StorageDemand {
  caller: Pick<Caller, "organizationId" | "tier">;
  bytes: number;
}

/** Why documents can't be kept: bytes that are too many, and those that an organization may keep. */
export interface StorageExcess {
  excess: number;
  limit: number;
}

/**
 * Counts documents of jobs. Returns those that don't fit into what their organization may keep, which count nothing.
 * Deleted jobs make room: their contents are removed early where that is needed.
 */
export async function takeBytes<Demand extends StorageDemand>(
  transaction: StoreTransaction,
  demands: readonly Demand[],
  now: number,
): Promise<Map<Demand, StorageExcess>> {
  const refused = new Map<Demand, StorageExcess>();
  const totals = await addStoredBytes(transaction, bytesOf(demands));
  for (const [organizationId, members] of groupByOrganization(demands)) {
    let stored = totals.get(organizationId)! - members.reduce((sum, { bytes }) => sum + bytes, 0);
    for (const demand of members) {
      const limit = tierOf(demand.caller.tier).storedBytes;
      stored += demand.bytes;
      if (limit === null || stored <= limit) continue;
      const excess = await purgeUntilFits(transaction, { organizationId, excess: stored - limit, now });
      stored = limit + excess;
      if (excess <= 0) continue;
      stored -= demand.bytes;
      refused.set(demand, { excess, limit });
    }
  }
  await giveBackStorage(transaction, [...refused.keys()]);
  return refused;
}

/** Counts the programs of new jobs. Returns HttpErrors (429) for those that can't be kept, which count nothing. */
export async function takeStorage<Demand extends StorageDemand>(
  transaction: StoreTransaction,
  demands: readonly Demand[],
  now: number,
): Promise<Map<Demand, HttpError>> {
  const refused = new Map<Demand, HttpError>();
  for (const [demand, { excess, limit }] of await takeBytes(transaction, demands, now)) {
    const message = `Your organization keeps as much as it may: ${toMegabytes(limit)} of programs and results. This job needs ${toMegabytes(excess)} more than is left. Delete jobs that you no longer need, those with the largest results first (DELETE /jobs/{job_qrn}); that makes room at once.`;
    refused.set(demand, new HttpError("QUOTA_EXCEEDED", message));
  }
  return refused;
}

/** Returns the message on results that can't be kept. */
export const resultsTooLarge = (bytes: number, { excess, limit }: StorageExcess) =>
  `The results take ${toMegabytes(bytes)}, ${toMegabytes(excess)} more than is left of the ${toMegabytes(limit)} that your organization may keep. Delete jobs that you no longer need, and submit this one again.`;

/** Takes back the count of jobs that are not made. */
export async function giveBackStorage(
  transaction: StoreTransaction,
  demands: readonly StorageDemand[],
): Promise<void> {
  const bytes = [...bytesOf(demands)].map(([id, sum]): [string, number] => [id, -sum]);
  await addStoredBytes(transaction, new Map(bytes));
}

const groupByOrganization = <Demand extends StorageDemand>(demands: readonly Demand[]) =>
  Map.groupBy(demands, ({ caller }) => caller.organizationId);

function bytesOf(demands: readonly StorageDemand[]): Map<string, number> {
  const sums = new Map<string, number>();
  for (const { caller, bytes } of demands)
    sums.set(caller.organizationId, (sums.get(caller.organizationId) ?? 0) + bytes);
  return sums;
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
