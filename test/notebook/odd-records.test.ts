import { inspect } from "node:util";
import { expect, test } from "vitest";
import { serving } from "./serving.ts";

const hostile = {
  toJSON: 1,
  toString: "x",
  show: "y",
  settled: 2,
  face: 3,
  constructor: null,
  hasOwnProperty: 4,
  calibration: { lastCalibrated: "2026-11-01T00:00:00Z" },
};

test("no member of a service's record takes away what a device can do", async () => {
  const record = { qrn: "a:b:qpu:c", name: "C", deviceType: "QPU", coupling: "tunable", ...hostile };
  await using service = await serving({
    "/devices": [record],
    "/devices/a:b:qpu:c": record,
    "/devices/a:b:qpu:c/calibrations": { qubits: {}, edges: {}, map: 1, bars: 2, toJSON: 3 },
  });
  const all = await service.ketbook.devices();
  const [device] = all;
  expect(device).toMatchObject({ qrn: "a:b:qpu:c", coupling: "tunable" });
  expect(device!.toJSON()).toMatchObject(hostile);
  expect(JSON.parse(JSON.stringify(device))).toMatchObject(hostile);
  expect((await device!.calibration()).map().toText()).toEqual(expect.any(String));
  expect(all.toRows()).toEqual([expect.objectContaining(hostile)]);
  expect(all.toCSV()).toContain("a:b:qpu:c");
  expect((await all.toArrow()).length).toBeGreaterThan(0);
  expect(String(device)).toContain("C");
  await device!.settled();
  expect(inspect(all)).toContain("a:b:qpu:c");
});

test("nor from any other record that shows itself", async () => {
  const balance = { organizationId: "lab", svcCredits: 5, extra: 1, ...hostile };
  await using service = await serving({ "/billing/credits/balance": balance });
  const found = await service.ketbook.credits();
  expect(found).toMatchObject({ organizationId: "lab", svcCredits: 5, extra: 1 });
  expect(String(found)).toContain("5 credits");
  expect(inspect(found)).toContain("lab");
  expect(JSON.parse(JSON.stringify(found))).toMatchObject(balance);
});
