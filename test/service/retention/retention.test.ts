import { readFileSync, statSync } from "node:fs";
import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { auditLedger } from "../../../src/service/billing/ledger.ts";
import { storePath } from "../../../src/service/node/sqlite/open.ts";
import { purgeDeletedJobs } from "../../../src/service/retention.ts";
import { transact } from "../../../src/service/store/store.ts";
import { newFolder } from "../../folder.ts";
import { ketbookHere } from "../command-line.ts";
import { servingProcess } from "../process.ts";
import { bell, caller, endlessOn12 as endless, type Serving, serving } from "../serving.ts";

const DAY_MS = 86_400_000;

/** A program whose text is long. */
const withComment = (megabytes: number) => ({
  ...bell,
  data: `${bell.data} // SECRETWORD ${"x".repeat(megabytes * 1e6)}`,
});

const purge = ({ store }: Serving, deletedBefore: number) =>
  transact(store, transaction => purgeDeletedJobs(transaction, { deletedBefore, now: Date.now() }));

const documents = async ({ store }: Serving) =>
  (await store.selectFrom("job_documents").select("job_seq").distinct().execute()).length;

describe("retention", () => {
  test("removes the texts of jobs that were deleted longer ago, and keeps what ledger and usage need", async () => {
    await using service = await serving();
    const tagged = { name: "secret", tags: { secret: "word" }, program: [bell, bell] };
    const [old, recent, kept] = [
      await service.submit(tagged),
      await service.submit(),
      await service.submit(),
    ];
    for (const { jobQrn } of [old, recent, kept]) await service.ended(jobQrn);
    const balance = (await service.call("GET", "/billing/credits/balance")).body.data.svcCredits;
    await service.call("DELETE", `/jobs/${old.jobQrn}`);
    service.pass(20 * DAY_MS);
    await service.call("DELETE", `/jobs/${recent.jobQrn}`);
    expect(await purge(service, Date.now() + 10 * DAY_MS)).toMatchObject({ jobs: 1 });
    expect(await documents(service)).toBe(2);
    expect(await purge(service, Date.now() + 10 * DAY_MS)).toEqual({ jobs: 0, bytes: 0 });
    const row = await service.store
      .selectFrom("jobs")
      .selectAll()
      .where("qrn", "=", old.jobQrn)
      .executeTakeFirstOrThrow();
    expect(row).toMatchObject({ name: null, tags_json: "{}", cost: expect.any(Number), status: "COMPLETED" });
    expect(JSON.stringify(row)).not.toContain("secret");
    expect(await auditLedger(service.store)).toEqual([]);
    expect((await service.call("GET", "/billing/credits/balance")).body.data.svcCredits).toBe(balance);
    expect((await service.call("GET", `/jobs/${kept.jobQrn}/result`)).status).toBe(200);
  });

  test("lets a deleted job that still runs end first", async () => {
    await using service = await serving();
    const { jobQrn } = await service.submit({ program: endless });
    await service.ended(jobQrn, "RUNNING");
    await service.call("DELETE", `/jobs/${jobQrn}`);
    expect(await purge(service, Number.MAX_SAFE_INTEGER)).toEqual({ jobs: 0, bytes: 0 });
  });

  test("gives a submission that is repeated under its key no second job, also after the removal", async () => {
    await using service = await serving();
    const key = { "idempotency-key": "once" };
    const job = { deviceQrn: "svc:svc:sim:sparse", shots: 10, program: bell };
    const { jobQrn } = (await service.call("POST", "/jobs", job, key)).body.data;
    await service.ended(jobQrn);
    await service.call("DELETE", `/jobs/${jobQrn}`);
    await purge(service, Number.MAX_SAFE_INTEGER);
    await service.call("POST", "/jobs", job, key);
    const { rows } = await sql<{ n: number }>`select count(*) as n from jobs`.execute(service.store);
    expect(rows).toEqual([{ n: 1 }]);
  });

  test("shrinks the file under a service that runs, and leaves nothing of the text in it", {
    timeout: 60_000,
  }, async () => {
    const folder = newFolder();
    await using service = await servingProcess(folder, "--retention", "1s");
    const { call, submit, ended } = caller(service.url, service.apiKey);
    const jobs = [];
    for (let at = 0; at < 5; at += 1) jobs.push(await submit({ program: withComment(1) }));
    for (const { jobQrn } of jobs) await ended(jobQrn);
    const size = () => statSync(storePath(folder)).size + (statSync(`${storePath(folder)}-wal`).size ?? 0);
    expect(size()).toBeGreaterThan(5e6);
    for (const { jobQrn } of jobs) expect((await call("DELETE", `/jobs/${jobQrn}`)).status).toBe(200);
    await expect.poll(size, { timeout: 30_000, interval: 200 }).toBeLessThan(1e6);
    const { jobQrn } = await ended((await submit({ name: "a SECRETWORD" })).jobQrn);
    expect((await call("DELETE", `/jobs/${jobQrn}`)).status).toBe(200);
    const files = ["", "-wal"].map(suffix => storePath(folder) + suffix);
    const hasWord = () => files.some(file => readFileSync(file).includes("SECRETWORD"));
    await expect.poll(hasWord, { timeout: 30_000, interval: 200 }).toBe(false);
    await service.end();
    expect((await ketbookHere("check", "--data", folder)).code).toBe(0);
    expect((await ketbookHere("audit", "--data", folder)).stdout).toContain("jobs.purged");
  });
});

describe("the storage of an organization", () => {
  const fill = ({ store }: Serving, bytes: number) =>
    store.updateTable("storage_usage").set({ bytes }).execute();

  test("is limited by tier: a submission that does not fit says what to delete, and deleting makes room", async () => {
    await using service = await serving();
    const user = await service.user();
    const { jobQrn } = await user.ended((await user.submit({ program: withComment(1) })).jobQrn);
    await fill(service, 2 ** 30 - 1000);
    const refused = await user.call("POST", "/jobs", {
      deviceQrn: "svc:svc:sim:sparse",
      shots: 1,
      program: withComment(0.5),
    });
    expect([refused.status, refused.body.error.code]).toEqual([429, "QUOTA_EXCEEDED"]);
    expect(refused.body.message).toMatch(/keeps as much as it may: 1074 MB .* 0\.50 MB more .*Delete jobs/s);
    expect((await user.call("GET", "/jobs")).body.pagination.total).toBe(1);
    await user.call("DELETE", `/jobs/${jobQrn}`);
    await user.submit({ program: withComment(0.5) });
    const other = await service.user({ organization: "other" });
    await other.submit();
  });

  test("fails a job whose results do not fit, at no cost, and says so", async () => {
    await using service = await serving();
    const user = await service.user();
    await user.ended((await user.submit()).jobQrn);
    await fill(service, 2 ** 30 - 1000);
    const { jobQrn } = await user.submit({ shots: 50_000, runtimeOptions: { memory: true } });
    const job = await user.ended(jobQrn);
    expect(job).toMatchObject({ status: "FAILED", cost: 0, metadata: { limit: "storage" } });
    expect(job.statusMsg).toMatch(/results take .* more than is left of the 1074 MB/);
    expect(await auditLedger(service.store)).toEqual([]);
  });

  test("is counted to the byte, and the folder's own user has as much as the disk", async () => {
    await using service = await serving();
    for (const program of [bell, [bell, bell], { ...bell, data: "no program ä" }]) {
      await service.ended((await service.submit({ program })).jobQrn);
    }
    const { rows } = await sql<{ bytes: number }>`
      select sum(octet_length(body)) as bytes from job_documents`.execute(service.store);
    const usage = await service.store.selectFrom("storage_usage").selectAll().execute();
    expect(usage).toMatchObject(rows);
    await fill(service, 2 ** 40);
    expect((await service.ended((await service.submit()).jobQrn)).status).toBe("COMPLETED");
  });
});
