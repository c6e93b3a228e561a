import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Serving, serving } from "../serving.ts";

const unmeasured = "OPENQASM 3.0;\nqubit[2] q;\nh q[0];\ncx q[0], q[1];";
const braket =
  "OPENQASM 3.0;\nbit[2] b;\nqubit[2] q;\nh q[0];\ncnot q[0], q[1];\nb[0] = measure q[0];\nb[1] = measure q[1];";
const implied = "gates are Braket's";
const measured = "all qubits are measured";

describe("programs of other services' documentation", { timeout: 120_000 }, () => {
  let service: Serving;
  beforeAll(async () => {
    service = await serving();
  });
  afterAll(() => service[Symbol.asyncDispose]());
  const ended = async (data: string, changes: object = {}) =>
    service.ended((await service.submit({ program: { format: "qasm3", data }, ...changes })).jobQrn);
  const resultOf = async (qrn: string) =>
    (await service.call("GET", `/jobs/${qrn}/result`)).body.data.resultData;

  test.each([
    ["without an include and a measurement", unmeasured, [implied, measured]],
    ["without a measurement", unmeasured.replace("\n", '\ninclude "stdgates.inc";\n'), [measured]],
    ["in Braket's dialect", braket, [implied]],
  ])("%s run, with a note", async (_, data, notes) => {
    for (const deviceQrn of ["svc:svc:sim:statevector", "ibm:emulated:qpu:perth"]) {
      const job = await ended(data, { deviceQrn, shots: 200 });
      expect(job).toMatchObject({ status: "COMPLETED", statusMsg: null });
      expect(job.metadata.diagnostics).toEqual(
        notes.map(note =>
          expect.objectContaining({ severity: "note", message: expect.stringContaining(note) }),
        ),
      );
      const { measurementCounts: counts, registers } = await resultOf(job.jobQrn);
      expect(registers).toEqual([{ name: "b", size: 2 }]);
      expect(counts["00"] + counts["11"]).toBeGreaterThan(150);
      const compiled = await service.call("GET", `/jobs/${job.jobQrn}/compiled-program`);
      expect(compiled.body.data.data).toContain("measure");
    }
  });

  test("have the state before their measurement in an exact run, and no measurement where means are wanted", async () => {
    const exact = await ended(unmeasured, { shots: 0, runtimeOptions: { statevector: true } });
    const { statevector, measurementProbabilities } = await resultOf(exact.jobQrn);
    expect(statevector).toHaveLength(8);
    expect(Object.keys(measurementProbabilities).sort()).toEqual(["00", "11"]);
    for (const shots of [0, 10]) {
      const means = await ended(unmeasured, { shots, runtimeOptions: { observables: ["XX"] } });
      const { registers, expectations } = await resultOf(means.jobQrn);
      expect(registers).toEqual([]);
      expect(expectations[0].value).toBeCloseTo(1);
    }
  });

  test("that carry pragmas of Braket which would change the result fail, and say what to write", async () => {
    const job = await ended(`${braket}\n#pragma braket noise bit_flip(0.1) q[0]`);
    expect(job).toMatchObject({ status: "FAILED", statusMsg: expect.stringContaining("noiseModel") });
  });
});
