import { prepareRows } from "../store/prepared.ts";
import type { Database } from "../store/schema.ts";
import type { StoreTransaction } from "../store/store.ts";

const addRows = prepareRows((store, rows: Database["storage_usage"][]) =>
  store
    .insertInto("storage_usage")
    .values(rows)
    .onConflict(conflict =>
      conflict
        .column("organization_id")
        .doUpdateSet(eb => ({ bytes: eb("storage_usage.bytes", "+", eb.ref("excluded.bytes")) })),
    )
    .returning(["organization_id", "bytes"]),
);

/** Counts bytes of documents that organizations have more, or fewer. Returns how many each has now. */
export async function addStoredBytes(
  transaction: StoreTransaction,
  bytes: ReadonlyMap<string, number>,
): Promise<Map<string, number>> {
  /** Rows are locked in one order, so that transactions never wait for each other in a circle. */
  const rows = [...bytes]
    .map(([organization_id, bytes]) => ({ organization_id, bytes }))
    .sort(byOrganization);
  const totals = await addRows(transaction, rows);
  return new Map(totals.map(total => [total.organization_id, total.bytes]));
}

const byOrganization = (a: Database["storage_usage"], b: Database["storage_usage"]) =>
  a.organization_id < b.organization_id ? -1 : 1;
