import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openClient } from "../../src/client/client.ts";
import { unpackCounts } from "../../src/contract/packed.ts";
import type { RawResult } from "../../src/contract/result.ts";
import { type Body, bell, findSubject, type Subject } from "./subject.ts";

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
    const ended = await service.ended(all.jobQrn);
    expect(ended).toMatchObject({ status: "COMPLETED", numCircuits: 2000 });
    expect(JSON.stringify(ended).length).toBeLessThan(2000);
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
    expect(job.metadata.executionMicroseconds).toBeGreaterThan(0);
    expect(job.timeStamps.executionDuration).toBe(Math.round(job.metadata.executionMicroseconds / 1000));
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
    const data = `OPENQASM 3.0;\ninclude "stdgates.inc";\nqubit[16] q;\nbit c;\nfor int i in [0:60] { h q; t q; cz q[0:14], q[1:15]; }\nc = measure q[0];`;
    const { jobQrn, status } = await service.submit({ program: { format: "qasm3", data } });
    seen.push(status);
    while (!["COMPLETED", "FAILED"].includes(seen.at(-1)!)) {
      const now = (await get(`/jobs/${jobQrn}`)).data.status;
      if (now !== seen.at(-1)) seen.push(now);
      await sleep(3);
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
    for (const bits of measurements) tally[bits.join("")] = (tally[bits.join("")] ?? 0) + 1;
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

  test("has the expectation values that it asks for, from the final state and under noise from that of each shot", async () => {
    const asked = async (changes: object) => {
      const observables = ["XX", "0.5*Z0 - Z0 Z1 + 2", { YY: 2 }];
      const job = await service.submit({ shots: 100, runtimeOptions: { observables, seed: 1 }, ...changes });
      await service.ended(job.jobQrn);
      return (await get(`/jobs/${job.jobQrn}/result`)).data.resultData.expectations;
    };
    const exactly = (mean: number) => {
      const value = expect.closeTo(mean, 5);
      return { value, low: value, high: value, variance: 0, standardError: 0, shots: 0 };
    };
    expect(await asked({})).toEqual([
      { observable: "XX", ...exactly(1) },
      { observable: "0.5*Z0 - Z0 Z1 + 2", ...exactly(1) },
      { observable: { YY: 2 }, ...exactly(-2) },
    ]);
    const [noisy] = await asked({ deviceQrn: "svc:svc:sim:noisy" });
    expect(noisy.value).toBeGreaterThan(0.5);
    expect(noisy).toMatchObject({ observable: "XX" });
  });

  test("is refused observables on an emulated QPU, and ends FAILED with what does not fit its program", async () => {
    const body = { deviceQrn: "ibm:emulated:qpu:perth", shots: 10, program: bell };
    const runtimeOptions = { observables: ["ZZ"] };
    const refused = await service.call("POST", "/jobs", { body: { ...body, runtimeOptions } });
    expect([refused.status, refused.body.error.details[0].path]).toEqual([400, "runtimeOptions.observables"]);
    const job = await service.submit({ runtimeOptions: { observables: ["ZZ", "ZZZ"] } });
    expect(await service.ended(job.jobQrn)).toMatchObject({
      status: "FAILED",
      statusMsg: expect.stringMatching(/^observables\[1\]: 3 letters don't fit a state of 2 qubits/),
    });
  });

  test("sends many counts in a packed form to who prefers it, and as they are to all others", async () => {
    const data = `OPENQASM 3.0;\ninclude "stdgates.inc";\nqubit[14] q;\nbit[14] c;\nry(1) q;\nc = measure q;`;
    const wide = { format: "qasm3", data };
    const { jobQrn } = await service.submit({ shots: 20_000, program: [wide, bell, wide] });
    await service.ended(jobQrn);
    const path = `/jobs/${encodeURIComponent(jobQrn)}/result`;
    const plain = (await get(path)).data;
    const headers = { "x-api-key": service.key, prefer: "wait=5, outcomes=packed" };
    const sent: Body = await (await fetch(`${service.url}${path}`, { headers })).json();
    expect(JSON.stringify(plain).length).toBeGreaterThan(4 * JSON.stringify(sent.data).length);
    expect(sent.data).toHaveLength(3);
    for (const [i, { resultData }] of sent.data.entries()) {
      const { packedCounts, measurementCounts } = resultData;
      expect(packedCounts === undefined).toBe(i === 1);
      const counts = packedCounts ? unpackCounts(packedCounts) : measurementCounts;
      expect(counts).toEqual(plain[i].resultData.measurementCounts);
      expect(plain[i].resultData).not.toHaveProperty("packedCounts");
    }
    const client = openClient({ url: service.url, apiKey: service.key });
    const read = (await client.jobs.result(jobQrn)) as RawResult[];
    expect(read.map(({ resultData }) => resultData)).toEqual(plain.map(({ resultData }: Body) => resultData));
  });

  test("sends a memory of many shots, and outcomes of many bits, packed to who prefers it, and as they are to all others", async () => {
    const qasm = (bits: number, more = "") =>
      `OPENQASM 3.0;\ninclude "stdgates.inc";\nqubit[${bits}] q;\nbit[${bits}] c;\nbit d;\nh q;\ncz q[0], q[1];\nc = measure q;\nd = c[1];\n${more}`;
    const program = [qasm(14), qasm(40), qasm(14, "int n = 3;")].map(data => ({ format: "qasm3", data }));
    const shots = 5_000;
    for (const memory of [true, false]) {
      const device = { deviceQrn: "svc:svc:sim:stabilizer", runtimeOptions: { memory } };
      const { jobQrn } = await service.submit({ ...device, shots, program });
      await service.ended(jobQrn);
      const path = `/jobs/${encodeURIComponent(jobQrn)}/result`;
      const plain = (await get(path)).data.map(({ resultData }: Body) => resultData);
      const headers = { "x-api-key": service.key, prefer: "outcomes=packed" };
      const { data }: Body = await (await fetch(`${service.url}${path}`, { headers })).json();
      const packed = data.map(({ resultData }: Body) => resultData);
      const lengthOf = (each: Body) => JSON.stringify(each).length;
      for (const [i, { measurementCounts, measurements, outputs, ...rest }] of plain.entries()) {
        const isPacked = i < 2 || !memory;
        expect("packedCounts" in packed[i]).toBe(isPacked);
        expect("packedMeasurements" in packed[i]).toBe(isPacked && memory);
        if (!isPacked) expect(packed[i]).toEqual(plain[i]);
        else expect(lengthOf(plain[i])).toBeGreaterThan(3 * lengthOf(packed[i]));
        expect(rest).not.toHaveProperty("packedMeasurements");
        const counted: { [outcome: string]: number } = {};
        const key = Object.keys(measurementCounts)[0]!;
        const written = measurements?.map((bits: number[]) => {
          const rest = [...bits];
          return key.replaceAll(/[01]/g, () => String(rest.shift()));
        });
        for (const outcome of written ?? []) counted[outcome] = (counted[outcome] ?? 0) + 1;
        if (memory) expect(measurementCounts).toEqual(counted);
        const values = written?.map((outcome: string) => {
          const [d, c] = outcome.split(" ");
          return { c, d, ...(i === 2 ? { n: 3 } : {}) };
        });
        expect(outputs).toEqual(values);
      }
      const client = openClient({ url: service.url, apiKey: service.key });
      const read = (await client.jobs.result(jobQrn)) as RawResult[];
      const joined = (each: Body) => ({
        ...each,
        ...(each.measurements && {
          measurements: each.measurements.map((shot: string | number[]) =>
            [...shot].join("").replaceAll(" ", ""),
          ),
        }),
      });
      expect(read.map(({ resultData }) => joined(resultData))).toEqual(plain.map(joined));
    }
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
