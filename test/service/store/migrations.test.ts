import { readdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { beforeEach, describe, expect, test } from "vitest";
import { lockFolder } from "../../../src/service/node/folder.ts";
import { STORE_VERSION } from "../../../src/service/store/migrate.ts";
import { ketbook, servingProcess } from "../process.ts";
import { bellJob, caller } from "../serving.ts";
import { olderStore } from "./older-store.ts";

let folder: string;
let path: string;

beforeEach(() => {
  ({ folder, path } = olderStore(1));
});

function change(statements: string): void {
  const database = new DatabaseSync(path);
  database.exec(statements);
  database.close();
}

function versionOf(file: string): unknown {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    return database.prepare("select version from store_version").get()?.version;
  } finally {
    database.close();
  }
}

const copies = () => readdirSync(folder).filter(name => /^ketbook\.sqlite\.v1-\d{8}T\d{6}Z?$/.test(name));

describe("an older store", () => {
  test("is copied, brought up to date and served", async () => {
    await using service = await servingProcess(folder);
    const { call } = caller(service.url, service.apiKey);
    expect((await call("GET", "/jobs")).body.data).toHaveLength(3);
    expect((await call("POST", "/jobs/group", {}, { "idempotency-key": "k" })).status).toBe(201);
    expect(copies()).toHaveLength(1);
    expect(versionOf(join(folder, copies()[0]!))).toBe(1);
    expect(versionOf(path)).toBe(STORE_VERSION);
  });

  test("is brought up to date by a command, too, when no service runs", async () => {
    expect((await ketbook("keys", "list", "--data", folder)).code).toBe(0);
    expect(versionOf(path)).toBe(STORE_VERSION);
    expect(copies()).toHaveLength(1);
  });

  test("stays as it is under a service that runs, and the command says what to do", async () => {
    const lock = lockFolder(folder);
    const { code, stderr } = await ketbook("keys", "list", "--data", folder);
    lock.release();
    expect([code, stderr]).toEqual([1, expect.stringMatching(/Another service runs on .*end that service/)]);
    expect(versionOf(path)).toBe(1);
    expect(copies()).toEqual([]);
  });

  test("is not changed halfway: a migration that fails leaves the store and its copy", async () => {
    change("create table idempotency_key (text text); create view job_groups_idempotency as select 1 as one");
    expect((await ketbook("keys", "list", "--data", folder)).code).toBe(1);
    expect(versionOf(path)).toBe(1);
    const database = new DatabaseSync(path, { readOnly: true });
    const columns = database.prepare("select name from pragma_table_info('job_groups')").all();
    database.close();
    expect(columns.map(({ name }) => name)).not.toContain("idempotency_key");
    expect(copies()).toHaveLength(1);
  });
});

test("a store of a newer Ketbook is refused by every command, and not changed", async () => {
  change("update store_version set version = 99");
  for (const command of [
    ["serve", "--port", "0"],
    ["keys", "list"],
  ]) {
    const { code, stderr } = await ketbook(...command, "--data", folder);
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining("written by a newer Ketbook (store version 99"),
    ]);
  }
  expect(versionOf(path)).toBe(99);
});

test("a key is made while a service of the same version runs", async () => {
  await using service = await servingProcess(folder);
  const { code, stdout } = await ketbook(
    ...["keys", "create", "--org", "lab", "--user", "ada", "--credits", "9", "--data", folder, "--json"],
  );
  expect(code).toBe(0);
  const { apiKey } = JSON.parse(stdout);
  expect((await caller(service.url, apiKey).call("POST", "/jobs", bellJob())).status).toBe(201);
});
