import fs, { copyFileSync, rmSync, statSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { storePath } from "../../../../src/service/node/sqlite/open.ts";
import { newFolder } from "../../../folder.ts";
import { serving } from "../../serving.ts";

/** How many of the next writes to the disk fail, as those to a device that breaks do. */
let failures = 0;
afterEach(() => {
  failures = 0;
});

const { fdatasync } = fs;

beforeAll(() => {
  fs.fdatasync = Object.assign((file: number, done: (error: Error | null) => void) => {
    if (failures <= 0) return fdatasync(file, done);
    failures -= 1;
    setImmediate(done, Object.assign(new Error("EIO: i/o error, fdatasync"), { code: "EIO" }));
  }, fdatasync);
  syncBuiltinESMExports();
});

afterAll(() => {
  fs.fdatasync = fdatasync;
  syncBuiltinESMExports();
});

test("a log that the disk refuses once is moved into the database before anything counts as durable", async () => {
  await using service = await serving();
  await service.ended((await service.submit()).jobQrn);
  const log = `${storePath(service.folder)}-wal`;
  expect(statSync(log).size).toBeGreaterThan(0);
  failures = 1;
  expect((await service.call("POST", "/jobs/group", {})).status).toBe(201);
  expect([failures, statSync(log).size]).toEqual([0, 0]);
});

test("where the disk takes neither, nothing is acknowledged and the service is not ready; what was committed continues", async () => {
  await using service = await serving();
  const reader = new DatabaseSync(storePath(service.folder));
  reader.exec("begin; select * from jobs");
  failures = Number.POSITIVE_INFINITY;
  const refused = await service.call("POST", "/jobs", {
    deviceQrn: "svc:svc:sim:statevector",
    shots: 10,
    program: { format: "qasm3", data: "OPENQASM 3.0; qubit q; bit c; c = measure q;" },
  });
  expect([refused.status, refused.body.error.code]).toEqual([503, "STORE_UNAVAILABLE"]);
  expect(refused.headers.get("retry-after")).toBeNull();
  expect(refused.body.message).toMatch(/may have been carried out/);
  expect((await fetch(new URL("/readyz", service.service.url))).status).toBe(503);
  expect((await fetch(new URL("/healthz", service.service.url))).status).toBe(200);
  expect(
    service.logged.some(({ fields }) => /uncertain whether the commit was saved/.test(String(fields.error))),
  ).toBe(true);
  reader.close();
  failures = 0;
  const [job] = (await service.call("GET", "/jobs")).body.data;
  expect((await service.ended(job.jobQrn)).status).toBe("COMPLETED");
  expect((await service.call("POST", "/jobs/group", {})).status).toBe(201);
});

test("a log that is deleted takes nothing more: nothing is acknowledged, and what was committed lasts", async () => {
  await using service = await serving();
  const { jobQrn } = await service.ended((await service.submit()).jobQrn);
  const path = storePath(service.folder);
  rmSync(`${path}-wal`);
  expect((await service.call("POST", "/jobs/group", {})).status).toBe(503);
  const copy = join(newFolder(), "copy.sqlite");
  copyFileSync(path, copy);
  const database = new DatabaseSync(copy);
  expect(database.prepare("select status from jobs where qrn = ?").get(jobQrn)).toEqual({
    status: "COMPLETED",
  });
  database.close();
});
