import { sql } from "kysely";
import { type Caller, tierOf } from "../accounts/caller.ts";
import { purgeDeletedJobs } from "../retention.ts";
import { readCount } from "../store/rows.ts";
import { locksOf, type Store, type StoreTransaction } from "../store/store.ts";

interface StorageDemand {
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
 * Throws where documents of a job don't fit into what its user, or else the organization, may keep. Deleted jobs make room:
 * their contents are removed early where that is needed. Until the transaction ends, no other one has documents there.
 */
export async function requireStorage(
  transaction: StoreTransaction,
  { caller, bytes }: StorageDemand,
  now: number,
  explain: (excess: StorageExcess) => Error,
): Promise<void> {
  const { userId, organizationId, budget, tier } = caller;
  const isOwn = budget?.max_stored_bytes != null;
  const limit = budget?.max_stored_bytes ?? tierOf(tier).storedBytes;
  if (limit === null) return;
  const pot = isOwn ? `user ${userId}` : `organization ${organizationId}`;
  await locksOf(transaction)?.lockName(transaction, `storage ${pot}`);
  const stored = isOwn
    ? await bytesOfUser(transaction, userId)
    : await bytesOfOrganization(transaction, organizationId);
  const owner = isOwn ? { userId } : { organizationId };
  let excess = stored + bytes - limit;
  while (excess > 0) {
    const purged = await purgeDeletedJobs(transaction, { ...owner, now, limit: 20 });
    if (purged.jobs === 0) throw explain({ bytes, excess, limit, isOwn });
    excess -= purged.bytes;
  }
}

export const bytesOfUser = (store: Store, userId: number): Promise<number> =>
  readCount(store, "user_storage", "bytes", { user_id: userId });

/** Reads the bytes of an organization, without those of users with a personal storage quota. */
async function bytesOfOrganization(transaction: StoreTransaction, organizationId: string): Promise<number> {
  const whole = sql`select bytes from storage_usage where organization_id = ${organizationId}`;
  const others = sql`select sum(bytes) from user_storage join users on users.id = user_id
    where organization_id = ${organizationId} and max_stored_bytes is not null`;
  const { rows } = await sql<{ bytes: number }>`
    select coalesce((${whole}), 0) - coalesce((${others}), 0) as bytes`.execute(transaction);
  return rows[0]!.bytes;
}

export const toMegabytes = (bytes: number) => `${(bytes / 1e6).toFixed(bytes < 1e7 ? 2 : 0)} MB`;
