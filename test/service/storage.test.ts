import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { auditLedger } from "../../src/service/billing/audit.ts";
import { newFolder } from "./folder.ts";
import { servingProcess } from "./process.ts";
import { bell, bellJob, caller, type Serving, serving, statevector } from "./serving.ts";
import { canMount, lockStore, mountSmallDisk } from "./storage.ts";

/** A program that runs for some seconds. */
const long = {
  format: "qasm3",
  data: 'OPENQASM 3.0;\ninclude "stdgates.inc";\nqubit[20] q;\nbit c;\nfor int i in [0:150] { h q; t q; }\nc = measure q[0];',
};

/** A program that takes some pages of a store. */
const large = { ...bell, data: `${bell.data} //${"x".repeat(10_000)}` };

const ready = async ({ url }: { url: string }) => {
  const answer = await fetch(new URL("/readyz", url));
  return { status: answer.status, code: ((await answer.json()) as { error?: { code: string } }).error?.code };
};

/** Lets the store of a service grow no further, as a full disk does. */
const fill = ({ store }: Serving) => sql`pragma max_page_count = 1`.execute(store);

const free = ({ store }: Serving) => sql`pragma max_page_count = 1000000`.execute(store);

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

describe("a store that another process has locked", () => {
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
    await expect.poll(() => ready(service.service)).toEqual({ status: 200, code: undefined });
  });

  test("at the step to RUNNING, and for longer than ten seconds, delays a job and ends nothing", {
    timeout: 60_000,
  }, async () => {
    const folder = newFolder();
    await using service = await servingProcess(folder);
    const { submit, ended } = caller(service.url, service.apiKey);
    await ended((await submit()).jobQrn);
    const jobs = [await submit({ program: long }), await submit({ program: long }), await submit()];
    await using lock = await lockStore(folder);
    await sleep(11_000);
    expect(service.child.exitCode).toBeNull();
    await lock.release();
    for (const { jobQrn } of jobs) expect((await ended(jobQrn)).status).toBe("COMPLETED");
    expect((await ended((await submit()).jobQrn)).status).toBe("COMPLETED");
  });
});

test("a job that the store has running and nobody runs is run", async () => {
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

describe.runIf(canMount)("a disk", () => {
  test("that is full for five seconds while jobs run loses none, and the idle service ends", {
    timeout: 90_000,
  }, async () => {
    using disk = mountSmallDisk(8)!;
    await using service = await servingProcess(disk.folder, "--idle-exit", "2");
    const { call, submit, ended } = caller(service.url, service.apiKey);
    await ended((await submit()).jobQrn);
    const jobs = [await submit({ program: long }), await submit({ program: long })];
    for (const { jobQrn } of jobs) await ended(jobQrn, "RUNNING");
    disk.fill();
    const codes = new Set<string>();
    for (const end = performance.now() + 5000; performance.now() < end; ) {
      const { status, body } = await call("POST", "/jobs", bellJob({ program: large }));
      codes.add(status === 201 ? "201" : body.error.code);
      if (status === 201) jobs.push(body.data);
      await sleep(50);
    }
    expect([...codes].filter(code => !["201", "STORAGE_FULL", "STORE_UNAVAILABLE"].includes(code))).toEqual(
      [],
    );
    expect(codes).toContain("STORAGE_FULL");
    expect((await ready(service)).status).not.toBe(500);
    disk.free();
    for (const { jobQrn } of jobs) expect((await ended(jobQrn)).status).toBe("COMPLETED");
    expect(await service.exited).toBe(0);
  });
});
