import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Serving, serving } from "./serving.ts";

const perth = "ibm:emulated:qpu:perth";
const program = (body: string) => ({
  format: "qasm3",
  data: `OPENQASM 3.0; include "stdgates.inc"; qubit q; bit c; ${body}`,
});

describe("an emulated QPU", () => {
  let service: Serving;
  beforeAll(async () => {
    service = await serving();
  });
  afterAll(() => service[Symbol.asyncDispose]());

  /** The share of ones among 20,000 shots. */
  const ones = async (body: string, noise = {}) => {
    const changes = {
      deviceQrn: perth,
      shots: 20_000,
      program: program(body),
      runtimeOptions: { seed: 3, noise },
    };
    const { jobQrn } = await service.submit(changes);
    await service.ended(jobQrn);
    const { body: answer } = await service.call("GET", `/jobs/${jobQrn}/result`);
    return (answer.data.resultData.measurementCounts["1"] ?? 0) / 20_000;
  };

  test("relaxes over delays by the T1 of its calibration", async () => {
    const { qubits } = (await service.call("GET", `/devices/${perth}/calibrations`)).body.data;
    const { T1, prob0Given1, prob1Given0 } = qubits[0];
    for (const part of [0, 1, 10]) {
      const one = Math.exp(-part);
      const expected = one * (1 - prob0Given1) + (1 - one) * prob1Given0;
      const found = await ones(`x q; delay[${part * T1}us] q; c = measure q;`);
      expect(Math.abs(found - expected)).toBeLessThan(0.025);
    }
  });

  test("has each part of its noise for as long as it is not switched off", async () => {
    const off = { relaxation: false, gates: false, readout: false };
    expect(await ones("x q; delay[1ms] q; c = measure q;", off)).toBe(1);
    expect(await ones("x q; reset q; c = measure q;", { readout: false })).toBeGreaterThan(0.01);
  });

  test.each([{ relaxation: "no" }, { thunder: true }, { drift: -1 }, { overRotation: 2 }])(
    "refuses noise that cannot be: %j",
    async noise => {
      const answer = await service.call("POST", "/jobs", {
        deviceQrn: perth,
        shots: 10,
        program: program("c = measure q;"),
        runtimeOptions: { noise },
      });
      expect(answer.status).toBe(400);
      expect(answer.body.error.details[0].path).toMatch(/^runtimeOptions\.noise/);
    },
  );
});
