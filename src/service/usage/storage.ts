import { type Expression, sql } from "kysely";
import { type Caller, tierOf } from "../accounts/caller.ts";
import { type PurgeOptions, purgeDeletedJobs } from "../retention.ts";
import { locksOf, type Store, type StoreTransaction } from "../store/store.ts";

export interface StorageDemand {
  caller: Pick<Caller, "userId" | "organizationId" | "tier" | "budget">;
  bytes: number;
}

/** Storage overrun of a demand, in bytes, and the limit of its user or organization. */
interface StorageExcess {
  bytes: number;
  excess: number;
  limit: number;
  /** Whether it is the user's own limit. */
  isOwn: boolean;
}

/**
 * Throws where documents of jobs don't fit into what their user, or else the organization, may keep. Deleted jobs make room:
 * their contents are removed early where that is needed. Until the transaction ends, no other one has documents there.
 */
export async function requireStorage(
  transaction: StoreTransaction,
  demands: readonly StorageDemand[],
  now: number,
  explain: (excess: StorageExcess) => Error,
): Promise<void> {
  const limited = demands.filter(({ caller }) => limitOf(caller) !== null);
  const pots = Map.groupBy(limited, potOf);
  for (const pot of [...pots.keys()].sort()) {
    await locksOf(transaction)?.lockName(transaction, `storage ${pot}`);
    const members = pots.get(pot)!;
    const { userId, organizationId } = members[0]!.caller;
    const isOwn = isOwnLimit(members[0]!.caller);
    const owner = isOwn ? { userId } : { organizationId };
    let stored = isOwn
      ? ((await bytesOfUsers(transaction, [userId])).get(userId) ?? 0)
      : await bytesOfOrganization(transaction, organizationId);
    for (const { caller, bytes } of members) {
      const limit = limitOf(caller)!;
      stored += bytes;
      if (stored <= limit) continue;
      const excess = await purgeUntilFits(transaction, { ...owner, excess: stored - limit, now });
      if (excess > 0) throw explain({ bytes, excess, limit, isOwn });
      stored = limit + excess;
    }
  }
}

type Keeper = StorageDemand["caller"];

const isOwnLimit = ({ budget }: Keeper) => budget?.max_stored_bytes != null;

const limitOf = ({ budget, tier }: Keeper) => budget?.max_stored_bytes ?? tierOf(tier).storedBytes;

/** Returns the storage account of a job: its user's, or its organization's. */
const potOf = ({ caller }: StorageDemand) =>
  isOwnLimit(caller) ? `user ${caller.userId}` : `organization ${caller.organizationId}`;

export async function bytesOfUsers(store: Store, userIds: readonly number[]): Promise<Map<number, number>> {
  if (userIds.length === 0) return new Map();
  const rows = await store.selectFrom("user_storage").selectAll().where("user_id", "in", userIds).execute();
  return new Map(rows.map(({ user_id, bytes }) => [user_id, bytes]));
}

/** Reads the bytes of an organization, without those of users with a personal storage quota. */
async function bytesOfOrganization(transaction: StoreTransaction, organizationId: string): Promise<number> {
  const whole = transaction
    .selectFrom("storage_usage")
    .select("bytes")
    .where("organization_id", "=", organizationId);
  const others = transaction
    .selectFrom("user_storage")
    .innerJoin("users", "users.id", "user_id")
    .select(eb => eb.fn.sum<number>("bytes").as("bytes"))
    .where("organization_id", "=", organizationId)
    .where("max_stored_bytes", "is not", null);
  const orNone = (bytes: Expression<unknown>) => sql<number>`coalesce(${bytes}, 0)`;
  const { bytes } = await transaction
    .selectNoFrom(sql<number>`${orNone(whole)} - ${orNone(others)}`.as("bytes"))
    .executeTakeFirstOrThrow();
  return bytes;
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

export const toMegabytes = (bytes: number) => `${(bytes / 1e6).toFixed(bytes < 1e7 ? 2 : 0)} MB`;
