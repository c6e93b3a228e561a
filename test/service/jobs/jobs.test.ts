import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bell, bellJob, type Serving, serving, statevector } from "../serving.ts";

describe("jobs", () => {
  let service: Serving;
  beforeAll(async () => {
    service = await serving();
  });
  afterAll(() => service[Symbol.asyncDispose]());

  const get = async (path: string) => (await service.call("GET", path)).body;

  test("a Bell job goes from INITIALIZING to COMPLETED, with counts that add up", async () => {
    const made = await service.call("POST", "/jobs", bellJob({ shots: 1000, name: "first", tags: { n: 1 } }));
    expect(made.status).toBe(201);
    expect(made.body.data).toMatchObject({
      status: "INITIALIZING",
      name: "first",
      tags: { n: 1 },
      shots: 1000,
      numCircuits: 1,
      batchJobQrn: null,
      estimatedCost: 0.375,
      cost: null,
      experimentType: "gate_model",
    });
    expect(made.body.data.jobQrn).toMatch(/^svc:svc:sim:statevector-[0-9a-f]{4}-qjob-[0-9a-f]{24}$/);
    const job = await service.ended(made.body.data.jobQrn);
    expect(job).toMatchObject({ status: "COMPLETED", cost: 0.375, queuePosition: null });
    const { data } = await get(`/jobs/${job.jobQrn}/result`);
    expect(data.timeStamps).toEqual(job.timeStamps);
    const counts: Record<string, number> = data.resultData.measurementCounts;
    expect(Object.keys(counts).sort()).toEqual(["00", "11"]);
    expect(counts["00"]! + counts["11"]!).toBe(1000);
  });

  test("the seed that was drawn repeats the run", async () => {
    const first = await service.ended((await service.submit({ shots: 500 })).jobQrn);
    const again = await service.submit({ shots: 500, runtimeOptions: { seed: first.metadata.seed } });
    await service.ended(again.jobQrn);
    const counts = async (qrn: string) => (await get(`/jobs/${qrn}/result`)).data.resultData;
    expect(await counts(again.jobQrn)).toEqual(await counts(first.jobQrn));
  });

  test("a program that does not compile fails the job at no cost, and says line and column", async () => {
    const program = { format: "qasm3", data: "OPENQASM 3.0;\nqubit q;\nhh q;" };
    const job = await service.ended((await service.submit({ program })).jobQrn);
    expect(job).toMatchObject({ status: "FAILED", cost: 0, statusMsg: expect.stringMatching(/^3:1: /) });
    const result = await service.call("GET", `/jobs/${job.jobQrn}/result`);
    expect(result.status).toBe(404);
    expect(result.body.error).toMatchObject({
      code: "RESULT_NOT_FOUND",
      message: expect.stringContaining("3:1"),
    });
  });

  test("a batch is one job; its results keep their order and their own widths", async () => {
    const three = { format: "qasm3", data: "OPENQASM 3.0;\nqubit[3] q;\nbit[3] c;\nc = measure q;" };
    const made = await service.submit({ program: [bell, three, bell], shots: 10 });
    expect(made).toMatchObject({ numCircuits: 3, batchJobQrn: made.jobQrn });
    await service.ended(made.jobQrn);
    const { data } = await get(`/jobs/${made.jobQrn}/result`);
    expect(data).toHaveLength(3);
    expect(data[1].resultData.measurementCounts).toEqual({ "000": 10 });
    expect((await get(`/jobs/${made.jobQrn}/program`)).data).toEqual([bell, three, bell]);
  });

  test("one bad program fails its batch, which says which one", async () => {
    const made = await service.submit({ program: [bell, { format: "qasm3", data: "OPENQASM 3.0;\nx;" }] });
    const job = await service.ended(made.jobQrn);
    expect(job).toMatchObject({
      status: "FAILED",
      cost: 0,
      statusMsg: expect.stringMatching(/^program 1: 2:/),
    });
  });

  test("a batch of one is answered as a list", async () => {
    const made = await service.submit({ program: [bell] });
    await service.ended(made.jobQrn);
    expect((await get(`/jobs/${made.jobQrn}/result`)).data).toHaveLength(1);
  });

  test("0 shots give exact probabilities, and the state when asked for", async () => {
    const made = await service.submit({ shots: 0, runtimeOptions: { statevector: true } });
    await service.ended(made.jobQrn);
    const { resultData } = (await get(`/jobs/${made.jobQrn}/result`)).data;
    expect(resultData.measurementCounts).toBeNull();
    expect(resultData.measurementProbabilities["00"]).toBeCloseTo(0.5, 6);
    expect(resultData.statevector).toHaveLength(8);
  });

  test("the list is narrowed by status, vendor, tags and words, literally", async () => {
    const odd = await service.submit({ name: "100%_sure", tags: { lab: "B_1", run: 7, dry: true } });
    await service.ended(odd.jobQrn);
    const found = async (query: Record<string, string>) => {
      const { data } = await get(`/jobs?${new URLSearchParams(query)}`);
      return data.map((job: { jobQrn: string }) => job.jobQrn);
    };
    expect(await found({ search: "100%_SURE" })).toEqual([odd.jobQrn]);
    expect(await found({ search: "100__sure" })).toEqual([]);
    expect(await found({ search: odd.jobQrn.slice(-10) })).toEqual([odd.jobQrn]);
    expect(await found({ tags: '{"lab":"B_1","run":7,"dry":true}' })).toEqual([odd.jobQrn]);
    expect(await found({ tags: '{"run":"7"}' })).toEqual([]);
    expect(await found({ vendor: "ibm" })).toEqual([]);
    expect(await found({ provider: "svc", vendor: "svc", limit: "1" })).toEqual([odd.jobQrn]);
    expect(await found({ status: "FAILED", statusGroup: "pending" })).toHaveLength(2);
    expect(await found({ statusGroup: "pending" })).toEqual([]);
  });

  test("pages are cut from newest to oldest, and say where they stand", async () => {
    const all = await get("/jobs?limit=100");
    const second = await get("/jobs?limit=2&page=2");
    expect(second.data).toEqual(all.data.slice(2, 4));
    const { total } = all.pagination;
    expect(second.pagination).toEqual({
      page: 2,
      limit: 2,
      total,
      totalPages: Math.ceil(total / 2),
      hasNext: true,
      hasPrev: true,
    });
    expect(Date.parse(second.meta.timestamp)).not.toBeNaN();
    expect((await get("/jobs?page=1000")).data).toEqual([]);
  });

  test("what the device does not take is refused with every bad field", async () => {
    const { status, body } = await service.call("POST", "/jobs", {
      deviceQrn: statevector,
      shots: 100_001,
      program: [bell, { format: "quil", data: "H 0" }],
      runtimeOptions: { noiseModel: "ibm" },
    });
    expect(status).toBe(400);
    expect(body.error.code).toBe("VALIDATION_ERROR");
    expect(body.error.details.map((detail: { path: string }) => detail.path)).toEqual([
      "program.1.format",
      "shots",
      "runtimeOptions.noiseModel",
    ]);
    expect(body.error.details[0].message).toContain("qasm3");
  });

  test.each([
    ["svc:svc:sim:nothing", 404, "NOT_FOUND"],
    ["svc:svc:sim:statevector-v1", 410, "DEVICE_RETIRED"],
  ])("a job for %s is refused with %i", async (deviceQrn, status, code) => {
    const answer = await service.call("POST", "/jobs", bellJob({ deviceQrn }));
    expect(answer.status).toBe(status);
    expect(answer.body.error.code).toBe(code);
  });
});
