import { rmSync, statSync } from "node:fs";
import { availableParallelism } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { auditLedger } from "../../../../src/service/billing/ledger.ts";
import { storePath } from "../../../../src/service/node/sqlite/open.ts";
import { newFolder } from "../../../folder.ts";
import { servingProcess } from "../../process.ts";
import { bell, bellJob, caller, serving, statevector } from "../../serving.ts";
import { lockStore } from "./small-disk.ts";
import { attemptsOf, fill, free, large, long, ready, until } from "./storage-faults.ts";

describe("a store that is full", () => {
  test("is answered with 507 and when to try again, is not ready, and is logged; what it holds can be read", async () => {
    await using service = await serving();
    const { jobQrn } = await service.ended((await service.submit()).jobQrn);
    await fill(service);
    const refused = await service.call("POST", "/jobs", bellJob({ program: large }));
    expect([refused.status, refused.body.error.code]).toEqual([507, "STORAGE_FULL"]);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    const entry = service.logged.find(({ fields }) => fields.requestId === refused.body.requestId);
    expect(entry?.fields.error).toMatch(/database or disk is full/);
    expect((await service.call("GET", `/jobs/${jobQrn}/result`)).status).toBe(200);
    expect((await fetch(new URL("/healthz", service.service.url))).status).toBe(200);
    await free(service);
    expect((await service.ended((await service.submit()).jobQrn)).status).toBe("COMPLETED");
    expect(await auditLedger(service.store)).toEqual([]);
  });

  test("keeps no outcome from being written once there is room: jobs that ran meanwhile complete", async () => {
    await using service = await serving();
    const withLargeResult = { program: long, shots: 5000, runtimeOptions: { memory: true } };
    const jobs = [await service.submit(withLargeResult), await service.submit(withLargeResult)];
    for (const { jobQrn } of jobs) await service.ended(jobQrn, "RUNNING");
    await fill(service);
    while (!service.logged.some(({ event }) => event === "run")) await sleep(50);
    await sleep(1500);
    await free(service);
    for (const { jobQrn } of jobs) {
      const job = await service.ended(jobQrn);
      expect(job).toMatchObject({ status: "COMPLETED", statusMsg: null });
      expect((await service.call("GET", `/jobs/${jobQrn}/result`)).status).toBe(200);
    }
    expect(await auditLedger(service.store)).toEqual([]);
  });
});

// From here on, tests that wait far more than they work run side by side.
describe.concurrent("a store that another process has locked", () => {
  test("is answered with 503, while what is read is answered at once, and the service is not ready", async () => {
    await using service = await serving();
    await using lock = await lockStore(service.folder);
    let isAnswered = false;
    const submission = service.call("POST", "/jobs", bellJob()).finally(() => {
      isAnswered = true;
    });
    expect((await service.call("GET", `/devices/${statevector}`)).status).toBe(200);
    expect((await service.call("GET", "/jobs")).status).toBe(200);
    expect(isAnswered).toBe(false);
    expect(await ready(service.service)).toEqual({ status: 503, code: "STORE_UNAVAILABLE" });
    const { status, headers, body } = await submission;
    expect([status, body.error.code]).toEqual([503, "STORE_UNAVAILABLE"]);
    expect(headers.get("retry-after")).toMatch(/^\d+$/);
    await lock.release();
    expect((await service.ended((await service.submit()).jobQrn)).status).toBe("COMPLETED");
    await until(async () => (await ready(service.service)).status === 200);
  });

  test("at the step to RUNNING, and for longer than ten seconds, delays a job and ends nothing", {
    timeout: 60_000,
  }, async () => {
    await using service = await serving();
    const { submit, ended } = service;
    await ended((await submit()).jobQrn);
    const jobs = [await submit({ program: long }), await submit({ program: long }), await submit()];
    await using lock = await lockStore(service.folder);
    await sleep(11_000);
    await lock.release();
    for (const { jobQrn } of jobs) expect((await ended(jobQrn)).status).toBe("COMPLETED");
    expect((await ended((await submit()).jobQrn)).status).toBe("COMPLETED");
  });
});

test.concurrent("a job that the store has running and nobody runs is run", async () => {
  await using service = await serving();
  const { jobQrn } = await service.ended((await service.submit()).jobQrn);
  await service.store
    .updateTable("jobs")
    .set({ status: "RUNNING", ended_at: null, cost: null })
    .where("qrn", "=", jobQrn)
    .execute();
  await sql`delete from job_documents where kind <> 'programs'`.execute(service.store);
  expect((await service.ended(jobQrn)).status).toBe("COMPLETED");
});

test.concurrent("a job that the store has waiting and the queue lacks is run", async () => {
  await using service = await serving();
  const { jobQrn } = await service.ended((await service.submit()).jobQrn);
  await sql`delete from job_documents where kind <> 'programs'`.execute(service.store);
  await service.store
    .updateTable("jobs")
    .set({ status: "QUEUED", ended_at: null, cost: null })
    .where("qrn", "=", jobQrn)
    .execute();
  expect((await service.ended(jobQrn)).status).toBe("COMPLETED");
});

test.concurrent("jobs whose claim fails on a locked store wait again, and are claimed once it is free", {
  timeout: 60_000,
}, async () => {
  await using service = await serving();
  const slots = Array.from({ length: availableParallelism() }, () => service.submit({ program: long }));
  for (const { jobQrn } of await Promise.all(slots)) await service.ended(jobQrn, "RUNNING");
  const waiting = [await service.submit(), await service.submit()];
  await using lock = await lockStore(service.folder);
  await until(() => service.logged.some(({ event }) => event === "dispatch"));
  await lock.release();
  for (const { jobQrn } of waiting) expect((await service.ended(jobQrn)).status).toBe("COMPLETED");
  expect(await attemptsOf(service)).toEqual(new Set([1]));
  expect(await auditLedger(service.store)).toEqual([]);
});

test("a data folder that was deleted takes no jobs, which would be lost with it, and the service still ends", async () => {
  const folder = newFolder();
  await using service = await servingProcess(folder);
  const { call, submit, ended } = caller(service.url, service.apiKey);
  await ended((await submit()).jobQrn);
  rmSync(folder, { recursive: true });
  const refused = await call("POST", "/jobs", bellJob());
  expect([refused.status, refused.body.error.code]).toEqual([503, "STORE_UNAVAILABLE"]);
  expect(await ready(service)).toEqual({ status: 503, code: "STORE_UNAVAILABLE" });
  expect((await fetch(new URL("/healthz", service.url))).status).toBe(200);
  await using fresh = await serving({ folder });
  expect((await call("POST", "/jobs", bellJob())).status).toBe(503);
  await fresh.ended((await fresh.submit()).jobQrn);
  expect(await service.end()).toBe(0);
  expect((await fresh.call("GET", "/jobs")).body.pagination.total).toBe(1);
});

test("the write-ahead log is bounded, however much is written", async () => {
  await using service = await serving();
  const program = { ...bell, data: `${bell.data} //${"x".repeat(1_000_000)}` };
  const logSize = () => statSync(`${storePath(service.folder)}-wal`).size;
  const sizes: number[] = [];
  for (let count = 0; count < 32; count += 1) {
    await service.submit({ program });
    sizes.push(logSize());
  }
  expect(Math.max(...sizes)).toBeLessThan(20e6);
  expect(statSync(storePath(service.folder)).size).toBeGreaterThan(20e6);
});
