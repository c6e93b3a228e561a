import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { replaceStore } from "../../../src/browser/service/import-archive.ts";
import { exportStore } from "../../../src/service/archive/export.ts";
import { type ArchiveHeader, type ArchiveLine, writeLines } from "../../../src/service/archive/format.ts";
import { openStoreFile } from "../../../src/service/node/sqlite/open.ts";
import { StoreError } from "../../../src/service/storage-errors.ts";
import { SQLITE_SYNTAX } from "../../../src/service/store/sqlite.ts";
import type { Store } from "../../../src/service/store/store.ts";
import { createTables } from "../../../src/service/store/tables.ts";
import { newFolder } from "../../service/folder.ts";
import { serving } from "../../service/serving.ts";

function emptyStore(): Store {
  const path = join(newFolder(), "store.sqlite");
  writeFileSync(path, "");
  return openStoreFile(path);
}

async function linesOf(store: Store): Promise<(ArchiveHeader | ArchiveLine)[]> {
  const lines: (ArchiveHeader | ArchiveLine)[] = [];
  await store.transaction().execute(async transaction => {
    for await (const line of exportStore(transaction, 0)) lines.push(line);
  });
  return lines;
}

async function* archiveOf(store: Store): AsyncGenerator<Uint8Array> {
  yield* writeLines(
    (async function* () {
      yield* await linesOf(store);
    })(),
  );
}

test("a store is replaced by an archive, and stays as it is where that is damaged", async () => {
  await using other = await serving();
  await other.ended((await other.submit({ name: "to be replaced" })).jobQrn);
  await using service = await serving();
  await service.ended((await service.submit({ name: "kept" })).jobQrn);
  // Leases belong to workers of where an archive was made.
  await service.store.updateTable("jobs").set({ worker_id: null, leased_until: null }).execute();
  const wanted = await linesOf(service.store);
  const store = emptyStore();
  await createTables(store, SQLITE_SYNTAX);
  await replaceStore(store, archiveOf(other.store));
  const before = await linesOf(store);
  expect(before).not.toEqual(wanted);
  const damaged = async function* () {
    for await (const bytes of archiveOf(service.store)) yield bytes.subarray(0, -90);
  };
  await expect(replaceStore(store, damaged())).rejects.toThrow(StoreError);
  expect(await linesOf(store)).toEqual(before);
  const archive = archiveOf(service.store);
  expect(await replaceStore(store, archive)).toEqual({ jobs: 1, devices: [] });
  expect(await linesOf(store)).toEqual(wanted);
  await store.destroy();
});
