import { readdirSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { auditLedger } from "../../../src/service/billing/ledger.ts";
import { newFolder } from "../../folder.ts";
import { ketbookHere } from "../command-line.ts";
import { servingProcess } from "../process.ts";
import { bell, caller, type Serving, serving } from "../serving.ts";
import { canMount, mountSmallDisk } from "../store/sqlite/small-disk.ts";

const check = async (folder: string) => {
  const { code, stdout } = await ketbookHere("check", "--data", folder, "--json");
  return { code, ...(JSON.parse(stdout) as { ok: boolean; problems: string[] }) };
};

describe("ketbook check", () => {
  test("finds a store whole, while it is served and afterwards", async () => {
    const folder = newFolder();
    const service = await serving({ folder });
    await service.ended((await service.submit({ program: [bell, bell] })).jobQrn);
    await service.submit();
    expect(await check(folder)).toEqual({ code: 0, ok: true, problems: [] });
    await service.service.stop();
    const before = readFileSync(join(folder, "ketbook.sqlite"));
    expect(await check(folder)).toEqual({ code: 0, ok: true, problems: [] });
    expect(readFileSync(join(folder, "ketbook.sqlite")).equals(before)).toBe(true);
  });

  test.skipIf(!canMount)(
    "finds a store whole on a disk that takes no writes, with a log or without",
    async () => {
      using disk = mountSmallDisk(64)!;
      for (const isKilled of [false, true]) {
        if (isKilled) {
          await using service = await servingProcess(disk.folder);
          const { submit, ended } = caller(service.url, service.apiKey);
          await ended((await submit()).jobQrn);
          await service.end("SIGKILL");
        } else {
          await using service = await serving({ folder: disk.folder });
          await service.ended((await service.submit()).jobQrn);
        }
        const files = readdirSync(disk.folder);
        expect(files.includes("ketbook.sqlite-wal")).toBe(isKilled);
        disk.setReadOnly(true);
        expect(await check(disk.folder)).toEqual({ code: 0, ok: true, problems: [] });
        disk.setReadOnly(false);
        expect(readdirSync(disk.folder)).toEqual(files);
      }
    },
  );

  test("says what is damaged, empty or not there, and makes nothing", async () => {
    const folder = newFolder();
    const path = join(folder, "ketbook.sqlite");
    expect(await check(folder)).toMatchObject({ code: 1, problems: [`There is no store in ${folder}.`] });
    await (await serving({ folder })).service.stop();
    writeFileSync(path, readFileSync(path).fill(0xa5, 4096 * 4, 4096 * 7));
    expect(await check(folder)).toMatchObject({ code: 1, ok: false });
    truncateSync(path, 0);
    expect((await check(folder)).problems).toEqual([`${path} is empty: what was in it is lost.`]);
  });

  test("finds what a start does not look for, tables that are others, and triggers that are not its own", async () => {
    const folder = newFolder();
    const service = await serving({ folder });
    await service.ended((await service.submit()).jobQrn);
    await service.service.stop();
    const database = new DatabaseSync(join(folder, "ketbook.sqlite"), { enableForeignKeyConstraints: false });
    database.exec("delete from users; update jobs set tags_json = '{'");
    expect(await check(folder)).toMatchObject({
      code: 1,
      problems: expect.arrayContaining([
        "row 1 of jobs refers to a row that users lacks",
        "1 values of tags_json in jobs are no JSON",
      ]),
    });
    database.exec("alter table jobs drop column figures_json; drop index jobs_listed");
    database.exec(
      "create trigger gift after insert on jobs begin update ledger_accounts set balance = 1; end",
    );
    database.close();
    expect((await check(folder)).problems).toEqual([
      "the table jobs is not as it should be",
      "the index jobs_listed is missing",
      "the trigger gift is not Ketbook's",
    ]);
  });
});

describe("the audit of the ledger", () => {
  let service: Serving;
  beforeAll(async () => {
    service = await serving();
    await service.ended((await service.submit()).jobQrn);
    await service.submit({ program: { format: "qasm3", data: "no program" } });
  });
  afterAll(() => service[Symbol.asyncDispose]());

  test.each([
    [
      "a balance",
      "update ledger_accounts set balance = balance + 1 where id like 'org%'",
      /the balance of organ/,
    ],
    [
      "a posting",
      "update ledger_postings set amount = amount - 5 where seq = 1",
      /the postings of grant:.*sum to/,
    ],
    ["a posting less", "delete from ledger_postings where seq = 2", /the postings of grant/],
    [
      "an account less",
      "delete from ledger_accounts where id = 'revenue'",
      /"?revenue"?, which is not an account/,
    ],
    ["a hold left pending", "update ledger_holds set state = 'pending'", /the hold of the job/],
    ["a job without its hold", "delete from ledger_holds", /the hold of the job/],
    [
      "a job's cost",
      "update jobs set cost = cost + 1000000 where cost > 0",
      /cost 1\.375 credits, and was charged 0\.375/,
    ],
  ])("finds what is wrong with %s", async (_, change, said) => {
    await expect.poll(() => auditLedger(service.store)).toEqual([]);
    const database = new DatabaseSync(join(service.folder, "ketbook.sqlite"), {
      timeout: 2000,
      enableForeignKeyConstraints: false,
    });
    const tables = ["ledger_accounts", "ledger_postings", "ledger_holds", "jobs"];
    for (const table of tables) database.exec(`create table kept_${table} as select * from ${table}`);
    try {
      database.exec(change);
      expect((await auditLedger(service.store)).join("\n")).toMatch(said);
    } finally {
      for (const table of tables) {
        database.exec(
          `delete from ${table}; insert into ${table} select * from kept_${table}; drop table kept_${table}`,
        );
      }
      database.close();
    }
  });
});
