import { appendFileSync, cpSync, statSync, truncateSync } from "node:fs";
import { expect, test } from "vitest";
import { storePath } from "../../../../src/service/node/sqlite/open.ts";
import { newFolder } from "../../../folder.ts";
import { servingProcess } from "../../process.ts";
import { bellJob, caller, serving } from "../../serving.ts";

/** Submits jobs to a service that is killed at once, and returns its folder. */
async function leaveLog(): Promise<string> {
  const folder = newFolder();
  const killed = await servingProcess(folder, "--workers", "1");
  const { call } = caller(killed.url, killed.apiKey);
  for (let count = 0; count < 10; count += 1)
    expect((await call("POST", "/jobs", bellJob())).status).toBe(201);
  await killed.end("SIGKILL");
  return folder;
}

let left: Promise<string> | undefined;

/** Returns what a start logs of a store whose service was killed. */
async function startAfter(damage: (log: string) => void): Promise<{ errors: string[]; jobs: number }> {
  left ??= leaveLog();
  const folder = newFolder();
  cpSync(await left, folder, { recursive: true });
  damage(`${storePath(folder)}-wal`);
  await using service = await serving({ folder });
  const errors = service.logged
    .filter(({ event }) => event === "store")
    .map(({ fields }) => String(fields.error));
  return { errors, jobs: (await service.call("GET", "/jobs")).body.pagination.total };
}

test.each<[string, (log: string) => void]>([
  ["cut in half", log => truncateSync(log, statSync(log).size / 2)],
  ["cut between two pages", log => truncateSync(log, 32 + 4120 * Math.floor(statSync(log).size / 2 / 4120))],
])(
  "a write-ahead log that was %s is named at the next start, with what was lost",
  { timeout: 120_000 },
  async (_, damage) => {
    const { errors, jobs } = await startAfter(damage);
    expect(jobs).toBeLessThan(10);
    expect(errors).toEqual([
      expect.stringMatching(
        /^The write-ahead log .*ketbook\.sqlite-wal is cut or damaged: its last \d+ pages are lost/,
      ),
    ]);
  },
);

test.each<[string, (log: string) => void]>([
  ["whole", () => {}],
  ["followed by a page that was not written to its end", log => appendFileSync(log, Buffer.alloc(24, 7))],
])(
  "a write-ahead log that is %s loses nothing, and nothing is said",
  { timeout: 120_000 },
  async (_, damage) => {
    expect(await startAfter(damage)).toEqual({ errors: [], jobs: 10 });
  },
);

test("a write-ahead log is moved into the database soon after the last write", {
  timeout: 60_000,
}, async () => {
  await using service = await serving();
  expect((await service.call("POST", "/jobs/group", {})).status).toBe(201);
  const log = `${storePath(service.folder)}-wal`;
  expect(statSync(log).size).toBeGreaterThan(0);
  await expect.poll(() => statSync(log).size, { timeout: 30_000 }).toBe(0);
});
