import { existsSync } from "node:fs";
import { availableParallelism } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { auditLedger } from "../../../../src/service/billing/ledger.ts";
import { storePath } from "../../../../src/service/node/sqlite/open.ts";
import { explainStorageError } from "../../../../src/service/storage-errors.ts";
import { ketbookHere } from "../../command-line.ts";
import { ketbook, servingProcess } from "../../process.ts";
import { bellJob, caller, type Serving, serving } from "../../serving.ts";
import { canMount, mountSmallDisk } from "./small-disk.ts";
import { attemptsOf, large, long, ready, until } from "./storage-faults.ts";

// The tests wait far more than they work.
describe.runIf(canMount).concurrent("a disk", () => {
  test("that is full when jobs are to be claimed lets them wait, and each runs once", {
    timeout: 60_000,
  }, async () => {
    using disk = mountSmallDisk(8)!;
    await using service = await serving({ folder: disk.folder });
    const slots = Array.from({ length: availableParallelism() }, () => service.submit({ program: long }));
    const jobs = await Promise.all(slots);
    for (const { jobQrn } of jobs) await service.ended(jobQrn, "RUNNING");
    for (let at = 0; at < 20; at += 1) jobs.push(await service.submit());
    disk.fill();
    const isFull = ({ event, fields }: Serving["logged"][number]) =>
      event === "dispatch" && /full/.test(String(fields.error));
    await until(() => service.logged.some(isFull));
    disk.free();
    for (const { jobQrn } of jobs) expect((await service.ended(jobQrn)).status).toBe("COMPLETED");
    expect(await attemptsOf(service)).toEqual(new Set([1]));
    expect(await auditLedger(service.store)).toEqual([]);
  });

  test("that stays full is answered with 507; the outcome of its job is kept until there is room", {
    timeout: 90_000,
  }, async () => {
    using disk = mountSmallDisk(8)!;
    await using service = await servingProcess(disk.folder, "--idle-exit", "3");
    const { call, submit, ended } = caller(service.url, service.apiKey);
    // A single job: once another has ended, its room in the log may take the outcome.
    const loop = "for int i in [0:4000] { h q; t q; cz q[0:10], q[1:11]; }";
    const data = `OPENQASM 3.0;\ninclude "stdgates.inc";\nqubit[12] q;\nbit[12] c;\n${loop}\nc = measure q;`;
    const runtimeOptions = { memory: true };
    const { jobQrn } = await submit({ program: { ...long, data }, shots: 100_000, runtimeOptions });
    await ended(jobQrn, "RUNNING");
    disk.fill();
    await until(async () => (await call("POST", "/jobs", bellJob({ program: large }))).status === 507);
    const { status, headers, body } = await call("POST", "/jobs", bellJob({ program: large }));
    expect([status, body.error.code]).toEqual([507, "STORAGE_FULL"]);
    expect(headers.get("retry-after")).toMatch(/^\d+$/);
    await sleep(12_000);
    expect(service.child.exitCode).toBeNull();
    expect((await call("GET", `/jobs/${jobQrn}`)).body.data.status).toBe("RUNNING");
    disk.free();
    expect((await ended(jobQrn)).status).toBe("COMPLETED");
    expect((await call("GET", `/jobs/${jobQrn}/result`)).status).toBe(200);
    expect(await service.exited).toBe(0);
  });

  test("that is full when the service is told to stop lets it end, says so at the next start, and the jobs run once there is room", {
    timeout: 90_000,
  }, async () => {
    using disk = mountSmallDisk(8)!;
    const jobs: string[] = [];
    const program = { ...long, data: long.data.replace("2000", "800") };
    {
      await using service = await servingProcess(disk.folder);
      const { submit, ended } = caller(service.url, service.apiKey);
      for (let at = 0; at < 3; at += 1) jobs.push((await submit({ program, shots: 5000 })).jobQrn);
      await ended(jobs[0]!, "RUNNING");
      disk.fill();
      await sleep(500);
      expect(await service.end("SIGTERM")).toBe(0);
    }
    disk.fill();
    const { code, stderr } = await ketbook("serve", "--port", "0", "--data", disk.folder);
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^ketbook serve: The disk of .* is full/)]);
    disk.free();
    await using service = await servingProcess(disk.folder);
    const { ended } = caller(service.url, service.apiKey);
    for (const jobQrn of jobs) expect((await ended(jobQrn)).status).toBe("COMPLETED");
    await service.end();
    expect((await ketbookHere("check", "--data", disk.folder)).code).toBe(0);
  });

  test("that is nearly full at the first start leaves no half of a store behind", {
    timeout: 60_000,
  }, async () => {
    using disk = mountSmallDisk(4)!;
    for (const kibibytes of [100, 600, 700]) {
      disk.fill(kibibytes * 1024);
      const error = await serving({ folder: disk.folder }).catch(error => error);
      expect(explainStorageError(error, disk.folder)).toMatch(/^The disk of .* is full/);
      expect(existsSync(storePath(disk.folder))).toBe(false);
      disk.free();
    }
    await using service = await serving({ folder: disk.folder });
    expect((await service.ended((await service.submit()).jobQrn)).status).toBe("COMPLETED");
  });

  test("that is full for five seconds while jobs run loses none, and that is full for good keeps no idle service alive", {
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
      await sleep(100);
    }
    expect([...codes].filter(code => !["201", "STORAGE_FULL", "STORE_UNAVAILABLE"].includes(code))).toEqual(
      [],
    );
    expect(codes).toContain("STORAGE_FULL");
    expect((await ready(service)).status).not.toBe(500);
    disk.free();
    for (const { jobQrn } of jobs) expect((await ended(jobQrn)).status).toBe("COMPLETED");
    disk.fill();
    expect(await service.exited).toBe(0);
  });
});
