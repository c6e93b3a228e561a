import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { compile } from "../../src/simulation/index.ts";
import { type Serving, serving } from "./serving.ts";

const perth = "ibm:emulated:qpu:perth";
const qasm = (body: string) => ({
  format: "qasm3",
  data: `OPENQASM 3.0;\ninclude "stdgates.inc";\n${body}`,
});

describe("an emulated QPU", () => {
  let service: Serving;
  beforeAll(async () => {
    service = await serving();
  });
  afterAll(() => service[Symbol.asyncDispose]());

  const run = async (deviceQrn: string, body: string, runtimeOptions = {}) => {
    const changes = {
      deviceQrn,
      shots: 2000,
      program: qasm(body),
      runtimeOptions: { seed: 1, ...runtimeOptions },
    };
    const job = await service.ended((await service.submit(changes)).jobQrn);
    const read = async (what: string) => (await service.call("GET", `/jobs/${job.jobQrn}/${what}`)).body.data;
    return { job, read };
  };

  test("refuses a gate on physical qubits that it does not couple, before it runs, with their neighbours", async () => {
    const { job } = await run("ibm:emulated:qpu:brisbane", "bit c; cx $0, $126; c = measure $126;");
    expect(job).toMatchObject({ status: "FAILED", cost: 0 });
    expect(job.statusMsg).toBe(
      "3:8: cx $0, $126: the device does not couple these qubits. $0 is coupled to $1, $14; $126 is coupled to $112, $125. Declare qubits with `qubit[n] q;` to have them routed.",
    );
  });

  test.each([
    ["perth", perth, ["rz", "sx", "x", "id", "cx"]],
    ["garnet", "aws:emulated:qpu:garnet", ["prx", "cz"]],
    ["forte", "ionq:emulated:qpu:forte", ["gpi", "gpi2", "zz"]],
    ["brisbane", "ibm:emulated:qpu:brisbane", ["rz", "sx", "x", "id", "ecr"]],
  ])("routes qubits that are not coupled, and shows the transpiled program: %s", async (_, qrn, native) => {
    const { job, read } = await run(
      qrn,
      "qubit[4] q; bit[4] c; h q[0]; for int i in [1:3] { cx q[0], q[i]; } c = measure q;",
    );
    expect(job.status).toBe("COMPLETED");
    const { measurementCounts } = (await read("result")).resultData;
    expect(measurementCounts["0000"] + measurementCounts["1111"]).toBeGreaterThan(1200);
    const { data } = await read("compiled-program");
    const { measure, ...gates } = compile({ format: "qasm3", data }).gateCounts();
    expect(measure).toBe(4);
    expect(native).toEqual(expect.arrayContaining(Object.keys(gates)));
    const again = await service.submit({ deviceQrn: qrn, shots: 100, program: { format: "qasm3", data } });
    expect((await service.ended(again.jobQrn)).status).toBe("COMPLETED");
  });

  test("begins where the initial layout says, and joins gates from level 2 on", async () => {
    const body = "qubit[2] q; bit[2] c; x q[0]; x q[0]; cx q[0], q[1]; c = measure q;";
    const kept = await run(perth, body, { initialLayout: [5, 6] });
    const { data } = await kept.read("compiled-program");
    expect(data).toMatch(/x \$5;\nx \$5;\ncx \$5, \$6;/);
    const joined = await run(perth, body, { initialLayout: [5, 6], optimizationLevel: 2 });
    expect((await joined.read("compiled-program")).data).not.toContain("\nx $5;");
  });

  test("runs a verbatim program as it is written, and refuses one that it would have to change", async () => {
    const options = { verbatim: true, optimizationLevel: 3 };
    const own = await run(perth, "bit c; x $0; x $0; c = measure $0;", options);
    expect((await own.read("compiled-program")).data).toContain("x $0;\nx $0;\n");
    const { job } = await run(perth, "bit c; h $0; c = measure $0;", options);
    expect(job).toMatchObject({
      status: "FAILED",
      cost: 0,
      statusMsg: expect.stringMatching(/^3:8: h \$0: /),
    });
  });

  test.each([
    [[0, 0], "puts the qubits 0 and 1 on the same physical qubit, 0"],
    [[0], "names 1 physical qubits for the program's 2"],
  ])("refuses the initial layout %j", async (initialLayout, message) => {
    const { job } = await run(perth, "qubit[2] q; bit[2] c; c = measure q;", { initialLayout });
    expect(job).toMatchObject({ status: "FAILED", statusMsg: expect.stringContaining(message) });
  });
});
