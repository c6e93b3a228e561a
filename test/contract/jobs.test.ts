import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Body, bell, findSubject, long, type Subject } from "./subject.ts";

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
const submission = (changes: object) => ({ deviceQrn: service.device, shots: 10, program: bell, ...changes });

describe("createJob", () => {
  test("answers 201 with a job that is INITIALIZING", async () => {
    const job = await service.submit({ name: "a name", tags: { text: "x", number: 7, flag: true } });
    expect(job).toMatchObject({
      status: "INITIALIZING",
      experimentType: "gate_model",
      shots: 100,
      name: "a name",
      tags: { text: "x", number: 7, flag: true },
      deviceQrn: service.device,
    });
    expect(job.jobQrn).toContain("qjob");
    expect(job.timeStamps).toMatchObject({ endedAt: null });
    expect(Date.parse(job.timeStamps.createdAt)).not.toBeNaN();
  });

  test("takes a batch of 1 to 2000 programs as one job", async () => {
    const one = await service.submit({ program: [bell], shots: 1 });
    expect(await service.ended(one.jobQrn)).toMatchObject({ status: "COMPLETED", numCircuits: 1 });
    const all = await service.submit({ program: Array(2000).fill(bell), shots: 1 });
    expect(all).toMatchObject({ numCircuits: 2000, batchJobQrn: all.jobQrn });
    expect(await service.ended(all.jobQrn)).toMatchObject({ status: "COMPLETED" });
    expect((await get(`/jobs/${all.jobQrn}/result`)).data).toHaveLength(2000);
  });

  test.each([0, 2001])("refuses a batch of %i programs with 400", async count => {
    expect(await refusal("POST", "/jobs", submission({ program: Array(count).fill(bell) }))).toEqual([
      400,
      "VALIDATION_ERROR",
    ]);
  });

  test.each<[object]>([
    [{ deviceQrn: undefined }],
    [{ shots: undefined }],
    [{ program: undefined }],
    [{ shots: -1 }],
    [{ shots: 1.5 }],
    [{ shots: "10" }],
    [{ name: 7 }],
    [{ tags: { a: null } }],
    [{ tags: { a: 1.5 } }],
    [{ tags: { a: ["x"] } }],
    [{ tags: [] }],
    [{ runtimeOptions: "fast" }],
    [{ program: { format: "qasm3" } }],
    [{ program: { format: "fortran", data: "" } }],
    [{ program: "OPENQASM 3.0;" }],
    [{ runtimeOptions: { seed: "x" } }],
  ])("refuses a submission with %j with 400, and names the field", async changes => {
    const { status, body } = await service.call("POST", "/jobs", { body: submission(changes) });
    expect([status, body.error.code]).toEqual([400, "VALIDATION_ERROR"]);
    expect(body.error.details[0].path.split(".")[0]).toBe(Object.keys(changes)[0]);
  });

  test("takes null where the interface allows it, and keeps options that it does not read", async () => {
    const job = await service.submit({
      name: null,
      groupJobQrn: null,
      runtimeOptions: { colour: { of: ["sky"] } },
    });
    expect(job).toMatchObject({ name: null, groupJobQrn: null, runtimeOptions: { colour: { of: ["sky"] } } });
  });

  test("attaches a job to a group", async () => {
    const { groupJobQrn } = (await service.call("POST", "/jobs/group")).body.data;
    expect(await service.submit({ groupJobQrn })).toMatchObject({ groupJobQrn });
  });

  test("refuses an unknown device and an unknown group with 404", async () => {
    expect(await refusal("POST", "/jobs", submission({ deviceQrn: "svc:svc:sim:none" }))).toEqual([
      404,
      "NOT_FOUND",
    ]);
    expect(await refusal("POST", "/jobs", submission({ groupJobQrn: "group:none" }))).toEqual([
      404,
      "NOT_FOUND",
    ]);
  });
});

describe("a job", () => {
  test("ends COMPLETED with counts that add up to its shots", async () => {
    const job = await service.ended((await service.submit({ shots: 1000 })).jobQrn);
    expect(job).toMatchObject({ status: "COMPLETED" });
    expect(job.timeStamps.executionDuration).toBeGreaterThan(0);
    expect(Date.parse(job.timeStamps.endedAt)).toBeGreaterThanOrEqual(Date.parse(job.timeStamps.createdAt));
    const { data } = await get(`/jobs/${job.jobQrn}/result`);
    expect(data).toMatchObject({ status: "COMPLETED", cost: job.cost, timeStamps: job.timeStamps });
    const counts = Object.entries<number>(data.resultData.measurementCounts);
    expect(counts.map(([bits]) => bits).sort()).toEqual(["00", "11"]);
    expect(counts.reduce((sum, [, count]) => sum + count, 0)).toBe(1000);
  });

  test("passes through documented statuses only, in their order", async () => {
    const order = ["INITIALIZING", "QUEUED", "VALIDATING", "RUNNING", "COMPLETED"];
    const seen: string[] = [];
    const { jobQrn, status } = await service.submit({
      program: { ...long, data: long.data.replace("100000", "3") },
    });
    seen.push(status);
    while (!["COMPLETED", "FAILED"].includes(seen.at(-1)!)) {
      const now = (await get(`/jobs/${jobQrn}`)).data.status;
      if (now !== seen.at(-1)) seen.push(now);
    }
    expect(seen).toEqual(order.filter(each => seen.includes(each)));
    expect(seen.at(-1)).toBe("COMPLETED");
  });

  test("puts the last declared bit on the left", async () => {
    const data = 'OPENQASM 3.0;\ninclude "stdgates.inc";\nqubit[3] q;\nbit[3] c;\nx q[0];\nc = measure q;';
    const job = await service.ended((await service.submit({ program: { format: "qasm3", data } })).jobQrn);
    expect((await get(`/jobs/${job.jobQrn}/result`)).data.resultData.measurementCounts).toEqual({
      "001": 100,
    });
  });

  test("parts several registers by a space", async () => {
    const data =
      'OPENQASM 3.0;\ninclude "stdgates.inc";\nqubit[3] q;\nbit[1] a;\nbit[2] b;\nx q[0];\na[0] = measure q[0];\nb[0] = measure q[1];\nb[1] = measure q[2];';
    const job = await service.ended((await service.submit({ program: { format: "qasm3", data } })).jobQrn);
    expect((await get(`/jobs/${job.jobQrn}/result`)).data.resultData.measurementCounts).toEqual({
      "00 1": 100,
    });
  });

  test("has the same counts for the same seed", async () => {
    const counts = async () => {
      const { jobQrn } = await service.submit({ shots: 500, runtimeOptions: { seed: 42 } });
      await service.ended(jobQrn);
      return (await get(`/jobs/${jobQrn}/result`)).data.resultData.measurementCounts;
    };
    expect(await counts()).toEqual(await counts());
  });

  test("has one string a shot, in order, with memory, and none without", async () => {
    const data = async (runtimeOptions: object) => {
      const { jobQrn } = await service.submit({ shots: 20, runtimeOptions });
      await service.ended(jobQrn);
      return (await get(`/jobs/${jobQrn}/result`)).data.resultData;
    };
    const { measurements, measurementCounts } = await data({ memory: true });
    expect(measurements).toHaveLength(20);
    const tally: Record<string, number> = {};
    for (const bits of measurements) tally[bits] = (tally[bits] ?? 0) + 1;
    expect(tally).toEqual(measurementCounts);
    expect(await data({})).not.toHaveProperty("measurements");
  });

  test("runs exactly with 0 shots, and has the statevector on request", async () => {
    const { jobQrn } = await service.submit({ shots: 0, runtimeOptions: { statevector: true } });
    await service.ended(jobQrn);
    const { measurementProbabilities, statevector } = (await get(`/jobs/${jobQrn}/result`)).data.resultData;
    expect(measurementProbabilities["11"]).toBeCloseTo(0.5, 5);
    expect(statevector).toHaveLength(8);
    expect(statevector[0] ** 2).toBeCloseTo(0.5, 5);
  });

  test("with a program that does not compile ends FAILED, at line and column, at no cost", async () => {
    const program = { format: "qasm3", data: "OPENQASM 3.0;\nqubit q;\n  nonsense q;" };
    const job = await service.ended((await service.submit({ program })).jobQrn);
    expect(job).toMatchObject({ status: "FAILED", cost: 0 });
    expect(job.statusMsg).toMatch(/^3:3: ./);
    const result = await service.call("GET", `/jobs/${job.jobQrn}/result`);
    expect([result.status, result.body.error.code]).toEqual([404, "RESULT_NOT_FOUND"]);
    expect(result.body.message).toContain("FAILED");
    expect(result.body.message).toContain("3:3");
  });

  test("that is a batch with one bad program fails as a whole, and says which", async () => {
    const bad = { format: "qasm3", data: "OPENQASM 3.0;\nqubit q" };
    const job = await service.ended((await service.submit({ program: [bell, bell, bad] })).jobQrn);
    expect(job).toMatchObject({ status: "FAILED", cost: 0, statusMsg: expect.stringContaining("2") });
  });
});

describe("the programs of a job", () => {
  test("are given back as they were submitted", async () => {
    const { jobQrn } = await service.submit();
    expect((await get(`/jobs/${jobQrn}/program`)).data).toEqual(bell);
    const batch = await service.submit({ program: [bell, bell] });
    expect((await get(`/jobs/${batch.jobQrn}/program`)).data).toEqual([bell, bell]);
  });

  test("are drawn in ASCII, one a circuit", async () => {
    const { jobQrn } = await service.submit({ program: [bell, bell] });
    const { data } = await get(`/jobs/${jobQrn}/program/ascii`);
    expect(data.format).toBe("ascii");
    expect(data.circuits.map((circuit: Body) => circuit.index)).toEqual([0, 1]);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: ASCII is what is asked for
    for (const { ascii } of data.circuits) expect(ascii).toMatch(/^[\x00-\x7f]+$/);
  });

  test("have a compiled form, or 404 where none is kept", async () => {
    const { jobQrn } = await service.submit();
    await service.ended(jobQrn);
    const { status, body } = await service.call("GET", `/jobs/${jobQrn}/compiled-program`);
    if (status === 200)
      expect(body.data).toMatchObject({ format: expect.any(String), data: expect.any(String) });
    else expect([status, body.error.code]).toEqual([404, "NOT_FOUND"]);
  });

  test.each(["", "/result", "/program", "/compiled-program", "/program/ascii"])(
    "of an unknown job: GET %s is 404",
    async rest => {
      expect((await refusal("GET", `/jobs/none${rest}`))[0]).toBe(404);
    },
  );
});

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
