import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { openStoreOf } from "../../../src/service/node/sqlite/open.ts";
import { backUpStore, restoreStore } from "../../../src/service-cluster/backup.ts";
import { compile, simulate } from "../../../src/simulation/index.ts";
import { newFolder } from "../../folder.ts";
import { unavailable } from "../../front-ends/available.ts";
import { closePages } from "../../front-ends/browser.ts";
import { serving } from "../../service/serving.ts";
import { openPage, type ServiceSite, serveSite } from "./site.ts";

const RANDOM = `OPENQASM 3.0; include "stdgates.inc"; qubit[14] q; bit[14] c;
for int i in [0:13] { h q[i]; rz(0.3 * i) q[i]; }
for int i in [0:12] { cx q[i], q[i + 1]; ry(0.7) q[i]; }
c = measure q;`;
const BELL = `OPENQASM 3.0; include "stdgates.inc"; qubit[2] q; bit[2] c; h q[0]; cx q[0], q[1]; c = measure q;`;

const job = (data: string, seed: number, options = {}) => ({
  name: "a job",
  deviceQrn: "svc:svc:sim:statevector",
  shots: 1000,
  program: { format: "qasm3", data },
  runtimeOptions: { seed },
  ...options,
});

describe.skipIf(unavailable("chromium")).for([
  ["without cross-origin isolation", false],
  ["with cross-origin isolation", true],
] as const)("the service in a page %s", ([, isIsolated]) => {
  let site: ServiceSite;

  beforeAll(async () => {
    site = await serveSite({ isIsolated });
  }, 120_000);
  afterEach(closePages);
  afterAll(() => site?.close());

  test("runs jobs with the counts that Node finds for the same seed, and charges them", {
    timeout: 120_000,
  }, async () => {
    const page = await openPage(site.url);
    for (const [program, seed, precision] of [
      [BELL, 7, undefined],
      [RANDOM, 11, undefined],
      [RANDOM, 11, "reproducible"],
    ] as const) {
      const found = await page.evaluate(
        async body => {
          const before = (await ketbook.send("GET", "/billing/credits/balance")).body.data.svcCredits;
          const record = await ketbook.run(body);
          const result = await ketbook.send("GET", `/jobs/${encodeURIComponent(record.jobQrn)}/result`);
          const after = (await ketbook.send("GET", "/billing/credits/balance")).body.data.svcCredits;
          return { record, counts: result.body.data.resultData.measurementCounts, spent: before - after };
        },
        job(program, seed, precision && { runtimeOptions: { seed, precision } }),
      );
      const inNode = simulate(compile({ format: "qasm3", data: program }), {
        shots: 1000,
        seed,
        ...(precision && { precision }),
      });
      expect(found.record.status).toBe("COMPLETED");
      expect(found.counts).toEqual(inNode.measurementCounts);
      expect(found.spent).toBeCloseTo(found.record.cost, 6);
    }
  });

  test("shares the work of a large program with a thread where memory may be shared, and finds the same counts", {
    timeout: 120_000,
  }, async () => {
    const page = await openPage(site.url);
    const program = RANDOM.replaceAll("14", "20").replaceAll("13", "19").replaceAll("12", "18");
    const { cores, counts } = await page.evaluate(
      async body => {
        const { jobQrn } = await ketbook.run(body);
        const { data } = (await ketbook.send("GET", `/jobs/${encodeURIComponent(jobQrn)}/result`)).body;
        return { cores: navigator.hardwareConcurrency, counts: data.resultData.measurementCounts };
      },
      job(program, 12, { runtimeOptions: { seed: 12, precision: "reproducible" } }),
    );
    const circuit = compile({ format: "qasm3", data: program });
    const inNode = simulate(circuit, {
      method: "statevector",
      shots: 1000,
      seed: 12,
      precision: "reproducible",
    });
    expect(counts).toEqual(inNode.measurementCounts);
    await expect.poll(() => site.requested.includes("/simulation-thread.js")).toBe(isIsolated && cores > 1);
  });

  test("cancels a job that would run for longer than anybody waits", { timeout: 120_000 }, async () => {
    const page = await openPage(site.url);
    const status = await page.evaluate(
      async body => {
        const created = await ketbook.send("POST", "/jobs", { body });
        const path = `/jobs/${encodeURIComponent(created.body.data.jobQrn)}`;
        const until = async (test: (status: string) => boolean) => {
          for (;;) {
            const { status } = (await ketbook.send("GET", path)).body.data;
            if (test(status)) return status;
            await new Promise(resolve => setTimeout(resolve, 20));
          }
        };
        await until(status => status === "RUNNING");
        await ketbook.send("POST", `${path}/cancel`);
        return until(status => !["RUNNING", "CANCELLING"].includes(status));
      },
      job("OPENQASM 3.0; qubit q; bit c; uint i = 0; while (i < 90000000) { i += 1; } c = measure q;", 1),
    );
    expect(status).toBe("CANCELLED");
  });
});

describe.skipIf(unavailable("chromium"))("the service in a page", () => {
  let site: ServiceSite;

  beforeAll(async () => {
    site = await serveSite();
  }, 120_000);
  afterEach(closePages);
  afterAll(() => site?.close());

  test("runs emulated QPUs, draws programs, refuses what is wrong, and lists what there is", {
    timeout: 120_000,
  }, async () => {
    const page = await openPage(site.url);
    const found = await page.evaluate(
      async bell => {
        const device = await ketbook.send("GET", "/devices");
        const qpu = await ketbook.run({ ...bell, deviceQrn: "ibm:emulated:qpu:perth" });
        const ascii = await ketbook.send("GET", `/jobs/${encodeURIComponent(qpu.jobQrn)}/program/ascii`);
        const wrong = await ketbook.run({
          ...bell,
          program: { format: "qasm3", data: "OPENQASM 3.0; qbit q;" },
        });
        const refused = await ketbook.send("POST", "/jobs", { body: { ...bell, shots: -1 } });
        const jobs = await ketbook.send("GET", "/jobs");
        return {
          devices: device.body.data.length,
          qpu,
          ascii,
          wrong,
          refused,
          jobs: jobs.body.data,
        };
      },
      job(BELL, 3),
    );
    expect(found.devices).toBeGreaterThan(8);
    expect(found.qpu).toMatchObject({ status: "COMPLETED", deviceQrn: "ibm:emulated:qpu:perth" });
    expect(found.ascii.status).toBe(200);
    expect(found.wrong).toMatchObject({ status: "FAILED", statusMsg: expect.stringMatching(/^1:/) });
    expect(found.refused).toMatchObject({ status: 400, body: { error: { code: "VALIDATION_ERROR" } } });
    expect(found.jobs).toContainEqual(
      expect.objectContaining({ jobQrn: found.qpu.jobQrn, status: "COMPLETED" }),
    );
  });

  test("keeps its jobs, its key and its credits when the page is loaded anew", {
    timeout: 120_000,
  }, async () => {
    const page = await openPage(site.url);
    await page.evaluate(body => ketbook.run(body), job(BELL, 4));
    const look = () =>
      page.evaluate(async () => ({
        status: { ...(await ketbook.open()).status, notes: [] },
        credits: (await ketbook.send("GET", "/billing/credits/balance")).body.data.svcCredits,
        jobs: (await ketbook.send("GET", "/jobs")).body.data.map(({ jobQrn }: { jobQrn: string }) => jobQrn),
      }));
    const before = await look();
    expect(before.status).toMatchObject({ storage: "browser", isHere: true });
    expect(before.jobs.length).toBeGreaterThan(0);
    await page.reload();
    await page.waitForFunction(() => "ketbook" in globalThis);
    expect(await look()).toEqual(before);
  });

  test("is exported from one tab or another, and imported into a data folder", {
    timeout: 120_000,
  }, async () => {
    await openPage(site.url);
    const page = await openPage(site.url);
    const qrn = await page.evaluate(async body => (await ketbook.run(body)).jobQrn, job(BELL, 8));
    const folder = mkdtempSync(join(tmpdir(), "ketbook-import-"));
    try {
      const file = join(folder, "page.archive");
      writeFileSync(file, Buffer.from(await page.evaluate(() => ketbook.export()), "base64"));
      const { jobs } = await restoreStore(file, join(folder, "data"));
      expect(jobs).toBeGreaterThan(0);
      const store = await openStoreOf(join(folder, "data"));
      const row = await store.selectFrom("jobs").select("status").where("qrn", "=", qrn).executeTakeFirst();
      await store.destroy();
      expect(row?.status).toBe("COMPLETED");
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  test("imports what a data folder or another page has exported, and stays as it is where that can't be read", {
    timeout: 120_000,
  }, async () => {
    const [first, page] = [await openPage(site.url), await openPage(site.url)];
    const look = () =>
      page.evaluate(async () => ({
        credits: (await ketbook.send("GET", "/billing/credits/balance")).body.data.svcCredits,
        jobs: (await ketbook.send("GET", "/jobs")).body.data,
      }));
    await page.evaluate(body => ketbook.run(body), job(BELL, 9));
    const before = await look();
    const own = await page.evaluate(() => ketbook.export());
    const folder = newFolder();
    const service = await serving({ folder });
    const [{ jobQrn }] = [await service.submit({ name: "of a folder" })];
    await service.ended(jobQrn);
    const { body: balance } = await service.call("GET", "/billing/credits/balance");
    await service.service.stop();
    await backUpStore(folder, join(folder, "archive"));
    const archive = readFileSync(join(folder, "archive"));

    const cut = archive.subarray(0, archive.length - 4096).toString("base64");
    expect(await page.evaluate(bytes => ketbook.import(bytes), cut)).toMatch(/^The file is damaged/);
    expect(await look()).toEqual(before);

    expect(await page.evaluate(bytes => ketbook.import(bytes), archive.toString("base64"))).toBe(1);
    const imported = await look();
    expect(imported.jobs).toEqual([expect.objectContaining({ jobQrn, status: "COMPLETED" })]);
    expect(imported.credits).toBe(balance.data.svcCredits);
    expect(await first.evaluate(body => ketbook.run(body), job(BELL, 9))).toMatchObject({
      status: "COMPLETED",
    });

    await page.evaluate(bytes => ketbook.import(bytes), own);
    expect(await look()).toEqual(before);
  });

  test("is one for all tabs, and goes to another one when its own is closed", {
    timeout: 120_000,
  }, async () => {
    const first = await openPage(site.url);
    const second = await openPage(site.url);
    const where = () => second.evaluate(async () => (await ketbook.open()).status.isHere);
    expect(await where()).toBe(false);
    const qrn = await first.evaluate(async body => (await ketbook.run(body)).jobQrn, job(BELL, 5));
    const read = (found: string) =>
      second.evaluate(
        async path => (await ketbook.send("GET", path)).body.data,
        `/jobs/${encodeURIComponent(found)}`,
      );
    expect(await read(qrn)).toMatchObject({ jobQrn: qrn, status: "COMPLETED" });
    const submitted = second.evaluate(body => ketbook.run(body, "while its tab is closed"), job(RANDOM, 6));
    await first.close();
    expect(await submitted).toMatchObject({ status: "COMPLETED" });
    expect(await where()).toBe(true);
  });
});

describe.skipIf(unavailable("chromium"))("a browser that keeps no files", () => {
  test("has the service in memory, and says so", { timeout: 120_000 }, async () => {
    const site = await serveSite();
    try {
      const page = await openPage(`${site.url}?without-files`);
      const found = await page.evaluate(
        async body => {
          const record = await ketbook.run(body);
          return { record, status: (await ketbook.open()).status };
        },
        job(BELL, 7),
      );
      expect(found.record.status).toBe("COMPLETED");
      expect(found.status).toMatchObject({
        storage: "memory",
        mayBeEvicted: false,
        notes: [expect.stringContaining("until the tab that runs the service is closed")],
      });
    } finally {
      await closePages();
      site.close();
    }
  });
});
