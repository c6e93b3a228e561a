import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { endlessOn12 as endless, type Serving, serving } from "../serving.ts";

describe("cancelling and deleting", () => {
  let service: Serving;
  beforeAll(async () => {
    service = await serving();
  });
  afterAll(() => service[Symbol.asyncDispose]());

  test("cancelling answers 202 at once, and stops a running simulation at once", async () => {
    const { jobQrn } = await service.submit({ program: endless });
    await service.ended(jobQrn, "RUNNING");
    const { status, body } = await service.call("POST", `/jobs/${jobQrn}/cancel`);
    expect(status).toBe(202);
    expect(body.data).toMatchObject({ jobQrn, status: "CANCELLING" });
    expect(await service.ended(jobQrn)).toMatchObject({ status: "CANCELLED" });
  });

  test("cancelling twice at the same moment cancels once, and then is a conflict", async () => {
    const { jobQrn } = await service.submit({ program: endless });
    const twice = await Promise.all([1, 2].map(() => service.call("POST", `/jobs/${jobQrn}/cancel`)));
    const statuses = twice.map(answer => answer.status).sort();
    expect(statuses[0]).toBe(202);
    expect([202, 409]).toContain(statuses[1]);
    expect((await service.ended(jobQrn)).status).toBe("CANCELLED");
    const late = await service.call("POST", `/jobs/${jobQrn}/cancel`);
    expect([late.status, late.body.error.code]).toEqual([409, "JOB_CANCEL_CONFLICT"]);
  });

  test("a job that waits is cancelled, and never runs", async () => {
    const jobs = await Promise.all(Array.from({ length: 6 }, () => service.submit({ program: endless })));
    const last = jobs.at(-1)!;
    expect(last.queuePosition).toBeGreaterThan(0);
    await service.call("POST", `/jobs/${last.jobQrn}/cancel`);
    const ended = await service.ended(last.jobQrn);
    expect(ended).toMatchObject({ status: "CANCELLED", timeStamps: { executionDuration: null } });
    for (const job of jobs.slice(0, -1)) await service.call("POST", `/jobs/${job.jobQrn}/cancel`);
    for (const job of jobs.slice(0, -1)) await service.ended(job.jobQrn);
  });

  test("a deleted job is gone from everywhere", async () => {
    const user = await service.user();
    const { jobQrn } = await user.ended((await user.submit({ tags: { t: "x" }, name: "findme" })).jobQrn);
    const { body } = await user.call("DELETE", `/jobs/${jobQrn}`);
    expect(body.data).toMatchObject({ jobQrn, stillRunning: false, deletedAt: expect.any(String) });
    for (const path of ["", "/result", "/program", "/program/ascii", "/compiled-program"]) {
      expect((await user.call("GET", `/jobs/${jobQrn}${path}`)).status).toBe(404);
    }
    expect((await user.call("DELETE", `/jobs/${jobQrn}`)).status).toBe(404);
    for (const query of ["", "?search=findme", `?tags=${encodeURIComponent('{"t":"x"}')}`]) {
      expect((await user.call("GET", `/jobs${query}`)).body.data).toEqual([]);
    }
    expect((await user.call("GET", "/jobs/summary")).body.data.total).toBe(0);
    expect((await user.call("GET", "/jobs/statuses")).body.data.COMPLETED).toBe(0);
  });

  test("a job that is deleted while it runs continues, and is settled", async () => {
    const user = await service.user();
    const program = { ...endless, data: endless.data.replace("100000", "2000") };
    const { jobQrn } = await user.submit({ program });
    expect((await user.call("DELETE", `/jobs/${jobQrn}`)).body.data.stillRunning).toBe(true);
    const stored = () =>
      service.store.selectFrom("jobs").selectAll().where("qrn", "=", jobQrn).executeTakeFirstOrThrow();
    await expect.poll(async () => (await stored()).status, { timeout: 20_000 }).toBe("COMPLETED");
    expect((await stored()).cost).toBeGreaterThanOrEqual(375_000);
  });

  test("several jobs are deleted at once, and what is not the caller's is a failure with a reason", async () => {
    const [user, other] = [await service.user(), await service.user()];
    const mine = await user.ended((await user.submit()).jobQrn);
    const runs = await user.submit({ program: endless });
    const theirs = await other.submit();
    const qrns = [mine.jobQrn, runs.jobQrn, theirs.jobQrn, "nothing", "__proto__"];
    const { body } = await user.call("DELETE", `/jobs?qrns=${encodeURIComponent(JSON.stringify(qrns))}`);
    expect(body.data.successfulIds).toEqual([mine.jobQrn, runs.jobQrn]);
    expect(body.data.stillRunning).toEqual([runs.jobQrn]);
    expect(Object.keys(body.data.failedIds)).toEqual([theirs.jobQrn, "nothing", "__proto__"]);
    expect((await other.call("GET", `/jobs/${theirs.jobQrn}`)).status).toBe(200);
  });

  test("a thousand names fit into one deletion", async () => {
    const qrns = Array.from(
      { length: 1000 },
      (_, at) => `svc:svc:sim:statevector-0000-qjob-${String(at).padStart(24, "0")}`,
    );
    const { status, body } = await service.call(
      "DELETE",
      `/jobs?qrns=${encodeURIComponent(JSON.stringify(qrns))}`,
    );
    expect(status).toBe(200);
    expect(Object.keys(body.data.failedIds)).toHaveLength(1000);
  });

  test.each(["", "qrns=", "qrns=x", "qrns=[]", "qrns=[1]", 'qrns={"a":1}'])(
    "deletion with %j is refused",
    async query => {
      const { status, body } = await service.call("DELETE", `/jobs?${query}`);
      expect([status, body.error.details[0].path.split(".")[0]]).toEqual([400, "qrns"]);
    },
  );
});
