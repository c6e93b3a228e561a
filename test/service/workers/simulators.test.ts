import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { RuntimeJob } from "../../../src/contract/job.ts";
import { isTerminalJob } from "../../../src/contract/status.ts";
import { contradicts } from "../../simulation/chi-square.ts";
import { type Body, bell, bellJob, type Serving, serving } from "../serving.ts";

const device = (name: string) => `svc:svc:sim:${name}`;
const qasm = (body: string) => ({
  format: "qasm3",
  data: `OPENQASM 3.0;\ninclude "stdgates.inc";\n${body}`,
});
const ghz = (qubits: number) =>
  qasm(
    `qubit[${qubits}] q; bit[${qubits}] c; h q[0];\nfor uint i in [0:${qubits - 2}] { cx q[i], q[i + 1]; }\nc = measure q;`,
  );

describe("the simulators of the standard catalogue", () => {
  let service: Serving;
  beforeAll(async () => {
    service = await serving();
  });
  afterAll(() => service[Symbol.asyncDispose]());

  const run = async (changes: object): Promise<{ job: RuntimeJob; data: Body }> => {
    const job = await service.ended((await service.submit(changes)).jobQrn);
    const { body } = await service.call("GET", `/jobs/${job.jobQrn}/result`);
    return { job, data: body.data?.resultData };
  };
  const compiledBy = async ({ jobQrn }: RuntimeJob): Promise<string> =>
    (await service.call("GET", `/jobs/${jobQrn}/compiled-program`)).body.data.data;

  test.each(["statevector", "sparse", "stabilizer", "tensor", "noisy", "density"])(
    "%s is online, quotes, runs, charges what it is priced, and says how it ran",
    async name => {
      const { body } = await service.call("GET", `/devices/${device(name)}`);
      expect(body.data.status).toBe("ONLINE");
      const quote = (await service.call("GET", `/jobs/cost-estimate?deviceQrn=${device(name)}`)).body.data;
      expect(quote).toMatchObject({
        pricingAvailable: true,
        estimatedCost: name === "statevector" ? 0.375 : 0,
      });
      const { job, data } = await run({ deviceQrn: device(name), shots: 200 });
      expect(job).toMatchObject({ status: "COMPLETED", cost: name === "statevector" ? 0.375 : 0 });
      const total = Object.values<number>(data.measurementCounts).reduce((sum, count) => sum + count, 0);
      expect(total).toBe(200);
      expect(await compiledBy(job)).toContain(`// Method: ${job.metadata.method}. `);
    },
  );

  test("the sparse and the stabilizer simulator take registers that no state vector has", async () => {
    for (const [name, qubits] of [
      ["sparse", 200],
      ["stabilizer", 2000],
    ] as const) {
      const { job, data } = await run({ deviceQrn: device(name), program: ghz(qubits), shots: 50 });
      expect(job.metadata.method).toBe(name);
      expect(Object.keys(data.measurementCounts).sort()).toEqual(["0".repeat(qubits), "1".repeat(qubits)]);
    }
  });

  test("the noisy simulator takes programs of any width, those of Clifford gates under Pauli errors as stabilizers", async () => {
    const runtimeOptions = {
      seed: 1,
      noiseModel: {
        rules: [{ gates: ["x"], channels: [{ channel: "bit_flip", probability: 0.25 }] }],
        readout: [],
      },
    };
    const program = qasm("qubit[60] q; bit[60] c; x q; c = measure q;");
    const { job, data } = await run({ deviceQrn: device("noisy"), program, shots: 400, runtimeOptions });
    expect(job.metadata.method).toBe("stabilizer");
    const counts = Object.entries<number>(data.measurementCounts);
    const zeros = counts.reduce((sum, [key, count]) => sum + count * key.replaceAll("1", "").length, 0);
    expect(Math.abs(zeros - 6000)).toBeLessThan(5 * Math.sqrt(24_000 * 0.25 * 0.75));
    const other = qasm("qubit[60] q; bit[60] c; t q; h q; c = measure q;");
    const wide = await run({ deviceQrn: device("noisy"), program: other, shots: 400, runtimeOptions });
    expect(wide.job.metadata.method).toBe("matrix product state");
    const refused = await run({ deviceQrn: device("density"), program: other, shots: 400, runtimeOptions });
    expect(refused.job).toMatchObject({ status: "FAILED", statusMsg: expect.stringContaining("60 qubits") });
  });

  test("the tensor network simulator takes entangled qubits by the hundred, and says how many Schmidt values they have", async () => {
    const program = qasm(
      "qubit[200] q; bit[200] c; ry(0.4) q; cx q[0:198], q[1:199]; rx(0.7) q; c = measure q;",
    );
    const { job } = await run({ deviceQrn: device("tensor"), program, shots: 50 });
    expect(job.metadata).toMatchObject({
      method: "matrix product state",
      bondDimension: 2,
      estimatedFidelity: 1,
    });
    expect(await compiledBy(job)).toContain("Bonds have at most 2 Schmidt values, and none was left out.");
    const submission = { deviceQrn: device("tensor"), program, shots: 50 };
    const cut = await run({ ...submission, runtimeOptions: { maxBondDimension: 1 } });
    expect(cut.job.metadata.bondDimension).toBe(1);
    expect(cut.job.metadata.estimatedFidelity).toBeLessThan(0.99);
    const refused = await service.call("POST", "/jobs", bellJob({ runtimeOptions: { maxBondDimension: 0 } }));
    expect([refused.status, refused.body.error.details[0].path]).toEqual([
      400,
      "runtimeOptions.maxBondDimension",
    ]);
  });

  test("the density matrix simulator has the noisy simulator's exact probabilities, and its own method for shots", async () => {
    const program = qasm(
      "qubit[3] q; bit[3] c; h q[0]; cx q[0:1], q[1:2]; c[0] = measure q[0]; if (c[0]) { h q[1]; } c = measure q;",
    );
    const [noisy, density] = await Promise.all(
      ["noisy", "density"].map(name => run({ deviceQrn: device(name), program, shots: 0 })),
    );
    for (const [key, expected] of Object.entries<number>(noisy!.data.measurementProbabilities))
      expect(density!.data.measurementProbabilities[key]).toBeCloseTo(expected, 10);
    const drawn = await run({ deviceQrn: device("density"), program, shots: 4000 });
    expect(drawn.job.metadata.method).toBe("density matrix");
    expect(contradicts(drawn.data.measurementCounts, noisy!.data.measurementProbabilities)).toBe(false);
    const wide = await run({ deviceQrn: device("density"), program: ghz(13) });
    expect(wide.job.statusMsg).toMatch(/acts on 13 qubits; svc:svc:sim:density has 12/);
  });

  test("the stabilizer simulator gives exact probabilities", async () => {
    const { data } = await run({ deviceQrn: device("stabilizer"), program: ghz(40), shots: 0 });
    expect(data.measurementProbabilities).toEqual({ ["0".repeat(40)]: 0.5, ["1".repeat(40)]: 0.5 });
  });

  test("a gate that is not Clifford is refused with its place, and with the devices that take it", async () => {
    const program = qasm("qubit[3] q; bit[3] c;\nh q;\n  t q[1];\nc = measure q;");
    const { job } = await run({ deviceQrn: device("stabilizer"), program });
    expect(job.status).toBe("FAILED");
    expect(job.statusMsg).toMatch(/^5:3: t is not a Clifford gate/);
    expect(job.statusMsg).toMatch(/It runs on svc:svc:sim:statevector, or on svc:svc:sim:sparse/);
    expect(job.cost).toBe(0);
  });

  test("too many qubits for a density matrix are sent to the simulator that has the same noise", async () => {
    const { job } = await run({ deviceQrn: device("density"), program: ghz(13) });
    expect(job.statusMsg).toBe(
      "The program acts on 13 qubits; svc:svc:sim:density has 12. It runs on svc:svc:sim:noisy.",
    );
  });

  test("too many qubits are refused with the device's number, idle ones left out", async () => {
    const wide = await run({ program: ghz(40) });
    expect(wide.job.statusMsg).toBe(
      "The program acts on 40 qubits; svc:svc:sim:statevector has 26. It runs on svc:svc:sim:sparse while few amplitudes are not zero, or on svc:svc:sim:stabilizer, or on svc:svc:sim:automatic if one of its methods can hold its state.",
    );
    const idle = qasm(
      "qubit[90] q; bit[2] c; h q[80]; cx q[80], q[7]; c[0] = measure q[80]; c[1] = measure q[7];",
    );
    for (const name of ["statevector", "noisy"]) {
      const { job } = await run({ deviceQrn: device(name), program: idle });
      expect(job, name).toMatchObject({ status: "COMPLETED" });
    }
  });

  test("the automatic simulator runs each program by what is cheapest, and says which", async () => {
    const methodOf = async (program: ReturnType<typeof qasm>) => {
      const { job } = await run({ deviceQrn: device("automatic"), program });
      expect(job.statusMsg).toBeNull();
      return job.metadata.method;
    };
    const turns = "for int i in [0:59] { ry(0.1 * i) q[i]; } cx q[0:58], q[1:59];";
    expect(await methodOf(ghz(2000))).toBe("stabilizer");
    expect(await methodOf(qasm(`qubit[60] q; bit[60] c; ${turns} c = measure q;`))).toBe(
      "matrix product state",
    );
    expect(await methodOf(qasm("qubit[3] q; bit[3] c; h q; ccx q[0], q[1], q[2]; h q; c = measure q;"))).toBe(
      "statevector",
    );
  });

  test("what does not fit into memory is refused before it is allocated, with the figure", async () => {
    const program = qasm("qubit[13] q; bit[13] c; h q; c = measure q;");
    const { job } = await run({ deviceQrn: device("noisy"), program, shots: 0 });
    expect(job.status).toBe("FAILED");
    expect(job.statusMsg).toMatch(/for 13 qubits takes 512 MiB; at most 12 qubits and [\d.]+ [MG]iB/);
  });

  test("the state vector simulator runs wide Clifford programs by stabilizers, unless a precision is asked for", async () => {
    const wide = ghz(20);
    const free = await run({ program: wide });
    expect(free.job.metadata.method).toBe("stabilizer");
    expect(await compiledBy(free.job)).toContain(
      "// Method: stabilizer. The program has only Clifford gates",
    );
    const dense = await run({ program: wide, runtimeOptions: { precision: "double" } });
    expect(dense.job.metadata.method).toBe("statevector");
    expect(await compiledBy(dense.job)).toContain("double precision");
    const refused = await service.call("POST", "/jobs", bellJob({ runtimeOptions: { precision: "half" } }));
    expect([refused.status, refused.body.error.details[0].path]).toEqual([400, "runtimeOptions.precision"]);
  });

  test("the noisy simulator gives memory, outputs and exact probabilities, all misread alike", async () => {
    const options = { noiseModel: "readout", memory: true };
    const program = qasm("qubit[2] q; output bit[2] c; x q[0]; c = measure q;");
    const noisy = { deviceQrn: device("noisy"), program };
    const { data } = await run({ ...noisy, shots: 2000, runtimeOptions: options });
    expect(data.measurements).toHaveLength(2000);
    expect(data.outputs.map(({ c }: Body) => c)).toEqual(
      data.measurements.map((bits: number[]) => bits.join("")),
    );
    const exact = (await run({ ...noisy, shots: 0, runtimeOptions: options })).data.measurementProbabilities;
    for (const [key, expected] of Object.entries({
      "00": 0.03 * 0.99,
      "01": 0.97 * 0.99,
      10: 0.03 * 0.01,
      11: 0.97 * 0.01,
    }))
      expect(exact[key]).toBeCloseTo(expected, 12);
    expect(contradicts(data.measurementCounts, exact)).toBe(false);
  });

  test("every noise model that the noisy device names runs, and differs; the first is the default", async () => {
    const { noiseModels, notes } = (await service.call("GET", `/devices/${device("noisy")}`)).body.data;
    for (const name of noiseModels) expect(notes).toContain(`\n${name}: `);
    const program = qasm(
      `qubit[3] q; bit[3] c; x q; ${"cx q[0], q[1]; sx q[2]; sx q[2]; ".repeat(10)}h q[0]; id q; h q[0]; c = measure q;`,
    );
    const seen = new Set<string>();
    const exact = async (runtimeOptions: object) =>
      JSON.stringify((await run({ deviceQrn: device("noisy"), program, shots: 0, runtimeOptions })).data);
    for (const noiseModel of noiseModels) seen.add(await exact({ noiseModel }));
    expect(seen.size).toBe(noiseModels.length);
    expect(await exact({})).toBe(await exact({ noiseModel: noiseModels[0] }));
  });

  test("an emulated QPU runs few qubits as a density matrix, and wide Clifford programs by stabilizers", async () => {
    const deviceQrn = "ibm:emulated:qpu:brisbane";
    const few = await run({ deviceQrn, shots: 2000 });
    expect(few.job.metadata.method).toBe("density matrix");
    expect(Object.keys(few.data.measurementCounts)).toHaveLength(4);
    const wide = await run({ deviceQrn, program: ghz(60), shots: 500 });
    expect(wide.job.metadata.method).toBe("stabilizer");
    expect(Object.keys(wide.data.measurementCounts).length).toBeGreaterThan(100);
  });

  test("an unknown noise model is refused with those that there are", async () => {
    const changes = { deviceQrn: device("noisy"), runtimeOptions: { noiseModel: "thunder" } };
    const { status, body } = await service.call("POST", "/jobs", bellJob(changes));
    expect(status).toBe(400);
    expect(body.error.details[0].message).toMatch(/"typical", "depolarizing", "amplitude_damping"/);
  });

  test.each([
    ["statevector", qasm("qubit[16] q; bit[16] c; h q; t q; cx q[0:14], q[1:15]; rx(0.3) q; c = measure q;")],
    [
      "sparse",
      qasm("qubit[40] q; bit[40] c; h q[0:7]; t q; cx q[0:7], q[20:27]; rx(0.3) q[2]; c = measure q;"),
    ],
    ["stabilizer", qasm("qubit[40] q; bit[40] c; h q; cz q[0:38], q[1:39]; c = measure q;")],
    ["noisy", qasm("qubit[3] q; bit[3] c; h q; t q; cx q[0], q[1]; rx(0.3) q; c = measure q;")],
    ["noisy", qasm("qubit[9] q; bit[9] c; h q; t q; cx q[0:7], q[1:8]; rx(0.3) q; c = measure q;")],
  ])("the same seed gives the same counts on %s, whatever else the workers do", async (name, program) => {
    const changes = { deviceQrn: device(name), program, shots: 500, runtimeOptions: { seed: 5 } };
    const alone = (await run(changes)).data.measurementCounts;
    const [other, again, third] = await Promise.all([
      run({ ...changes, runtimeOptions: { seed: 6 } }),
      run(changes),
      run({ ...changes, program: [program, bell] }),
    ]);
    expect(again.data.measurementCounts).toEqual(alone);
    expect(other.data.measurementCounts).not.toEqual(alone);
    const { body } = await service.call("GET", `/jobs/${third.job.jobQrn}/result`);
    expect(body.data[0].resultData.measurementCounts).toEqual(alone);
  });

  const busy = "for int i in [0:1000000]";
  test.each([
    [
      "statevector",
      qasm(`qubit[20] q; bit c; ${busy} { h q; t q; cz q[0:18], q[1:19]; } c = measure q[0];`),
      1,
    ],
    ["sparse", qasm(`qubit[16] q; bit c; h q; ${busy} { t q; h q; } c = measure q[0];`), 1],
    [
      "stabilizer",
      qasm(`qubit[1000] q; bit c; ${busy} { h q; cz q[0:998], q[1:999]; } c = measure q[0];`),
      9,
    ],
    ["noisy", qasm(`qubit[10] q; bit c; ${busy} { h q; t q; cz q[0:8], q[1:9]; } c = measure q[0];`), 0],
    ["noisy", qasm(`qubit[20] q; bit c; ${busy} { h q; t q; cz q[0:18], q[1:19]; } c = measure q[0];`), 9],
  ])("a job that runs on %s for longer than anybody waits is cancelled", async (name, program, shots) => {
    const { jobQrn } = await service.submit({ deviceQrn: device(name), program, shots });
    await service.ended(jobQrn, "RUNNING");
    await new Promise(resolve => setTimeout(resolve, 100));
    await service.call("POST", `/jobs/${jobQrn}/cancel`);
    expect((await service.ended(jobQrn)).status).toBe("CANCELLED");
  });

  test("a job that runs says which part is done, and no more when it has ended", async () => {
    const runSeen = async (layers: number) => {
      const program = qasm(
        `qubit[12] q; bit[12] c;\n${"h q; t q; cz q[0:10], q[1:11];\n".repeat(layers)}c = measure q;`,
      );
      const { jobQrn } = await service.submit({ program, shots: 10 });
      const seen: number[] = [];
      for (;;) {
        const { body } = await service.call("GET", `/jobs/${jobQrn}`, undefined, { prefer: "wait=1" });
        const job: RuntimeJob = body.data;
        if (isTerminalJob(job.status)) return { job, seen };
        if (typeof job.metadata.progress === "number") seen.push(job.metadata.progress);
      }
    };
    // Reports come every 200 ms: a faster machine takes a longer program, and so does one that is too busy to read them all.
    let layers = 2000;
    let { job, seen } = await runSeen(layers);
    while (new Set(seen).size < 2 && layers < 16_000) {
      layers *= 2;
      ({ job, seen } = await runSeen(layers));
    }
    expect(new Set(seen).size).toBeGreaterThan(1);
    expect(seen).toEqual(seen.toSorted((a, b) => a - b));
    expect(job.status).toBe("COMPLETED");
    expect(job.metadata).not.toHaveProperty("progress");
  });
});
