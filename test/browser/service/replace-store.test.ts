import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { replaceStore } from "../../../src/browser/service/import-archive.ts";
import { ownerKey } from "../../../src/service/accounts/members.ts";
import { exportStore } from "../../../src/service/archive/export.ts";
import { type ArchiveHeader, type ArchiveLine, writeLines } from "../../../src/service/archive/format.ts";
import { openStoreFile } from "../../../src/service/node/sqlite/open.ts";
import { StoreError } from "../../../src/service/storage-errors.ts";
import { migrate, STORE_VERSION } from "../../../src/service/store/migrate.ts";
import { SQLITE_SYNTAX } from "../../../src/service/store/sqlite.ts";
import type { Store } from "../../../src/service/store/store.ts";
import { newFolder } from "../../service/folder.ts";
import { serving } from "../../service/serving.ts";

function scratch(): Store {
  const path = join(newFolder(), "store.sqlite");
  writeFileSync(path, "");
  return openStoreFile(path);
}

/** The lines of an archive of a store, as another version may have written them. */
async function* linesOf(store: Store, storeVersion: number): AsyncGenerator<ArchiveHeader | ArchiveLine> {
  const lines: (ArchiveHeader | ArchiveLine)[] = [];
  await store.transaction().execute(async transaction => {
    for await (const line of exportStore(transaction, 0)) lines.push(line);
  });
  yield { ...(lines[0] as ArchiveHeader), storeVersion };
  yield* lines.slice(1);
}

const everythingIn = async (store: Store) => Array.fromAsync(linesOf(store, STORE_VERSION));

test("a store is replaced by an archive, and stays as it is where that is damaged", async () => {
  await using other = await serving();
  await other.ended((await other.submit({ name: "to be replaced" })).jobQrn);
  await using service = await serving();
  await service.ended((await service.submit({ name: "kept" })).jobQrn);
  // Leases belong to workers of where an archive was made.
  await service.store.updateTable("jobs").set({ worker_id: null, leased_until: null }).execute();
  const wanted = await everythingIn(service.store);
  const store = scratch();
  await migrate(store, SQLITE_SYNTAX);
  await replaceStore(store, writeLines(linesOf(other.store, STORE_VERSION)), scratch);
  const before = await everythingIn(store);
  expect(before).not.toEqual(wanted);
  const damaged = async function* () {
    for await (const bytes of writeLines(linesOf(service.store, STORE_VERSION))) yield bytes.subarray(0, -90);
  };
  await expect(replaceStore(store, damaged(), scratch)).rejects.toThrow(StoreError);
  expect(await everythingIn(store)).toEqual(before);
  const archive = writeLines(linesOf(service.store, STORE_VERSION));
  expect(await replaceStore(store, archive, scratch)).toEqual({ jobs: 1, devices: [] });
  expect(await everythingIn(store)).toEqual(wanted);
  await store.destroy();
});

test("an archive of an older version is brought up to date", async () => {
  const older = scratch();
  await migrate(older, SQLITE_SYNTAX, { version: STORE_VERSION - 1 });
  await ownerKey(older, { read: () => undefined, write: () => undefined }, 0);
  const store = scratch();
  await migrate(store, SQLITE_SYNTAX);
  const archive = writeLines(linesOf(older, STORE_VERSION - 1));
  expect(await replaceStore(store, archive, scratch)).toEqual({ jobs: 0, devices: [] });
  const keysIn = (kept: Store) => kept.selectFrom("api_keys").selectAll().execute();
  expect(await keysIn(store)).toEqual(await keysIn(older));
  expect(await keysIn(store)).toHaveLength(1);
  await Promise.all([store.destroy(), older.destroy()]);
});
