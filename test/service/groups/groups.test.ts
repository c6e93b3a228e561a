import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bell, bellJob, endlessOn12 as endless, type Serving, serving } from "../serving.ts";

describe("job groups", () => {
  let service: Serving;
  beforeAll(async () => {
    service = await serving();
  });
  afterAll(() => service[Symbol.asyncDispose]());

  const make = async (body?: object) => (await service.call("POST", "/jobs/group", body)).body.data;
  const get = async (qrn: string) => (await service.call("GET", `/jobs/group/${qrn}`)).body.data;
  const close = (qrn: string) => service.call("POST", `/jobs/group/${qrn}/close`);
  const cancel = (qrn: string) => service.call("POST", `/jobs/group/${qrn}/cancel`);

  test("a group is OPEN when it is made, with or without a body", async () => {
    const plain = await service.call("POST", "/jobs/group");
    expect(plain.status).toBe(201);
    expect(plain.body.data).toMatchObject({
      status: "OPEN",
      maxTTL: 3600,
      jobCount: 0,
      name: null,
      tags: {},
    });
    expect(plain.body.data.groupJobQrn).toMatch(/^group:[0-9a-f]{24}$/);
    const named = await make({ name: "sweep", tags: { a: true }, metadata: { deep: [1] }, maxTTL: 60 });
    expect(named).toMatchObject({ name: "sweep", tags: { a: true }, metadata: { deep: [1] }, maxTTL: 60 });
    expect(Date.parse(named.expiresAt) - Date.parse(named.createdAt)).toBe(60_000);
  });

  test.each([[{ maxTTL: 0 }], [{ maxTTL: 86_401 }], [{ maxTTL: "60" }], [{ maxTTL: 1.5 }]])(
    "a group of %j is refused with 422",
    async body => {
      const answer = await service.call("POST", "/jobs/group", body);
      expect([answer.status, answer.body.error.code, answer.body.error.details[0].path]).toEqual([
        422,
        "VALIDATION_ERROR",
        "maxTTL",
      ]);
    },
  );

  test("are limited by the day where jobs on a simulator are, and a repetition makes none", async () => {
    const { call, userId } = await service.user();
    const first = await call("POST", "/jobs/group", {}, { "idempotency-key": "g" });
    await service.store.updateTable("quota_usage").set({ used: 499 }).where("user_id", "=", userId).execute();
    const answers = await Promise.all(Array.from({ length: 5 }, () => call("POST", "/jobs/group", {})));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 429, 429, 429, 429]);
    expect(answers.find(({ status }) => status === 429)!.body.error.code).toBe("QUOTA_EXCEEDED");
    const again = await call("POST", "/jobs/group", {}, { "idempotency-key": "g" });
    expect(again.body.data.groupJobQrn).toBe(first.body.data.groupJobQrn);
  });

  test("resolves to COMPLETED when every job is, on get and not before", async () => {
    const { groupJobQrn } = await make();
    const jobs = await Promise.all([1, 2].map(() => service.submit({ groupJobQrn })));
    expect(jobs[0]).toMatchObject({ groupJobQrn });
    for (const job of jobs) await service.ended(job.jobQrn);
    const listed = (await service.call("GET", "/jobs/group?limit=1")).body.data[0];
    expect(listed).toMatchObject({ groupJobQrn, status: "OPEN", jobCount: 2, completedCount: 2 });
    expect(await get(groupJobQrn)).toMatchObject({ status: "COMPLETED" });
    const late = await service.call("POST", "/jobs", bellJob({ groupJobQrn }));
    expect([late.status, late.body.error.code]).toEqual([409, "GROUP_NOT_OPEN"]);
  });

  test("resolves to FAILED when one job has failed", async () => {
    const { groupJobQrn } = await make();
    const good = await service.submit({ groupJobQrn });
    const bad = await service.submit({ groupJobQrn, program: { ...bell, data: "nonsense" } });
    for (const job of [good, bad]) await service.ended(job.jobQrn);
    expect(await get(groupJobQrn)).toMatchObject({ status: "FAILED", completedCount: 1, failedCount: 1 });
  });

  test("an empty group stays OPEN, and is COMPLETED once it is closed", async () => {
    const { groupJobQrn } = await make();
    expect(await get(groupJobQrn)).toMatchObject({ status: "OPEN" });
    expect((await close(groupJobQrn)).body.data).toMatchObject({ status: "CLOSED" });
    expect((await close(groupJobQrn)).body.data).toMatchObject({ status: "CLOSED" });
    expect(await get(groupJobQrn)).toMatchObject({ status: "COMPLETED" });
    for (const answer of [await close(groupJobQrn), await cancel(groupJobQrn)]) {
      expect([answer.status, answer.body.error.code]).toEqual([409, "GROUP_TERMINAL"]);
    }
  });

  test("a closed group takes no jobs, and those it has continue", async () => {
    const { groupJobQrn } = await make();
    const { jobQrn } = await service.submit({ groupJobQrn, program: endless });
    await service.ended(jobQrn, "RUNNING");
    await close(groupJobQrn);
    expect((await service.call("POST", "/jobs", bellJob({ groupJobQrn }))).status).toBe(409);
    expect(await get(groupJobQrn)).toMatchObject({ status: "CLOSED", jobCount: 1 });
    expect((await service.call("GET", `/jobs/${jobQrn}`)).body.data.status).toBe("RUNNING");
    expect((await cancel(groupJobQrn)).body.data).toMatchObject({ status: "CANCELLED" });
    expect(await service.ended(jobQrn)).toMatchObject({ status: "CANCELLED" });
    expect(await get(groupJobQrn)).toMatchObject({ status: "CANCELLED", cancelledCount: 1 });
  });

  test("cancelling a group cancels every job in it that has not ended", async () => {
    const { groupJobQrn } = await make();
    const done = await service.ended((await service.submit({ groupJobQrn })).jobQrn);
    const others = await Promise.all(
      [1, 2, 3, 4].map(() => service.submit({ groupJobQrn, program: endless })),
    );
    expect((await cancel(groupJobQrn)).status).toBe(200);
    for (const job of others) expect(await service.ended(job.jobQrn)).toMatchObject({ status: "CANCELLED" });
    const { data } = (await service.call("GET", `/jobs/group/${groupJobQrn}/jobs`)).body;
    expect(data).toHaveLength(5);
    expect(data.at(-1)).toMatchObject({ jobQrn: done.jobQrn, status: "COMPLETED" });
  });

  test("no job enters a group while it closes", async () => {
    const { groupJobQrn } = await make();
    const submissions = Array.from({ length: 20 }, () =>
      service.call("POST", "/jobs", bellJob({ groupJobQrn })),
    );
    const closing = close(groupJobQrn);
    const answers = await Promise.all(submissions);
    await closing;
    const entered = answers.filter(answer => answer.status === 201);
    const { data } = (await service.call("GET", `/jobs/group/${groupJobQrn}/jobs`)).body;
    expect(data).toHaveLength(entered.length);
    expect(
      answers.every(answer => answer.status === 201 || answer.body.error.code === "GROUP_NOT_OPEN"),
    ).toBe(true);
  });

  test("a deleted job appears in no group, but is waited for", async () => {
    const { groupJobQrn } = await make();
    const { jobQrn } = await service.submit({ groupJobQrn, program: endless });
    await service.call("DELETE", `/jobs/${jobQrn}`);
    expect(await get(groupJobQrn)).toMatchObject({ status: "OPEN", jobCount: 0 });
    expect((await service.call("GET", `/jobs/group/${groupJobQrn}/jobs`)).body.data).toEqual([]);
    await cancel(groupJobQrn);
  });

  test("another user's group is not there", async () => {
    const { groupJobQrn } = await make();
    const other = await service.user();
    for (const [method, rest] of [
      ["GET", ""],
      ["GET", "/jobs"],
      ["POST", "/close"],
      ["POST", "/cancel"],
    ]) {
      expect((await other.call(method!, `/jobs/group/${groupJobQrn}${rest}`)).status).toBe(404);
    }
    expect((await other.call("POST", "/jobs", bellJob({ groupJobQrn }))).status).toBe(404);
    expect((await other.call("GET", "/jobs/group")).body.data).toEqual([]);
  });

  test("groups are listed newest first, by status", async () => {
    const user = await service.user();
    const made: string[] = [];
    for (let at = 0; at < 3; at += 1)
      made.push((await user.call("POST", "/jobs/group")).body.data.groupJobQrn);
    await user.call("POST", `/jobs/group/${made[1]}/close`);
    const list = async (query: string) => (await user.call("GET", `/jobs/group?${query}`)).body;
    const open = await list("status=OPEN");
    expect(open.data.map((group: { groupJobQrn: string }) => group.groupJobQrn)).toEqual([made[2], made[0]]);
    expect((await list("page=2&limit=2")).pagination).toMatchObject({
      total: 3,
      totalPages: 2,
      hasPrev: true,
    });
  });

  test("closes by itself when its time is over, seen on list, get and submission", async () => {
    const user = await service.user();
    const groups = [];
    for (let at = 0; at < 3; at += 1)
      groups.push((await user.call("POST", "/jobs/group", { maxTTL: 60 })).body.data);
    service.pass(61_000);
    const late = await user.call("POST", "/jobs", bellJob({ groupJobQrn: groups[0].groupJobQrn }));
    expect([late.status, late.body.error.code]).toEqual([409, "GROUP_NOT_OPEN"]);
    const { data } = (await user.call("GET", "/jobs/group")).body;
    expect(data.map((group: { status: string }) => group.status)).toEqual(["CLOSED", "CLOSED", "CLOSED"]);
  });
});
