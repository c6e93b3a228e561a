import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Serving, serving } from "./serving.ts";

const DAY_MS = 86_400_000;
const path = "/devices/ibm:emulated:qpu:perth/calibrations";

describe("calibrations in time", () => {
  let service: Serving;
  beforeAll(async () => {
    service = await serving();
  });
  afterAll(() => service[Symbol.asyncDispose]());

  test("are today's by default, and yesterday's as of a day ago", async () => {
    const today = (await service.call("GET", path)).body.data;
    const age = Date.now() - Date.parse(today.lastCalibrated);
    expect(age).toBeGreaterThanOrEqual(0);
    expect(age).toBeLessThan(DAY_MS);
    const at = new Date(Date.parse(today.lastCalibrated) - 1).toISOString();
    const yesterday = (await service.call("GET", `${path}?at=${at}`)).body.data;
    expect(Date.parse(today.lastCalibrated) - Date.parse(yesterday.lastCalibrated)).toBe(DAY_MS);
    expect(yesterday.qubits).not.toEqual(today.qubits);
    expect((await service.call("GET", `${path}?at=2100-01-01T00:00:00Z`)).body.data).toEqual(today);
  });

  test("are missing before there was the device, and refused where the time is none", async () => {
    expect((await service.call("GET", `${path}?at=1999-01-01T00:00:00Z`)).status).toBe(404);
    expect((await service.call("GET", `${path}?at=yesterday`)).status).toBe(400);
  });

  test("are what a job ran under, by the service's clock", async () => {
    const deviceQrn = "ibm:emulated:qpu:perth";
    const before = await service.ended((await service.submit({ deviceQrn })).jobQrn);
    service.pass(DAY_MS);
    const after = await service.ended((await service.submit({ deviceQrn })).jobQrn);
    const times = [before, after].map(({ metadata }) =>
      Date.parse((metadata.calibration as { lastCalibrated: string }).lastCalibrated),
    );
    expect(times[1]! - times[0]!).toBe(DAY_MS);
  });
});
