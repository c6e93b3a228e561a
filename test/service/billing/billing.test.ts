import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { accountOf, balanceOf, heldFor, settle } from "../../../src/service/billing/ledger.ts";
import { toMicro } from "../../../src/service/billing/price.ts";
import { transact } from "../../../src/service/store/store.ts";
import { type Body, bell, bellJob, endless, type Serving, serving } from "../serving.ts";

describe("billing", () => {
  let service: Serving;
  beforeAll(async () => {
    service = await serving();
  });
  afterAll(() => service[Symbol.asyncDispose]());

  const balance = async (who: { call: Serving["call"] }) =>
    (await who.call("GET", "/billing/credits/balance")).body.data.svcCredits;

  /** Postings sum to zero, and every balance is the sum of its postings. */
  async function expectSoundLedger() {
    const { rows } = await sql<{ id: string; balance: number; posted: number }>`
      select a.id, a.balance, coalesce(sum(p.amount), 0) as posted
      from ledger_accounts a left join ledger_postings p on p.account_id = a.id group by a.id, a.balance
    `.execute(service.store);
    for (const row of rows) expect(row).toMatchObject({ balance: row.posted });
    expect(rows.reduce((sum, row) => sum + row.balance, 0)).toBe(0);
  }

  test("the folder's own user starts with 1,000,000 credits", async () => {
    const { data } = (await service.call("GET", "/billing/credits/balance")).body;
    expect(data).toMatchObject({ svcCredits: 1_000_000, awsCredits: 0, autoRecharge: false });
    expect(data.organizationId).toBeTypeOf("string");
  });

  test("a failed job costs nothing, and its hold goes back", async () => {
    const user = await service.user();
    const job = await user.ended((await user.submit({ program: { ...bell, data: "nonsense" } })).jobQrn);
    expect(job).toMatchObject({ status: "FAILED", cost: 0 });
    expect(await balance(user)).toBe(1000);
  });

  test("a cancelled job costs nothing, and its hold goes back", async () => {
    const user = await service.user();
    const { jobQrn } = await user.submit({ program: endless });
    await user.ended(jobQrn, "RUNNING");
    await user.call("POST", `/jobs/${jobQrn}/cancel`);
    expect(await user.ended(jobQrn)).toMatchObject({ status: "CANCELLED", cost: 0 });
    expect(await balance(user)).toBe(1000);
    await expectSoundLedger();
  });

  test("a job whose quote is not covered is refused with 402, and leaves no trace", async () => {
    const user = await service.user({ grant: toMicro(7.499999) });
    const { status, body } = await user.call("POST", "/jobs", bellJob({ program: endless }));
    expect([status, body.error.code]).toEqual([402, "INSUFFICIENT_CREDITS"]);
    expect((await user.call("GET", "/jobs")).body.pagination.total).toBe(0);
    expect(await balance(user)).toBe(7.499999);
    await expectSoundLedger();
  });

  test("of many submissions at once, only as many get in as the credits cover", async () => {
    const user = await service.user({ grant: toMicro(7.5 * 3 + 1) });
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => user.call("POST", "/jobs", bellJob({ program: endless }))),
    );
    expect(answers.filter(answer => answer.status === 201)).toHaveLength(3);
    expect(answers.filter(answer => answer.status === 402)).toHaveLength(7);
    expect(await balance(user)).toBe(1);
    for (const { body } of answers) {
      if (body.success) await user.call("POST", `/jobs/${body.data.jobQrn}/cancel`);
    }
    await expectSoundLedger();
  });

  test("a job is settled once, however often it is tried, and an overrun is charged", async () => {
    const user = await service.user();
    const { jobQrn } = await user.submit({ program: endless });
    const { seq, organization_id } = await service.store
      .selectFrom("jobs")
      .select(["seq", "organization_id"])
      .where("qrn", "=", jobQrn)
      .executeTakeFirstOrThrow();
    const job = { seq, organizationId: organization_id, cost: toMicro(20) };
    const tried = await Promise.all(
      Array.from({ length: 5 }, () => transact(service.store, store => settle(store, job, 1))),
    );
    expect(tried.filter(Boolean)).toHaveLength(1);
    expect(await balanceOf(service.store, accountOf(organization_id))).toBe(toMicro(980));
    expect(await balanceOf(service.store, heldFor(organization_id))).toBe(0);
    await expectSoundLedger();
    await user.call("POST", `/jobs/${jobQrn}/cancel`);
    await user.ended(jobQrn);
    expect(await balance(user)).toBe(980);
  });

  test("a simulator's quote does not vary with the shots", async () => {
    const quote = async (shots: number) =>
      (await service.call("GET", `/jobs/cost-estimate?deviceQrn=svc:svc:sim:statevector&shots=${shots}`)).body
        .data;
    expect(await quote(1)).toEqual({ ...(await quote(100_000)), shots: 1 });
    expect(await quote(1000)).toMatchObject({
      pricingAvailable: true,
      estimatedCost: 0.375,
      breakdown: { task: 0, shots: 0, time: 0.375 },
    });
  });

  test("pricing needs no key", async () => {
    const answer = await fetch(`${service.service.url}/billing/credits/pricing`);
    expect(((await answer.json()) as Body).data).toMatchObject({ usdPerCredit: 0.01, currency: "USD" });
  });

  // Last, since a job that is deleted runs on.
  test("the quote is held at submission, and the actual cost charged at the end", async () => {
    const user = await service.user();
    const job = await user.submit({ program: endless });
    expect(job.estimatedCost).toBe(7.5);
    expect(await balance(user)).toBe(992.5);
    await user.call("DELETE", `/jobs/${job.jobQrn}`);
    const short = await user.ended((await user.submit()).jobQrn);
    expect(short.cost).toBe(0.375);
    expect(await balance(user)).toBe(992.5 - 0.375);
    await expectSoundLedger();
  });
});
