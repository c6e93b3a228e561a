import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { unavailable } from "../../front-ends/available.ts";
import { type ServiceSite, serveSite, startChromium } from "./site.ts";

/** How often the browser is killed; ten times or more beside CI. */
const CRASHES = Number(process.env.KETBOOK_CRASHES ?? 3);
const JOBS_A_ROUND = 12;

const body = (name: string) => ({
  name,
  deviceQrn: "svc:svc:sim:statevector",
  shots: 2000,
  program: {
    format: "qasm3",
    data: `OPENQASM 3.0; include "stdgates.inc"; qubit[16] q; bit[16] c;
for int k in [0:9] { for int i in [0:15] { h q[i]; rz(0.1 * k) q[i]; } for int i in [0:14] { cx q[i], q[i + 1]; } }
c = measure q;`,
  },
});

describe.skipIf(unavailable("chromium"))("the service in a page whose browser is killed", () => {
  let site: ServiceSite;
  const profile = mkdtempSync(join(tmpdir(), "ketbook-profile-"));

  beforeAll(async () => {
    site = await serveSite();
  }, 120_000);

  afterAll(() => {
    site?.close();
    rmSync(profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  });

  test("ends every job that it accepted, and charges each exactly once", { timeout: 600_000 }, async () => {
    const accepted = new Map<string, string>();
    for (let round = 0; round < CRASHES; round += 1) {
      const before = accepted.size;
      const browser = await startChromium(profile);
      let killed: Promise<unknown> | undefined;
      try {
        const page = await browser.open(site.url);
        await page.exposeFunction("accept", (key: string, qrn: string) => accepted.set(key, qrn));
        const jobs = Array.from({ length: JOBS_A_ROUND }, (_, at) => body(`${round}-${at}`));
        const ended = page.evaluate(async given => {
          const { accept } = globalThis as unknown as { accept(key: string, qrn: string): Promise<void> };
          await Promise.all(
            given.map(async job => {
              const created = await ketbook.send("POST", "/jobs", { body: job, key: job.name });
              await accept(job.name, created.body.data.jobQrn);
              for (;;) {
                const path = `/jobs/${encodeURIComponent(created.body.data.jobQrn)}`;
                if ((await ketbook.send("GET", path)).body.data.status === "COMPLETED") return;
              }
            }),
          );
        }, jobs);
        killed = ended.catch(() => undefined);
        const wanted = before + 1 + Math.floor(Math.random() * (JOBS_A_ROUND - 1));
        await expect
          .poll(() => accepted.size, { timeout: 60_000, interval: 5 })
          .toBeGreaterThanOrEqual(wanted);
      } finally {
        await browser.kill();
      }
      await killed;
    }
    const browser = await startChromium(profile);
    const page = await browser.open(site.url);
    try {
      const names = Array.from(
        { length: CRASHES * JOBS_A_ROUND },
        (_, at) => `${Math.floor(at / JOBS_A_ROUND)}-${at % JOBS_A_ROUND}`,
      );
      const records = await page.evaluate(
        given => Promise.all(given.map(job => ketbook.run(job, job.name))),
        names.map(body),
      );
      for (const [at, record] of records.entries()) {
        expect(record).toMatchObject({ name: names[at], status: "COMPLETED" });
        const qrn = accepted.get(names[at]!);
        if (qrn) expect(record.jobQrn).toBe(qrn);
      }
      const found = await page.evaluate(async () => ({
        credits: (await ketbook.send("GET", "/billing/credits/balance")).body.data.svcCredits,
        jobs: (await ketbook.send("GET", "/jobs")).body.pagination.total,
        summary: (await ketbook.send("GET", "/jobs/summary")).body.data.cost.total,
      }));
      expect(found.jobs).toBe(names.length);
      const cost = records.reduce((sum, record) => sum + record.cost, 0);
      expect(1_000_000 - found.credits).toBeCloseTo(cost, 5);
      expect(found.summary).toBeCloseTo(cost, 5);
    } finally {
      await browser.kill();
    }
  });
});
