import type { StoreTransaction } from "../store/store.ts";

/** Counts bytes of documents that an organization has more, or fewer. Returns how many it has now. */
export async function addStoredBytes(
  transaction: StoreTransaction,
  organizationId: string,
  bytes: number,
): Promise<number> {
  const row = await transaction
    .insertInto("storage_usage")
    .values({ organization_id: organizationId, bytes })
    .onConflict(conflict =>
      conflict
        .column("organization_id")
        .doUpdateSet(eb => ({ bytes: eb("storage_usage.bytes", "+", eb.ref("excluded.bytes")) })),
    )
    .returning("bytes")
    .executeTakeFirstOrThrow();
  return row.bytes;
}

/** Reads how many bytes of documents an organization has; none are added until the transaction ends. */
export const lockStoredBytes = (transaction: StoreTransaction, organizationId: string): Promise<number> =>
  addStoredBytes(transaction, organizationId, 0);
