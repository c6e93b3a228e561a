import type { Store } from "../store/store.ts";

/** Counts bytes of documents that an organization has more, or fewer. Returns how many it has now. */
export async function addStoredBytes(store: Store, organizationId: string, bytes: number): Promise<number> {
  const row = await store
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

/** Reads how many bytes of documents an organization has. */
export async function readStoredBytes(store: Store, organizationId: string): Promise<number> {
  const row = await store
    .selectFrom("storage_usage")
    .select("bytes")
    .where("organization_id", "=", organizationId)
    .executeTakeFirst();
  return row?.bytes ?? 0;
}
