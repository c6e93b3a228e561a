import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Serving, serving } from "../serving.ts";

const program = {
  format: "qasm3",
  data: 'OPENQASM 3.0; include "stdgates.inc"; qubit q; bit c; x q; c = measure q;',
};
const flip = { channel: "bit_flip", probability: 0.2 };
const model = (...channels: unknown[]) => ({ rules: [{ channels }], readout: [] });
const half = Math.SQRT1_2;

describe("a job with a noise model of its own", () => {
  let service: Serving;
  beforeAll(async () => {
    service = await serving();
  });
  afterAll(() => service[Symbol.asyncDispose]());
  const submit = (noiseModel: unknown, deviceQrn = "svc:svc:sim:noisy") =>
    service.call("POST", "/jobs", {
      deviceQrn,
      shots: 4000,
      program,
      runtimeOptions: { seed: 1, noiseModel },
    });

  test("runs under it", async () => {
    const { jobQrn } = (await submit(model(flip))).body.data;
    expect((await service.ended(jobQrn)).status).toBe("COMPLETED");
    const { body } = await service.call("GET", `/jobs/${jobQrn}/result`);
    expect(body.data.resultData.measurementCounts["0"] / 4000).toBeCloseTo(0.2, 1);
  });

  test.each([
    [{}, ["rules", "readout"]],
    [{ rules: [], readout: [], thunder: 1 }, ["thunder"]],
    [model({ channel: "thunder" }), ["rules.0.channels.0.channel"]],
    [model({ channel: "bit_flip", probability: -0.1 }), ["rules.0.channels.0.probability"]],
    [model({ channel: "bit_flip", probability: "1" }), ["rules.0.channels.0.probability"]],
    [model({ channel: "thermal_relaxation", T1: 1, T2: 3, time: 1 }), ["rules.0.channels.0.T2"]],
    [model({ channel: "pauli", probabilities: { X: 0.6, Y: 0.6 } }), ["rules.0.channels.0.probabilities"]],
    [model({ channel: "pauli", probabilities: { Q: 0.6 } }), ["rules.0.channels.0.probabilities"]],
    [
      model({
        channel: "kraus",
        operators: [
          [
            [half, 0],
            [0, 1],
          ],
        ],
      }),
      ["rules.0.channels.0.operators"],
    ],
    [
      model({
        channel: "kraus",
        operators: [
          [
            [1, 0, 0],
            [0, 1, 0],
            [0, 0, 1],
          ],
        ],
      }),
      ["rules.0.channels.0.operators"],
    ],
    [
      model({
        channel: "kraus",
        operators: new Array(17).fill([
          [1, 0],
          [0, 1],
        ]),
      }),
      ["rules.0.channels.0.operators"],
    ],
    [model(...new Array(17).fill(flip)), ["rules.0.channels"]],
    [{ rules: [], readout: [{ zeroGivenOne: 2, oneGivenZero: 0 }] }, ["readout.0.zeroGivenOne"]],
  ])("is refused where the model is not physical, or none: %j", async (noiseModel, paths) => {
    const { status, body } = await submit(noiseModel);
    expect(status).toBe(400);
    expect(body.error.code).toBe("VALIDATION_ERROR");
    const found = body.error.details.map(({ path }: { path: string }) => path);
    expect(found).toEqual(paths.map(path => `runtimeOptions.noiseModel.${path}`));
  });

  test("is refused where the model is too long", async () => {
    const { status, body } = await submit({ ...model(flip), name: "x".repeat(300_000) });
    expect(status).toBe(400);
    expect(body.error.details[0].message).toContain("262144 characters");
  });

  test.each(["ibm:emulated:qpu:perth", "svc:svc:sim:statevector"])("is refused by %s", async qrn => {
    const { status, body } = await submit(model(flip), qrn);
    expect([status, body.error.details[0].path]).toEqual([400, "runtimeOptions.noiseModel"]);
    expect(body.error.details[0].message).toContain("simulators of noise");
  });
});
