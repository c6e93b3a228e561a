import { createHash } from "node:crypto";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { beforeEach, expect, test } from "vitest";
import { openStoreOf } from "../../../src/service/node/sqlite/open.ts";
import { STORE_VERSION } from "../../../src/service/store/tables.ts";
import { newFolder } from "../../folder.ts";
import { ketbookHere } from "../command-line.ts";
import { ketbook } from "../process.ts";
import { bellJob, caller, serving } from "../serving.ts";

let folder: string;

beforeEach(async () => {
  folder = newFolder();
  await (await openStoreOf(folder)).destroy();
});

function inStore<T>(work: (database: DatabaseSync) => T): T {
  const database = new DatabaseSync(join(folder, "ketbook.sqlite"));
  try {
    return work(database);
  } finally {
    database.close();
  }
}

const versionOf = () =>
  inStore(database => database.prepare("select version from store_version").get()?.version);

test.each([
  [
    STORE_VERSION + 1,
    `a newer Ketbook (store version ${STORE_VERSION + 1}, this one reads ${STORE_VERSION})`,
  ],
  [
    STORE_VERSION - 1,
    `an older Ketbook (store version ${STORE_VERSION - 1}, this one reads ${STORE_VERSION})`,
  ],
])("a store of version %i is refused by every command, and not changed", async (version, message) => {
  inStore(database => database.exec(`update store_version set version = ${version}`));
  for (const command of [
    ["serve", "--port", "0"],
    ["keys", "list"],
    ["backup", join(folder, "copy")],
  ]) {
    const { code, stderr } = await ketbookHere(...command, "--data", folder);
    expect([code, stderr]).toEqual([1, expect.stringContaining(message)]);
  }
  expect(versionOf()).toBe(version);
});

test("other tables have another version", () => {
  const statements = inStore(database =>
    database.prepare("select sql from sqlite_master order by name").all(),
  );
  const digest = createHash("sha256").update(JSON.stringify(statements)).digest("hex").slice(0, 16);
  expect({ version: STORE_VERSION, digest }).toEqual({ version: 10, digest: "39a0e7d1a089c547" });
});

test("a key is made while a service of the same version runs", async () => {
  await using service = await serving({ folder });
  const { code, stdout } = await ketbook(
    ...["keys", "create", "--org", "lab", "--user", "ada", "--credits", "9", "--data", folder, "--json"],
  );
  expect(code).toBe(0);
  const { apiKey } = JSON.parse(stdout);
  expect((await caller(service.service.url, apiKey).call("POST", "/jobs", bellJob())).status).toBe(201);
});
