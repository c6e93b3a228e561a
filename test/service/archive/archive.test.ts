import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import fc from "fast-check";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { openStoreFile, storePath } from "../../../src/service/node/sqlite/open.ts";
import { StoreError } from "../../../src/service/storage-errors.ts";
import { STORE_VERSION } from "../../../src/service/store/tables.ts";
import { exportFolder, importIntoFolder } from "../../../src/service-cluster/archives.ts";
import { newFolder } from "../folder.ts";
import { serving } from "../serving.ts";

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const files = newFolder();
const path = join(files, "archive");
let lines: string[];
let names: string[];

const unsigned = () => lines.filter(line => !line.startsWith('{"sha256":'));

/** Signs lines as one block. */
function signed(block: string[]): string[] {
  const text = block.map(line => `${line}\n`).join("");
  return [...block, JSON.stringify({ sha256: createHash("sha256").update(text).digest("hex") })];
}

async function jobNames(folder: string): Promise<string[]> {
  const store = openStoreFile(storePath(folder));
  const rows = await store.selectFrom("jobs").select("qrn").orderBy("seq").execute();
  await store.destroy();
  return rows.map(({ qrn }) => qrn);
}

beforeAll(async () => {
  const folder = newFolder();
  const service = await serving({ folder });
  for (let count = 0; count < 3; count += 1)
    await service.submit({ name: `job ${count} ${"x".repeat(200)}` });
  const [{ jobQrn }] = (await service.call("GET", "/jobs")).body.data;
  await service.ended(jobQrn);
  await service.service.stop();
  const store = openStoreFile(storePath(folder));
  const row = { key: "note", type: "string", job_seq: 1, user_id: 1 };
  const many = Array.from({ length: 2000 }, (_, index) => ({ ...row, value: `${index} ${"é".repeat(100)}` }));
  for (let start = 0; start < many.length; start += 500)
    await store
      .insertInto("job_tags")
      .values(many.slice(start, start + 500))
      .execute();
  await store.destroy();
  await exportFolder(folder, path);
  names = await jobNames(folder);
  lines = gunzipSync(readFileSync(path)).toString("utf8").split("\n").slice(0, -1);
});

let tries = 0;
/** Tries to import bytes, and returns the folder that has them now. Fails where anything is left of an import that failed. */
async function importBytes(bytes: Uint8Array): Promise<string> {
  const folder = join(files, String(++tries));
  writeFileSync(`${folder}.gz`, bytes);
  await importIntoFolder(`${folder}.gz`, folder).catch(error => {
    expect(error).toBeInstanceOf(StoreError);
    for (const suffix of ["", "-wal", ".new"])
      expect(existsSync(`${storePath(folder)}${suffix}`)).toBe(false);
    throw error;
  });
  return folder;
}

const importLines = (changed: readonly string[]) =>
  importBytes(gzipSync(changed.map(line => `${line}\n`).join("")));

describe("an archive", () => {
  test("is imported as it was exported", async () => {
    expect(lines.filter(line => line.startsWith('{"sha256":')).length).toBeGreaterThan(3);
    expect(await jobNames(await importLines(lines))).toEqual(names);
  });

  test("is refused, and leaves nothing, wherever it is cut off", async () => {
    const whole = readFileSync(path);
    await fc.assert(
      fc.asyncProperty(fc.nat(whole.length - 1), async end => {
        await expect(importBytes(whole.subarray(0, end))).rejects.toThrow(StoreError);
      }),
      { numRuns: 25 },
    );
    await fc.assert(
      fc.asyncProperty(fc.nat(lines.length - 1), async end => {
        await expect(importLines(lines.slice(0, end))).rejects.toThrow(StoreError);
      }),
      { numRuns: 25 },
    );
  });

  test("is refused, or read as it was, whichever byte is another", async () => {
    const whole = readFileSync(path);
    await fc.assert(
      fc.asyncProperty(fc.nat(whole.length - 1), fc.integer({ min: 1, max: 255 }), async (at, change) => {
        const changed = Uint8Array.from(whole);
        changed[at]! ^= change;
        const folder = await importBytes(changed).catch(() => undefined);
        if (folder) expect(await jobNames(folder)).toEqual(names);
      }),
      { numRuns: 40 },
    );
  });

  test("is refused where a line is missing, added, changed or elsewhere", async () => {
    const isRow = (line: string) => line.startsWith("[");
    const first = lines.findIndex(isRow);
    const last = lines.findLastIndex(isRow);
    const blocks = lines.flatMap((line, at) => (line.startsWith('{"sha256":') ? [at + 1] : []));
    const swapped = [
      ...lines.slice(0, blocks[0]),
      ...lines.slice(blocks[1], blocks[2]),
      ...lines.slice(blocks[0], blocks[1]),
      ...lines.slice(blocks[2]),
    ];
    for (const changed of [
      lines.toSpliced(first, 1),
      lines.toSpliced(last, 0, lines[last]!),
      lines.with(
        last,
        lines[last]!.replace(/\d/, digit => String((Number(digit) + 1) % 10)),
      ),
      swapped,
      lines.toSpliced(blocks[0]!, blocks[1]! - blocks[0]!),
      [...lines, ...lines.slice(-2)],
    ])
      await expect(importLines(changed)).rejects.toThrow(/The archive is damaged/);
  });

  test.each([
    [{ version: 3 }, "newer Ketbook"],
    [{ storeVersion: STORE_VERSION + 1 }, "newer Ketbook"],
    [{ storeVersion: STORE_VERSION - 1 }, "older Ketbook"],
    [{ storeVersion: 0 }, "its versions are none"],
    [{ version: "1" }, "its versions are none"],
    [{ format: "other" }, "not made by ketbook export"],
  ])("with %o in its first line is refused", async (change, message) => {
    const [first, ...rest] = unsigned();
    const header = JSON.stringify({ ...JSON.parse(first!), ...change });
    await expect(importLines(signed([header, ...rest]))).rejects.toThrow(message);
  });

  test.each([
    ["created_at", 1e300],
    ["created_at", 9e15],
    ["created_at", "yesterday"],
    ["shots", 0.5],
    ["name", 1],
    ["tags_json", "{"],
  ])("with %s = %o in a job is refused", async (column, value) => {
    const changed = unsigned();
    const at = changed.findIndex(line => line.startsWith('{"table":"jobs"'));
    const row = JSON.parse(changed[at + 1]!);
    row[JSON.parse(changed[at]!).columns.indexOf(column)] = value;
    await expect(importLines(signed(changed.with(at + 1, JSON.stringify(row))))).rejects.toThrow(
      `a row of jobs has no right ${column}`,
    );
  });

  test("without a number of rows at its end is refused", async () => {
    await expect(importLines(signed(unsigned().with(-1, '{"rows":null}')))).rejects.toThrow("damaged");
  });

  test("that is no file of ketbook's is refused", async () => {
    await expect(importBytes(Buffer.from("not an archive"))).rejects.toThrow("can't be unpacked");
    await expect(importBytes(gzipSync("{}\n"))).rejects.toThrow("is cut off");
    await expect(importIntoFolder(join(files, "none"), join(files, "target"))).rejects.toThrow(
      "There is no file",
    );
  });
});
