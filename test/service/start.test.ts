import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { beforeEach, describe, expect, test } from "vitest";
import { listKeys } from "../../src/service/accounts/members.ts";
import { openStoreOf } from "../../src/service/node/sqlite/open.ts";
import { explainStorageError } from "../../src/service/storage-errors.ts";
import { newFolder } from "../folder.ts";
import { ketbookHere } from "./command-line.ts";
import { ketbook } from "./process.ts";
import { serving } from "./serving.ts";
import { canMount, mountSmallDisk } from "./store/sqlite/small-disk.ts";

let folder: string;
let path: string;
beforeEach(() => {
  folder = newFolder();
  path = join(folder, "ketbook.sqlite");
});

const serve = (data = folder) => ketbook("serve", "--port", "0", "--data", data);

/** The sentence with which a start in this process fails, which `ketbook serve` says. */
async function refusal(): Promise<string> {
  const error = await serving({ folder }).catch(error => error);
  expect(error).toBeInstanceOf(Error);
  return explainStorageError(error, folder) ?? error.message;
}

const filled = newFolder();
let filledKey: string | undefined;

/** Makes the folder a copy of one on which a service has run once, with a key, credits and a job. */
async function fillFolder(): Promise<string> {
  if (filledKey === undefined) {
    await using service = await serving({ folder: filled });
    await service.ended((await service.submit()).jobQrn);
    filledKey = service.service.apiKey;
  }
  cpSync(filled, folder, { recursive: true });
  return filledKey;
}

describe("a start that fails ends the process with a sentence, and leaves nothing behind", () => {
  test.each(["service.json", "lock.sqlite", "owner.key", "ketbook.sqlite"])(
    "%s is a folder; the lock, the port and the store are free again",
    async name => {
      mkdirSync(join(folder, name));
      expect(await refusal()).toContain(`${join(folder, name)} is a folder`);
      rmSync(join(folder, name), { recursive: true });
      await using service = await serving({ folder });
      expect((await service.ended((await service.submit()).jobQrn)).status).toBe("COMPLETED");
    },
  );

  test.each<[string, string[], string]>([
    ["the data folder is a file", ["--data", "FOLDER/file"], "FOLDER/file is in the way"],
    ["the data folder is in a file", ["--data", "FOLDER/file/data"], "FOLDER/file/data is in the way"],
    ["the data folder has no name", ["--data", ""], "It must not be empty"],
    ["the data folder is a database", ["--data", "postgres://ada@db/lab"], "database goes to --database"],
    ["the name is too long", ["--data", `FOLDER/${"x".repeat(300)}`], "Choose another folder with --data"],
    [
      "the vendor code is another's",
      ["--vendor-code", "aws"],
      "It must not be one of aws, azure, ibm, ionq, all.",
    ],
    ["the port is no number", ["--port", "80x"], "It must be a whole number from 0 to 65535"],
    ["the address has no name", ["--host", ""], "It must not be empty"],
    ["the database is none", ["--database", "mysql://a/b"], "must be given as postgres://"],
    ["the database is not there", ["--database", "postgres://127.0.0.1:1/x"], "Check its address"],
  ])("%s", async (what, args, said) => {
    writeFileSync(join(folder, "file"), "");
    const given = args.map(arg => arg.replace("FOLDER", folder));
    const place = args.some(arg => ["--data", "--database"].includes(arg)) ? [] : ["--data", folder];
    const port = args.includes("--port") ? [] : ["--port", "0"];
    // Two of them show that a process ends: one of a folder, and one of a database.
    const start = /is a file|not there/.test(what) ? ketbook : ketbookHere;
    const { code, stderr } = await start("serve", ...place, ...port, ...given);
    expect([code, stderr]).toEqual([1, expect.stringContaining(said.replace("FOLDER", folder))]);
    expect(stderr).not.toMatch(/^\s+at /m);
  });

  test.skipIf(!existsSync("/proc/self"))(
    "no folder can be made where the data folder should be",
    async () => {
      const { code, stderr } = await ketbookHere("serve", "--port", "0", "--data", "/proc/self/data/ketbook");
      expect([code, stderr]).toEqual([1, expect.stringContaining("Choose another folder with --data")]);
    },
  );

  test("the address is another machine's", async () => {
    await ketbookHere("keys", "create", "--org", "a", "--user", "a", "--data", folder, "--json");
    const { code, stderr } = await ketbook("serve", "--data", folder, "--port", "0", "--host", "192.0.2.1");
    expect(code).toBe(1);
    expect(stderr).toContain("ketbook serve: 192.0.2.1 is not an address of this machine");
  });

  test("the port is taken", async () => {
    await using other = createServer();
    await new Promise<void>(done => other.listen(0, "127.0.0.1", done));
    const { port } = other.address() as { port: number };
    const { code, stderr } = await ketbook("serve", "--port", String(port), "--data", folder);
    expect([code, stderr]).toEqual([1, expect.stringContaining(`Port ${port}`)]);
    expect(existsSync(join(folder, "service.json"))).toBe(false);
  });

  test.runIf(canMount)("the disk is full", async () => {
    using disk = mountSmallDisk(1)!;
    disk.fill();
    const { code, stderr } = await serve(disk.folder);
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^ketbook serve: The disk of .* is full/)]);
    disk.free();
    await (await serving({ folder: disk.folder })).service.stop();
  });
});

describe("a store that is not as it was left is not served, and not written to", () => {
  test.each<[string, () => void, RegExp]>([
    ["empty", () => truncateSync(path, 0), /is empty/],
    ["cut off", () => truncateSync(path, 4096 * 3), /damaged/],
    ["overwritten in its middle", () => overwrite(4096 * 4, 4096 * 8), /damaged/],
    ["overwritten at its beginning", () => overwrite(0, 4096), /damaged/],
    ["replaced by a text", () => writeFileSync(path, "nothing".repeat(1000)), /damaged/],
    ["replaced by another database", replaceByOther, /not Ketbook's/],
    ["without one of its tables", () => change("drop table api_keys"), /the table api_keys is missing/],
    ["of a version that is none", () => change("update store_version set version = 'x'"), /not Ketbook's/],
  ])("%s", async (_, damage, said) => {
    await fillFolder();
    damage();
    const before = readFileSync(path);
    const sentence = await refusal();
    expect(sentence).toMatch(said);
    expect(sentence).toContain(folder);
    expect(readFileSync(path).equals(before)).toBe(true);
    await expect(
      openStoreOf(folder).then(store => listKeys(store).finally(() => store.destroy())),
    ).rejects.toThrow();
  });

  test("damaged or another's, it ends the processes of commands with a sentence", async () => {
    await fillFolder();
    for (const [damage, said] of [
      [() => change("drop table api_keys"), /the table api_keys is missing/],
      [() => overwrite(0, 4096), /damaged/],
    ] as const) {
      damage();
      const { code, stderr } = await serve();
      expect([code, stderr]).toEqual([1, expect.stringMatching(said)]);
      expect(stderr).toContain(folder);
      expect((await ketbookHere("keys", "list", "--data", folder)).code).toBe(1);
    }
  });

  test("gone, while the key is there", async () => {
    const apiKey = await fillFolder();
    const copy = readFileSync(path);
    rmSync(path);
    const { code, stderr } = await serve();
    expect([code, stderr]).toEqual([1, expect.stringContaining(`${path} is gone, though`)]);
    expect(existsSync(path)).toBe(false);
    writeFileSync(path, copy);
    await using service = await serving({ folder });
    expect(service.service.apiKey).toBe(apiKey);
  });

  test("while its lock's file is damaged, it is not said to be", async () => {
    await fillFolder();
    writeFileSync(join(folder, "lock.sqlite"), "nothing".repeat(1000));
    const { code, stderr } = await serve();
    expect([code, stderr]).toEqual([1, expect.stringMatching(/lock\.sqlite is damaged.* Delete it/)]);
    expect(stderr).not.toContain("store");
  });

  test("left in the middle of a change of its journal, it is rolled back", async () => {
    const apiKey = await fillFolder();
    const database = new DatabaseSync(path);
    try {
      database.exec("pragma journal_mode = delete; pragma cache_size = 1; begin immediate");
      database.exec("update jobs set status = 'LOST'; update ledger_accounts set balance = 1");
      database.exec("create table large as select randomblob(9000) as bytes from jobs, jobs, jobs");
      for (const suffix of ["", "-journal"]) copyFileSync(path + suffix, `${path}${suffix}.kept`);
    } finally {
      database.close();
    }
    for (const suffix of ["", "-journal"]) renameSync(`${path}${suffix}.kept`, path + suffix);
    await using service = await serving({ folder });
    expect(service.service.apiKey).toBe(apiKey);
    expect((await ketbookHere("check", "--data", folder)).code).toBe(0);
  });

  test("left half-made by a start that was killed, it is made anew", async () => {
    writeFileSync(`${path}.new`, "");
    await using service = await serving({ folder });
    expect((await service.submit()).status).toBe("INITIALIZING");
  });
});

function overwrite(from: number, to: number): void {
  const bytes = readFileSync(path);
  writeFileSync(path, bytes.fill(0xa5, from, to));
}

function replaceByOther(): void {
  rmSync(path);
  change("create table notes (text text)");
}

function change(sql: string): void {
  const database = new DatabaseSync(path);
  database.exec(sql);
  database.close();
}
