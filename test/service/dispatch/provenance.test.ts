import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Serving, serving } from "../serving.ts";

describe("the metadata of a job", () => {
  let service: Serving;
  beforeAll(async () => {
    service = await serving();
  });
  afterAll(() => service[Symbol.asyncDispose]());

  test("name what ran it, and the calibration that it ran under", async () => {
    const perth = "ibm:emulated:qpu:perth";
    const { lastCalibrated } = (await service.call("GET", `/devices/${perth}/calibrations`)).body.data;
    const emulated = await service.ended((await service.submit({ deviceQrn: perth })).jobQrn);
    expect(emulated.metadata).toMatchObject({
      seed: expect.any(Number),
      service: { name: "ketbook", version: "0.0.0" },
      calibration: { lastCalibrated },
    });
    expect(Date.parse(lastCalibrated)).not.toBeNaN();
    const program = { format: "qasm3", data: "nonsense" };
    for (const changes of [{}, { program }]) {
      const { metadata } = await service.ended((await service.submit(changes)).jobQrn);
      expect(metadata).toMatchObject({ service: { name: "ketbook" }, calibration: null });
    }
  });
});
