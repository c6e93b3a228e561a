import { copyFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { beforeAll, expect, test } from "vitest";
import { openStoreOf, storePath } from "../../../src/service/node/sqlite/open.ts";
import { copyStore, restoreStore } from "../../../src/service-cluster/backup.ts";
import { newFolder } from "../../folder.ts";

const now = Date.UTC(2026, 0, 2, 3, 4, 5);
let file: string;
beforeAll(async () => {
  const folder = newFolder();
  await (await openStoreOf(folder)).destroy();
  file = join(newFolder(), "backup.sqlite");
  await copyStore(storePath(folder), file);
});

/** Makes a folder as a killed service leaves it: an organization is only in the write-ahead log. */
async function killedFolder(organization: string): Promise<string> {
  const [folder, killed] = [newFolder(), newFolder()];
  const store = await openStoreOf(folder);
  await store
    .insertInto("organizations")
    .values({ id: organization, name: organization, auto_recharge: 0, created_at: now })
    .execute();
  for (const suffix of ["", "-wal"]) copyFileSync(storePath(folder) + suffix, storePath(killed) + suffix);
  await store.destroy();
  return killed;
}

function organizations(path: string): string[] {
  const database = new DatabaseSync(path, { readOnly: true });
  const rows = database.prepare("select id from organizations").all();
  database.close();
  return rows.map(({ id }) => String(id));
}

test("a store that is replaced is moved aside with what only its write-ahead log has, and replaces none that was before", async () => {
  const folder = await killedFolder("first");
  const path = storePath(folder);
  const first = await restoreStore(file, folder, { replace: true, now });
  expect(first.movedTo).toBe(`${path}.replaced-20260102T030405`);
  expect(existsSync(`${first.movedTo}-wal`)).toBe(false);
  expect(organizations(first.movedTo!)).toEqual(["first"]);
  expect(organizations(path)).toEqual([]);
  const second = await restoreStore(file, folder, { replace: true, now });
  expect(second.movedTo).toBe(`${path}.replaced-20260102T030405.2`);
  expect(organizations(first.movedTo!)).toEqual(["first"]);
  expect(readdirSync(folder).filter(name => name.endsWith(".new"))).toEqual([]);
});

test("a damaged store is moved aside as it is, together with its write-ahead log", async () => {
  const folder = await killedFolder("lost");
  const path = storePath(folder);
  writeFileSync(path, "damaged");
  const log = readFileSync(`${path}-wal`);
  const { movedTo } = await restoreStore(file, folder, { replace: true, now });
  expect(readFileSync(movedTo!, "utf8")).toBe("damaged");
  expect(readFileSync(`${movedTo}-wal`)).toEqual(log);
  expect(organizations(path)).toEqual([]);
});

test("a backup that is not whole leaves the store where it is", async () => {
  const folder = await killedFolder("kept");
  const broken = join(newFolder(), "broken.sqlite");
  writeFileSync(broken, readFileSync(file).subarray(0, 5000));
  await expect(restoreStore(broken, folder, { replace: true, now })).rejects.toThrow(broken);
  expect(organizations(storePath(folder))).toEqual(["kept"]);
});
