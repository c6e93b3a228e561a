import { prepareQuery } from "../store/prepared.ts";
import type { StoreTransaction } from "../store/store.ts";

const addBytes = prepareQuery((store, row: { organization_id: string; bytes: number }) =>
  store
    .insertInto("storage_usage")
    .values(row)
    .onConflict(conflict =>
      conflict
        .column("organization_id")
        .doUpdateSet(eb => ({ bytes: eb("storage_usage.bytes", "+", eb.ref("excluded.bytes")) })),
    )
    .returning("bytes"),
);

/** Counts bytes of documents that an organization has more, or fewer. Returns how many it has now. */
export async function addStoredBytes(
  transaction: StoreTransaction,
  organizationId: string,
  bytes: number,
): Promise<number> {
  const { rows } = await addBytes(transaction, { organization_id: organizationId, bytes });
  return rows[0]!.bytes;
}

/** Reads how many bytes of documents an organization has; none are added until the transaction ends. */
export const lockStoredBytes = (transaction: StoreTransaction, organizationId: string): Promise<number> =>
  addStoredBytes(transaction, organizationId, 0);
