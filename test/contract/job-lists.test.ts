import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Body, findSubject, long, type Subject } from "./subject.ts";

let service: Subject;
beforeAll(async () => {
  service = await findSubject();
});
afterAll(() => service.close());

const get = async (path: string) => (await service.call("GET", path)).body;
const refusal = async (method: string, path: string, body?: unknown) => {
  const answer = await service.call(method, path, { body });
  expect(answer.body.success).toBe(false);
  return [answer.status, answer.body.error.code];
};

describe("listJobs", () => {
  test("answers newest first, with where the page stands and when it was made", async () => {
    const made = [];
    for (let at = 0; at < 3; at += 1) made.push((await service.submit()).jobQrn);
    const { data, pagination, meta } = await get("/jobs?limit=2");
    expect(data.map((job: Body) => job.jobQrn)).toEqual([made[2], made[1]]);
    expect(pagination).toMatchObject({ page: 1, limit: 2, hasNext: true, hasPrev: false });
    expect(pagination.totalPages).toBe(Math.ceil(pagination.total / 2));
    expect(Date.parse(meta.timestamp)).not.toBeNaN();
  });

  test("has pages of 50 by default", async () => {
    expect((await get("/jobs")).pagination).toMatchObject({ page: 1, limit: 50 });
  });

  test("narrows by vendor, provider, status, words and tags", async () => {
    const word = `word${Date.now()}`;
    const { jobQrn } = await service.submit({ name: `x ${word} y`, tags: { [word]: 5 } });
    await service.ended(jobQrn);
    const [vendor, provider] = service.device.split(":");
    const only = async (query: string) => (await get(`/jobs?search=${word}&${query}`)).data.length;
    for (const query of [
      "",
      `vendor=${vendor}`,
      "vendor=all",
      `provider=${provider}`,
      "status=COMPLETED",
      "statusGroup=returned",
      "statusGroup=all",
    ]) {
      expect([query, await only(query)]).toEqual([query, 1]);
    }
    for (const query of ["vendor=ionq", "provider=none", "status=FAILED", "statusGroup=pending"]) {
      expect([query, await only(query)]).toEqual([query, 0]);
    }
    expect(await only("status=COMPLETED&statusGroup=pending")).toBe(1);
    const tagged = async (tags: object) =>
      (await get(`/jobs?tags=${encodeURIComponent(JSON.stringify(tags))}`)).data.length;
    expect(await tagged({ [word]: 5 })).toBe(1);
    expect(await tagged({ [word]: 6 })).toBe(0);
    expect(await tagged({ [word]: "5" })).toBe(0);
  });

  test("takes % and _ in a search for what they are", async () => {
    expect((await get("/jobs?search=%25")).data).toEqual([]);
    const name = `a_b${Date.now()}`;
    await service.submit({ name });
    expect((await get(`/jobs?search=${name}`)).data).toHaveLength(1);
    expect((await get(`/jobs?search=${name.replace("_", "%25")}`)).data).toEqual([]);
  });

  test.each([
    "vendor=google",
    "statusGroup=done",
    "status=done",
    "page=0",
    "page=x",
    "limit=0",
    "limit=101",
    "search=",
    `search=${"x".repeat(256)}`,
    "tags=x",
    "tags=[]",
  ])("refuses %s with 400", async query => {
    expect(await refusal("GET", `/jobs?${query}`)).toEqual([400, "VALIDATION_ERROR"]);
  });
});

describe("cancelJob", () => {
  test("answers 202, and stops the job soon after", async () => {
    const { jobQrn } = await service.submit({ program: long });
    const { status, body } = await service.call("POST", `/jobs/${jobQrn}/cancel`);
    expect(status).toBe(202);
    expect(body.data).toMatchObject({ jobQrn, status: "CANCELLING", message: expect.any(String) });
    expect(await service.ended(jobQrn)).toMatchObject({ status: "CANCELLED", cost: 0 });
    expect(await refusal("POST", `/jobs/${jobQrn}/cancel`)).toEqual([409, "JOB_CANCEL_CONFLICT"]);
  });

  test("of an unknown job is 404", async () => {
    expect(await refusal("POST", "/jobs/none/cancel")).toEqual([404, "NOT_FOUND"]);
  });
});

describe("deleting", () => {
  test("a job takes it out of every answer", async () => {
    const { jobQrn } = await service.submit();
    await service.ended(jobQrn);
    const { body } = await service.call("DELETE", `/jobs/${jobQrn}`);
    expect(body.data).toMatchObject({ jobQrn, stillRunning: false, message: expect.any(String) });
    expect(await refusal("GET", `/jobs/${jobQrn}`)).toEqual([404, "NOT_FOUND"]);
    expect(await refusal("DELETE", `/jobs/${jobQrn}`)).toEqual([404, "NOT_FOUND"]);
    expect((await get(`/jobs?search=${jobQrn}`)).data).toEqual([]);
  });

  test("several jobs says of each what happened, and which still run", async () => {
    const done = await service.ended((await service.submit()).jobQrn);
    const runs = await service.submit({ program: { ...long, data: long.data.replace("100000", "20") } });
    const qrns = encodeURIComponent(JSON.stringify([done.jobQrn, runs.jobQrn, "none"]));
    const { status, body } = await service.call("DELETE", `/jobs?qrns=${qrns}`);
    expect(status).toBe(200);
    expect(body.data).toEqual({
      successfulIds: [done.jobQrn, runs.jobQrn],
      failedIds: { none: expect.any(String) },
      stillRunning: [runs.jobQrn],
    });
  });

  test.each(["", "?qrns=none", "?qrns={}", "?qrns=[1]"])("with %j is refused with 400", async query => {
    expect(await refusal("DELETE", `/jobs${query}`)).toEqual([400, "VALIDATION_ERROR"]);
  });
});

describe("figures", () => {
  test("count every job of the caller once", async () => {
    const { data: statuses } = await get("/jobs/statuses");
    const { data: summary } = await get("/jobs/summary");
    const { pagination } = await get("/jobs");
    const all = [
      "INITIALIZING",
      "QUEUED",
      "VALIDATING",
      "RUNNING",
      "CANCELLING",
      "CANCELLED",
      "COMPLETED",
      "FAILED",
      "UNKNOWN",
      "HOLD",
    ];
    expect(Object.keys(statuses).sort()).toEqual(all.sort());
    const sum = (counts: Record<string, number>) => Object.values(counts).reduce((a, b) => a + b, 0);
    expect(sum(statuses)).toBe(pagination.total);
    expect(summary.total).toBe(pagination.total);
    expect(sum(summary.experimentTypes)).toBe(summary.total);
    expect(sum(summary.deviceTypes)).toBe(summary.total);
    expect(summary.shots.average).toBeCloseTo(summary.shots.total / summary.total);
  });
});

describe("getJobCostEstimate", () => {
  const quote = (query: string) => get(`/jobs/cost-estimate?deviceQrn=${service.device}&${query}`);

  test("quotes a simulator the same for any number of shots", async () => {
    const { data } = await quote("shots=1");
    expect(data).toMatchObject({
      pricingAvailable: true,
      estimatedCost: expect.any(Number),
      deviceQrn: service.device,
    });
    expect((await quote("shots=100000")).data.estimatedCost).toBe(data.estimatedCost);
    const { task, shots, time } = data.breakdown;
    expect(task + shots + time).toBeCloseTo(data.estimatedCost, 6);
  });

  test("defaults to 1000 shots", async () => {
    expect((await quote("")).data.shots).toBe(1000);
  });

  test("is what a job then says it should cost", async () => {
    const { estimatedCost } = await service.submit();
    expect(estimatedCost).toBe((await quote("shots=100")).data.estimatedCost);
  });

  test.each(["shots=0", "shots=100001", "shots=x"])("refuses %s with 400", async query => {
    const { status } = await service.call("GET", `/jobs/cost-estimate?deviceQrn=${service.device}&${query}`);
    expect(status).toBe(400);
  });

  test("refuses a missing device with 400, and an unknown one with 404", async () => {
    expect((await refusal("GET", "/jobs/cost-estimate"))[0]).toBe(400);
    expect((await refusal("GET", "/jobs/cost-estimate?deviceQrn=svc:svc:sim:none"))[0]).toBe(404);
  });
});
