import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { BudgetRequest } from "../../../src/service/accounts/members.ts";
import { auditLedger } from "../../../src/service/billing/ledger.ts";
import { toMicro } from "../../../src/service/billing/price.ts";
import { bell, bellJob, endlessOn12 as endless, type Serving, serving } from "../serving.ts";

let service: Serving;
beforeEach(async () => {
  service = await serving();
});
afterEach(async () => {
  expect(await auditLedger(service.store)).toEqual([]);
  await expectExactBytes();
  await service[Symbol.asyncDispose]();
});

const student = (user: string, budget?: BudgetRequest, grant = 0) =>
  service.user({ organization: "class", user, grant, budget });

type Student = Awaited<ReturnType<typeof student>>;

const balanceOf = async (user: Student) => (await user.call("GET", "/billing/credits/balance")).body.data;

/** Every user's bytes are those of the user's documents, and an organization's those of its users. */
async function expectExactBytes(): Promise<void> {
  const { rows } = await sql<{ name: string; counted: number; kept: number }>`
    select users.name, coalesce(user_storage.bytes, 0) as counted, coalesce((
      select sum(octet_length(body)) from jobs join job_documents on job_seq = seq
      where jobs.user_id = users.id), 0) as kept
    from users left join user_storage on user_storage.user_id = users.id`.execute(service.store);
  for (const { name, counted, kept } of rows) expect([name, counted]).toEqual([name, kept]);
  const totals = await sql<{
    bytes: number;
  }>`select coalesce(sum(bytes), 0) as bytes from storage_usage`.execute(service.store);
  expect(totals.rows[0]!.bytes).toBe(rows.reduce((sum, { kept }) => sum + kept, 0));
}

const large = (bytes: number) => ({ ...bell, data: `${bell.data}\n// ${"x".repeat(bytes)}` });

describe("credits of a user's own", () => {
  test("pay for the user's jobs, get back what was held, and leave the organization's alone", async () => {
    const [teacher, ada] = [
      await student("teacher", undefined, toMicro(100)),
      await student("ada", { credits: toMicro(20) }),
    ];
    const { jobQrn, estimatedCost } = await ada.submit({ program: endless });
    expect((await balanceOf(ada)).svcCredits).toBeCloseTo(20 - estimatedCost!, 6);
    await ada.call("POST", `/jobs/${jobQrn}/cancel`);
    await ada.ended(jobQrn);
    expect((await ada.ended((await ada.submit()).jobQrn)).cost).toBe(0.375);
    expect((await balanceOf(ada)).svcCredits).toBe(19.625);
    expect(await balanceOf(teacher)).toMatchObject({ svcCredits: 100 });
    expect(await balanceOf(teacher)).not.toHaveProperty("budget");
  });

  test("that are used up are refused with 402, which says whose they are", async () => {
    await student("teacher", undefined, toMicro(100));
    const ada = await student("ada", { credits: toMicro(0.1) });
    const { status, body } = await ada.call("POST", "/jobs", bellJob());
    expect([status, body.error.code]).toEqual([402, "INSUFFICIENT_CREDITS"]);
    expect(body.message).toContain("The job needs 0.375 credits, and 0.1 are left of your own budget");
    const poor = await service.user({ organization: "other", grant: toMicro(0.2) });
    expect((await poor.call("POST", "/jobs", bellJob())).body.message).toContain(
      "0.2 are left of your organization's credits",
    );
  });

  test("do not pay for a device without a quote either, whose least cost is held", async () => {
    await student("teacher", undefined, toMicro(100_000));
    const ada = await student("ada", { credits: toMicro(1000) });
    // Jobs of a realistic length have not ended when the balance is read.
    const runtimeOptions = { timing: "realistic" };
    const job = { ...bellJob(), deviceQrn: "ibm:emulated:qpu:auckland", shots: 1000, runtimeOptions };
    const asked = await Promise.all([1, 2, 3, 4].map(() => ada.call("POST", "/jobs", job)));
    expect(asked.map(({ status }) => status).sort()).toEqual([201, 201, 402, 402]);
    const jobs = asked.filter(({ status }) => status === 201).map(({ body }) => body.data);
    expect(jobs[0].estimatedCost).toBeGreaterThan(300);
    expect((await balanceOf(ada)).svcCredits).toBeCloseTo(1000 - 2 * jobs[0].estimatedCost, 6);
    for (const { jobQrn } of jobs) await ada.call("POST", `/jobs/${jobQrn}/cancel`);
    for (const { jobQrn } of jobs) await ada.ended(jobQrn);
  });

  test("given while a job runs do not pay for it: its hold goes back to the organization", async () => {
    const ada = await student("ada", undefined, toMicro(100));
    const { jobQrn } = await ada.submit({ program: endless });
    const again = await student("ada", { credits: toMicro(20) });
    await ada.call("POST", `/jobs/${jobQrn}/cancel`);
    await ada.ended(jobQrn);
    expect((await balanceOf(again)).svcCredits).toBe(20);
    expect((await balanceOf(await student("teacher"))).svcCredits).toBe(100);
  });
});

describe("storage of a user's own", () => {
  test("is limited to the byte for programs and results, and deleting makes room for that user", async () => {
    const teacher = await student("teacher", undefined, toMicro(100));
    const ada = await student("ada", { credits: toMicro(100), storedBytes: 100_000 });
    const deleted = await teacher.submit({ program: large(90_000) });
    await teacher.ended(deleted.jobQrn);
    await teacher.call("DELETE", `/jobs/${deleted.jobQrn}`);
    const first = await ada.submit({ program: large(90_000) });
    await ada.ended(first.jobQrn);
    const refused = await ada.call("POST", "/jobs", bellJob({ program: large(20_000) }));
    expect([refused.status, refused.body.error.code]).toEqual([429, "QUOTA_EXCEEDED"]);
    expect(refused.body.message).toMatch(/as much as your own budget allows: 0\.10 MB .*Delete jobs/s);
    const { jobQrn } = await ada.submit({ shots: 50_000, runtimeOptions: { memory: true } });
    const failed = await ada.ended(jobQrn);
    expect(failed).toMatchObject({ status: "FAILED", cost: 0, metadata: { limit: "storage" } });
    expect(failed.statusMsg).toMatch(/more than is left of the 0\.10 MB that your own budget allows/);
    await ada.call("DELETE", `/jobs/${first.jobQrn}`);
    await ada.ended((await ada.submit({ program: large(20_000) })).jobQrn);
    const { budget } = await balanceOf(ada);
    expect(budget).toMatchObject({ ownCredits: true, maxStoredBytes: 100_000, maxWaitingJobs: null });
    expect(budget.storedBytes).toBeLessThan(30_000);
  });

  test("takes none of what the others of the organization share", async () => {
    const teacher = await student("teacher", undefined, toMicro(100));
    const ada = await student("ada", { credits: toMicro(100), storedBytes: 2 ** 31 });
    await ada.ended((await ada.submit()).jobQrn);
    const shift = 2 ** 30;
    await sql`update storage_usage set bytes = bytes + ${shift}`.execute(service.store);
    await sql`update user_storage set bytes = bytes + ${shift}`.execute(service.store);
    expect((await teacher.ended((await teacher.submit()).jobQrn)).status).toBe("COMPLETED");
    await sql`update storage_usage set bytes = bytes - ${shift}`.execute(service.store);
    await sql`update user_storage set bytes = bytes - ${shift} where bytes > ${shift}`.execute(service.store);
  });
});

test("a user with as many unfinished jobs as the budget allows is refused with 429 until one has ended", async () => {
  const ada = await student("ada", { credits: toMicro(100), waitingJobs: 2 });
  const jobs = [await ada.submit({ program: endless }), await ada.submit({ program: endless })];
  const refused = await ada.call("POST", "/jobs", bellJob());
  expect([refused.status, refused.body.error.code]).toEqual([429, "QUOTA_EXCEEDED"]);
  expect(refused.body.message).toContain("You have 2 unfinished jobs, as many as your own budget allows");
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  expect((await balanceOf(ada)).budget).toMatchObject({ waitingJobs: 2, maxWaitingJobs: 2 });
  for (const { jobQrn } of jobs) await ada.call("POST", `/jobs/${jobQrn}/cancel`);
  for (const { jobQrn } of jobs) await ada.ended(jobQrn);
  expect((await ada.ended((await ada.submit()).jobQrn)).status).toBe("COMPLETED");
});

test("a student with 80 jobs takes no credits, storage or turns of ten others", {
  timeout: 120_000,
}, async () => {
  const budget = { credits: toMicro(50), storedBytes: 200_000, waitingJobs: 20 };
  const greedy = await student("greedy", budget);
  const others = await Promise.all(Array.from({ length: 10 }, (_, at) => student(`student${at}`, budget)));
  const taken = Promise.all(
    Array.from({ length: 80 }, (_, at) =>
      greedy.call("POST", "/jobs", bellJob({ program: at % 8 === 0 ? endless : large(50_000) })),
    ),
  );
  await Promise.all(others.flatMap(other => [other.submit(), other.submit(), other.submit()]));
  const completed = service.store.selectFrom("jobs").select("seq").where("status", "=", "COMPLETED");
  const ofOthers = completed.where("user_id", "!=", greedy.userId);
  await expect.poll(async () => (await ofOthers.execute()).length, { timeout: 60_000 }).toBe(30);
  const answers = await taken;
  const accepted = answers.filter(({ status }) => status === 201).map(({ body }) => body.data.jobQrn);
  expect(accepted.length).toBeLessThanOrEqual(20);
  expect(answers.every(({ status }) => [201, 402, 429].includes(status))).toBe(true);
  for (const other of others) expect(await balanceOf(other)).toMatchObject({ svcCredits: 50 - 3 * 0.375 });
  for (const qrn of accepted) await greedy.call("POST", `/jobs/${qrn}/cancel`);
  for (const qrn of accepted) await greedy.ended(qrn);
});
