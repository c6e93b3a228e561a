import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { accountOf, grant } from "../../../src/service/billing/ledger.ts";
import { toMicro } from "../../../src/service/billing/price.ts";
import { transact } from "../../../src/service/store/store.ts";
import { type Answer, bellJob, type Caller, type Serving, serving } from "../serving.ts";

describe("an Idempotency-Key", () => {
  let service: Serving;
  beforeAll(async () => {
    service = await serving();
  });
  afterAll(() => service[Symbol.asyncDispose]());

  const headers = (key: string) => ({ "idempotency-key": key });
  const submit = (user: Caller, key: string, changes: object = {}) =>
    user.call("POST", "/jobs", bellJob(changes), headers(key));
  const makeGroup = (user: Caller, key: string, body?: object) =>
    user.call("POST", "/jobs/group", body, headers(key));
  const total = async (user: Caller, path: string) =>
    (await user.call("GET", path)).body.pagination.total as number;
  const refusalOf = ({ status, body }: Answer) => [status, body.error.code, body.error.details[0].path];

  test("makes one job and one hold, however many submissions arrive at once", async () => {
    const user = await service.user();
    const answers = await Promise.all(Array.from({ length: 20 }, () => submit(user, "race")));
    expect(answers.every(({ status }) => status === 201)).toBe(true);
    const qrns = new Set(answers.map(({ body }) => body.data.jobQrn));
    expect(qrns.size).toBe(1);
    expect(await total(user, "/jobs")).toBe(1);
    const [qrn] = qrns;
    await user.ended(qrn);
    expect((await user.call("GET", "/billing/credits/balance")).body.data.svcCredits).toBe(1000 - 0.375);
    expect((await submit(user, "race")).body.data).toMatchObject({ jobQrn: qrn, status: "COMPLETED" });
  });

  test("belongs to one user and one submission", async () => {
    const [user, other] = [await service.user(), await service.user()];
    const { jobQrn } = (await submit(user, "once")).body.data;
    expect(refusalOf(await submit(user, "once", { shots: 1 }))).toEqual([
      400,
      "VALIDATION_ERROR",
      "Idempotency-Key",
    ]);
    expect((await submit(other, "once")).body.data.jobQrn).not.toBe(jobQrn);
  });

  test("of a deleted job still names that job, and runs nothing again", async () => {
    const user = await service.user();
    const { jobQrn } = (await submit(user, "deleted")).body.data;
    await user.ended(jobQrn);
    await user.call("DELETE", `/jobs/${jobQrn}`);
    const { status, body } = await submit(user, "deleted");
    expect([status, body.data.jobQrn]).toEqual([201, jobQrn]);
    expect(body.data.statusMsg).toMatch(/^The job was deleted at \d{4}-.*Z\.$/);
    expect(await total(user, "/jobs")).toBe(0);
    expect((await user.call("GET", "/billing/credits/balance")).body.data.svcCredits).toBe(1000 - 0.375);
  });

  test("of a submission refused for credits may be sent again once there are enough", async () => {
    const user = await service.user({ grant: toMicro(0.3) });
    expect((await submit(user, "poor")).status).toBe(402);
    const { organization_id } = await service.store
      .selectFrom("users")
      .select("organization_id")
      .where("id", "=", user.userId)
      .executeTakeFirstOrThrow();
    await transact(service.store, transaction =>
      grant(transaction, accountOf(organization_id), toMicro(1), Date.now()),
    );
    expect((await submit(user, "poor")).status).toBe(201);
    expect(await total(user, "/jobs")).toBe(1);
  });

  test("of a submission over the quota may be sent again on the next day", async () => {
    const user = await service.user({ tier: "free" });
    const deviceQrn = "svc:svc:sim:sparse";
    const day = Math.floor(Date.now() / 86_400_000);
    await service.store
      .insertInto("quota_usage")
      .values(
        [day, day + 1].map(each => ({ user_id: user.userId, device_qrn: deviceQrn, day: each, used: 500 })),
      )
      .execute();
    const refused = await submit(user, "quota", { deviceQrn });
    expect([refused.status, refused.body.error.code]).toEqual([429, "QUOTA_EXCEEDED"]);
    await service.store
      .updateTable("quota_usage")
      .set({ used: 0 })
      .where("user_id", "=", user.userId)
      .execute();
    const made = await submit(user, "quota", { deviceQrn });
    expect(made.status).toBe(201);
    expect((await submit(user, "quota", { deviceQrn })).body.data.jobQrn).toBe(made.body.data.jobQrn);
  });

  test("of a submission into a group that is not there, or not valid, may be sent again", async () => {
    const user = await service.user();
    expect((await submit(user, "again", { shots: -1 })).status).toBe(400);
    expect((await submit(user, "again", { groupJobQrn: "group:none" })).status).toBe(404);
    expect((await submit(user, "again")).status).toBe(201);
  });

  test("makes one group for the same user and body, and is refused for another body", async () => {
    const [user, other] = [await service.user(), await service.user()];
    const body = { name: "sweep", metadata: { a: [1] } };
    const answers = await Promise.all(Array.from({ length: 10 }, () => makeGroup(user, "group", body)));
    expect(answers.every(({ status }) => status === 201)).toBe(true);
    expect(new Set(answers.map(answer => answer.body.data.groupJobQrn)).size).toBe(1);
    expect(await total(user, "/jobs/group")).toBe(1);
    expect(refusalOf(await makeGroup(user, "group", { ...body, maxTTL: 60 }))).toEqual([
      400,
      "VALIDATION_ERROR",
      "Idempotency-Key",
    ]);
    expect(refusalOf(await makeGroup(user, ""))).toEqual([400, "VALIDATION_ERROR", "Idempotency-Key"]);
    const theirs = (await makeGroup(other, "group", body)).body.data.groupJobQrn;
    expect(theirs).not.toBe(answers[0]?.body.data.groupJobQrn);
    expect((await makeGroup(user, "other group", body)).body.data.groupJobQrn).not.toBe(
      answers[0]?.body.data.groupJobQrn,
    );
  });

  test("of a group gives it as it now is, and may also be that of a job", async () => {
    const user = await service.user();
    const made = (await makeGroup(user, "both")).body.data;
    expect((await submit(user, "both", { groupJobQrn: made.groupJobQrn })).status).toBe(201);
    await user.call("POST", `/jobs/group/${made.groupJobQrn}/close`);
    expect((await makeGroup(user, "both")).body.data).toMatchObject({
      groupJobQrn: made.groupJobQrn,
      status: "CLOSED",
      jobCount: 1,
    });
  });
});
