import { sql } from "kysely";
import { type Caller, tierOf } from "../accounts/caller.ts";
import { HttpError } from "../http-error.ts";
import { addStoredBytes, type PurgeOptions, purgeDeletedJobs } from "../retention.ts";
import type { Store, StoreTransaction } from "../store/store.ts";

export interface StorageDemand {
  caller: Pick<Caller, "userId" | "organizationId" | "tier" | "budget">;
  bytes: number;
}

/** Storage overrun: the requested bytes, and the limit of the user or organization. */
interface StorageExcess {
  excess: number;
  limit: number;
  /** Whether it is the user's own limit. */
  isOwn: boolean;
}

/**
 * Counts documents of jobs. Returns those that don't fit into what their user, or else the organization, may keep, which
 * count nothing. Deleted jobs make room: their contents are removed early where that is needed.
 */
export async function takeBytes<Demand extends StorageDemand>(
  transaction: StoreTransaction,
  demands: readonly Demand[],
  now: number,
): Promise<Map<Demand, StorageExcess>> {
  const refused = new Map<Demand, StorageExcess>();
  const added = bytesOf(demands);
  const totals = await addStoredBytes(transaction, added);
  const owned = demands.filter(({ caller }) => isOwnLimit(caller)).map(({ caller }) => caller.userId);
  const users = await bytesOfUsers(transaction, owned);
  for (const [pot, members] of Map.groupBy(demands, potOf)) {
    const { organizationId } = members[0]!.caller;
    let stored = users.get(pot) ?? 0;
    if (typeof pot === "string") {
      const total = totals.get(pot)!;
      const isTight = members.some(({ caller }) => total > (limitOf(caller) ?? Number.POSITIVE_INFINITY));
      stored = total - added.get(pot)! - (isTight ? await bytesOfOthers(transaction, pot) : 0);
    }
    for (const demand of members) {
      const limit = limitOf(demand.caller);
      stored += demand.bytes;
      if (limit === null || stored <= limit) continue;
      const due = typeof pot === "string" ? { organizationId } : { userId: pot };
      const excess = await purgeUntilFits(transaction, { ...due, excess: stored - limit, now });
      stored = limit + excess;
      if (excess <= 0) continue;
      stored -= demand.bytes;
      refused.set(demand, { excess, limit, isOwn: typeof pot !== "string" });
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
  for (const [demand, { excess, limit, isOwn }] of await takeBytes(transaction, demands, now)) {
    const whose = isOwn
      ? "You keep as much as your own budget allows"
      : "Your organization keeps as much as it may";
    const message = `${whose}: ${toMegabytes(limit)} of programs and results. This job needs ${toMegabytes(excess)} more than is left. Delete jobs that you no longer need, those with the largest results first (DELETE /jobs/{job_qrn}); that makes room at once.`;
    refused.set(demand, new HttpError("QUOTA_EXCEEDED", message));
  }
  return refused;
}

/** Returns the message on results that can't be kept. */
export const resultsTooLarge = (bytes: number, { excess, limit, isOwn }: StorageExcess) =>
  `The results take ${toMegabytes(bytes)}, ${toMegabytes(excess)} more than is left of the ${toMegabytes(limit)} that ${isOwn ? "your own budget allows" : "your organization may keep"}. Delete jobs that you no longer need, and submit this one again.`;

/** Takes back the count of jobs that are not made. */
export async function giveBackStorage(
  transaction: StoreTransaction,
  demands: readonly StorageDemand[],
): Promise<void> {
  await addStoredBytes(
    transaction,
    demands.map(({ caller, bytes }) => [caller.organizationId, -bytes]),
  );
}

type Keeper = StorageDemand["caller"];

const isOwnLimit = ({ budget }: Keeper) => budget?.max_stored_bytes != null;

const limitOf = ({ budget, tier }: Keeper) => budget?.max_stored_bytes ?? tierOf(tier).storedBytes;

/** Returns the storage account of a job: its user's number, or its organization's. */
const potOf = ({ caller }: StorageDemand) => (isOwnLimit(caller) ? caller.userId : caller.organizationId);

export async function bytesOfUsers(
  store: Store,
  userIds: readonly number[],
): Promise<Map<string | number, number>> {
  if (userIds.length === 0) return new Map();
  const rows = await store.selectFrom("user_storage").selectAll().where("user_id", "in", userIds).execute();
  return new Map(rows.map(({ user_id, bytes }) => [user_id, bytes]));
}

/** Reads the bytes of the users of an organization with a personal storage quota. */
async function bytesOfOthers(transaction: StoreTransaction, organizationId: string): Promise<number> {
  const { bytes } = await transaction
    .selectFrom("user_storage")
    .innerJoin("users", "users.id", "user_id")
    .select(sql<number>`coalesce(sum(bytes), 0)`.as("bytes"))
    .where("organization_id", "=", organizationId)
    .where("max_stored_bytes", "is not", null)
    .executeTakeFirstOrThrow();
  return bytes;
}

function bytesOf(demands: readonly StorageDemand[]): Map<string, number> {
  const sums = new Map<string, number>();
  for (const { caller, bytes } of demands)
    sums.set(caller.organizationId, (sums.get(caller.organizationId) ?? 0) + bytes);
  return sums;
}

/** Removes the contents of deleted jobs until there is no excess of bytes, or none are left. Returns the excess. */
async function purgeUntilFits(
  transaction: StoreTransaction,
  { excess, ...due }: Pick<PurgeOptions, "organizationId" | "userId" | "now"> & { excess: number },
): Promise<number> {
  let left = excess;
  while (left > 0) {
    const purged = await purgeDeletedJobs(transaction, { ...due, limit: 20 });
    if (purged.jobs === 0) break;
    left -= purged.bytes;
  }
  return left;
}

const toMegabytes = (bytes: number) => `${(bytes / 1e6).toFixed(bytes < 1e7 ? 2 : 0)} MB`;
