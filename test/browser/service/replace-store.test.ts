import { expect, test } from "vitest";
import { openMemory } from "../../../src/service/node/sqlite/connection.ts";
import { StoreError } from "../../../src/service/storage-errors.ts";
import { COPIED_TABLES, replaceStoreRows } from "../../../src/service/store/copy.ts";
import { SQLITE_SYNTAX } from "../../../src/service/store/sqlite.ts";
import { openStore, type Store } from "../../../src/service/store/store.ts";
import { createTables } from "../../../src/service/store/tables.ts";
import { serving } from "../../service/serving.ts";

async function rowsOf(store: Store): Promise<unknown[]> {
  const tables = COPIED_TABLES.map(async ({ name }) => [
    name,
    (
      await store
        .selectFrom(name as "jobs")
        .selectAll()
        .execute()
    )
      .map(row => JSON.stringify(row))
      .sort(),
  ]);
  return Promise.all(tables);
}

test("a store is replaced by the rows of another, and stays as it is where one of them can't be", async () => {
  await using other = await serving();
  await other.ended((await other.submit({ name: "to be replaced" })).jobQrn);
  await using service = await serving();
  await service.ended((await service.submit({ name: "kept" })).jobQrn);
  // Leases belong to workers of where a copy was made.
  await service.store.updateTable("jobs").set({ worker_id: null, leased_until: null }).execute();
  const wanted = await rowsOf(service.store);
  await using store = openStore(openMemory());
  await createTables(store, SQLITE_SYNTAX);
  await replaceStoreRows(other.store, store);
  const before = await rowsOf(store);
  expect(before).not.toEqual(wanted);
  await using broken = openStore(openMemory());
  await createTables(broken, SQLITE_SYNTAX);
  await replaceStoreRows(service.store, broken);
  await broken.schema.alterTable("ledger_holds").addColumn("more", "text").execute();
  await expect(replaceStoreRows(broken, store)).rejects.toThrow(StoreError);
  expect(await rowsOf(store)).toEqual(before);
  expect(await replaceStoreRows(service.store, store)).toBe(1);
  expect(await rowsOf(store)).toEqual(wanted);
});
