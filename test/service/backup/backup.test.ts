import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  copyFileSync,
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { beforeEach, describe, expect, test } from "vitest";
import { restoreStore } from "../../../src/service-cluster/backup.ts";
import { newFolder } from "../../folder.ts";
import { ketbookHere } from "../command-line.ts";
import { ketbook, servingProcess } from "../process.ts";
import { caller, serving } from "../serving.ts";

let folder: string;
let file: string;
beforeEach(() => {
  folder = newFolder();
  file = join(newFolder(), "backup.sqlite");
});

const backup = () => ketbookHere("backup", file, "--data", folder, "--json");
const restore = (target: string, ...args: string[]) =>
  ketbookHere("restore", file, "--data", target, ...args, "--json");

const made = { folder: newFolder(), file: join(newFolder(), "backup.sqlite"), apiKey: "" };

/** Makes the folder and the file copies of a store with two jobs, and of the backup of it while it was served. */
async function makeStore(): Promise<string> {
  if (made.apiKey === "") {
    await using service = await serving({ folder: made.folder });
    for (let at = 0; at < 2; at += 1) await service.ended((await service.submit()).jobQrn);
    expect((await ketbookHere("backup", made.file, "--data", made.folder)).code).toBe(0);
    made.apiKey = service.service.apiKey;
  }
  cpSync(made.folder, folder, { recursive: true });
  copyFileSync(made.file, file);
  return made.apiKey;
}

describe("a backup", () => {
  test("without documents of its jobs is restored, and not called whole", { timeout: 60_000 }, async () => {
    await makeStore();
    const database = new DatabaseSync(file);
    database.exec("delete from job_documents where kind = 'results' or job_seq = 1");
    database.close();
    const target = join(newFolder(), "data");
    const { code, stdout } = await ketbookHere("restore", file, "--data", target);
    expect([code, stdout]).toEqual([
      0,
      expect.stringMatching(
        /Its ledger balances, but it is not whole: 1 jobs lack their programs, such as \S+; 2 jobs lack their results/,
      ),
    ]);
    const checked = await ketbookHere("check", "--data", target);
    expect([checked.code, checked.stdout]).toEqual([
      1,
      expect.stringContaining("✗ 2 jobs lack their results"),
    ]);
  });

  test("is taken while the service takes and runs jobs, is whole, and holds every job accepted before", {
    timeout: 60_000,
  }, async () => {
    await using service = await servingProcess(folder);
    const { call, submit } = caller(service.url, service.apiKey);
    const accepted: string[] = [];
    let isOver = false;
    const load = Array.from({ length: 4 }, async () => {
      for (; !isOver; await sleep(10)) accepted.push((await submit()).jobQrn);
    });
    await expect.poll(() => accepted.length, { timeout: 20_000 }).toBeGreaterThan(20);
    const before = [...accepted];
    const { code, stdout } = await ketbook("backup", file, "--data", folder, "--json");
    isOver = true;
    await Promise.all(load);
    expect(code).toBe(0);
    expect(JSON.parse(stdout).jobs).toBeGreaterThanOrEqual(before.length);
    expect((await call("GET", "/jobs")).body.pagination.total).toBe(accepted.length);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(join(file, ".."))).toEqual(["backup.sqlite"]);
    expect(readFileSync(file).includes(service.apiKey)).toBe(false);

    const target = join(newFolder(), "data");
    expect((await ketbook("restore", file, "--data", target)).code).toBe(0);
    await using restored = await serving({ folder: target });
    for (const qrn of before) expect((await restored.ended(qrn)).status).toBe("COMPLETED");
    expect((await ketbookHere("check", "--data", target)).code).toBe(0);
    expect((await ketbookHere("audit", "--data", target)).stdout).toContain("store.restored");
  });

  test("removes the drafts of those that were killed, and no others", async () => {
    const killed = spawn(process.execPath, ["-e", ""]);
    await once(killed, "exit");
    const others = [
      `backup.sqlite.${process.ppid}.tmp`,
      `other.sqlite.${killed.pid}.tmp`,
      "backup.sqlite.tmp",
    ];
    const drafts = ["", "-wal", "-journal"].map(suffix => `backup.sqlite.${killed.pid}.tmp${suffix}`);
    for (const name of [...drafts, ...others]) writeFileSync(join(file, "..", name), "");
    await makeStore();
    rmSync(file);
    expect((await backup()).code).toBe(0);
    expect(readdirSync(join(file, "..")).sort()).toEqual(["backup.sqlite", ...others].sort());
  });

  test("never replaces a file, and needs a store that is whole", async () => {
    expect((await backup()).stderr).toContain(`There is no store in ${folder}`);
    expect(existsSync(file)).toBe(false);
    await makeStore();
    const before = readFileSync(file);
    expect(await backup()).toMatchObject({ code: 1, stderr: expect.stringContaining("already exists") });
    expect(readFileSync(file).equals(before)).toBe(true);
    const store = join(folder, "ketbook.sqlite");
    writeFileSync(store, readFileSync(store).fill(0xa5, 4096 * 4, 4096 * 7));
    const { code, stderr } = await ketbookHere("backup", `${file}.2`, "--data", folder);
    expect([code, stderr]).toEqual([1, expect.stringContaining("damaged")]);
    expect(readdirSync(join(file, ".."))).toEqual(["backup.sqlite"]);
  });
});

describe("a restore", () => {
  test("is refused on a folder that is served or has a store, and says how it can be done", async () => {
    await makeStore();
    const service = await serving({ folder });
    expect(await restore(folder, "--replace")).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/Another service runs on .*end that service/),
    });
    await service.service.stop();
    const store = readFileSync(join(folder, "ketbook.sqlite"));
    expect((await restore(folder)).stderr).toMatch(/already exists\. .*--replace/);
    expect(readFileSync(join(folder, "ketbook.sqlite")).equals(store)).toBe(true);
  });

  test("with --replace moves the store that is there aside, and the folder keeps its key", async () => {
    const apiKey = await makeStore();
    const later = await serving({ folder });
    const { jobQrn } = await later.submit();
    await later.service.stop();
    const { code, stdout } = await restore(folder, "--replace");
    expect(code).toBe(0);
    const { movedTo, hasOwnerKey } = JSON.parse(stdout);
    expect([existsSync(movedTo), hasOwnerKey]).toEqual([true, true]);
    await using service = await serving({ folder });
    expect(service.service.apiKey).toBe(apiKey);
    const { call } = service;
    expect((await call("GET", "/jobs")).body.pagination.total).toBe(2);
    expect((await call("GET", `/jobs/${jobQrn}`)).status).toBe(404);
  });

  test("puts a store back that is gone though its key is there, which a start refuses", async () => {
    const apiKey = await makeStore();
    for (const name of readdirSync(folder).filter(each => each.startsWith("ketbook.sqlite")))
      truncateSync(join(folder, name), 0);
    await expect(serving({ folder })).rejects.toThrow(/is empty/);
    expect((await restore(folder, "--replace")).code).toBe(0);
    await using service = await serving({ folder });
    expect(service.service.apiKey).toBe(apiKey);
  });

  test("of a file that is damaged, or no backup, leaves the folder without a store", async () => {
    await makeStore();
    const whole = readFileSync(file);
    const target = newFolder();
    for (const bytes of [
      Buffer.from(whole).fill(0xa5, 4096 * 4, 4096 * 7),
      whole.subarray(0, whole.length / 2),
      Buffer.from("no database"),
      Buffer.alloc(0),
    ]) {
      writeFileSync(file, bytes);
      await expect(restoreStore(file, target)).rejects.toThrow();
      expect(readdirSync(target).filter(name => name.startsWith("ketbook"))).toEqual([]);
    }
    expect((await restore(target)).code).toBe(1);
    expect((await ketbookHere("restore", "/nothing", "--data", target)).stderr).toContain("There is no file");
  });
});
