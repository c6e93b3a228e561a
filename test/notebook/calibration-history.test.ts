import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { device, Ketbook } from "../../src/index.ts";
import { driftedCalibration, readSnapshot } from "../../src/service/catalogue/calibrations.ts";
import { bundleOf } from "./bundle.ts";
import { useServiceHere } from "./own-service.ts";

const DAY_MS = 86_400_000;

const { folder } = await useServiceHere();

test("an emulated device has a calibration a day, which show how its figures drift", async () => {
  const perth = await device("perth");
  const today = await perth.calibration();
  const history = await perth.calibrations({
    since: new Date(Date.parse(today.lastCalibrated!) - 10 * DAY_MS),
  });
  expect(history).toHaveLength(11);
  expect(history.isKept).toBe(false);
  expect([...history].at(-1)!.toJSON()).toEqual(today.toJSON());
  const times = [...history].map(({ lastCalibrated }) => Date.parse(lastCalibrated!));
  times.slice(1).forEach((time, i) => {
    expect(time - times[i]!).toBe(DAY_MS);
  });
  const text = bundleOf(history)["text/plain"];
  expect(text).toMatch(/11 calibrations/);
  expect(text).toMatch(/T1, median +[\d.]+ µs/);
  const [before] = history;
  expect((await perth.calibration({ at: new Date(times[0]! + 1000) })).toJSON()).toEqual(before!.toJSON());
  await expect(async () => perth.calibration({ at: "yesterday" })).rejects.toThrow(/at must be a date/);
  await expect(async () => perth.calibration({ at: "1999-01-01" })).rejects.toThrow(/no calibration .* 1999/);
});

test("of a service that has the latest alone, those are kept that were seen", async () => {
  const snapshot = (await readSnapshot("ibm:emulated:qpu:perth"))!;
  const days = [0, 1, 2].map(day => ({
    ...driftedCalibration(snapshot, 20_000 + day),
    deviceQrn: "ibm:ibm:qpu:perth",
    provider: "ibm",
  }));
  let day = 0;
  const record = {
    qrn: "ibm:ibm:qpu:perth",
    name: "Perth",
    vendor: "ibm",
    deviceType: "QPU",
    status: "ONLINE",
  };
  const answer = (data: unknown) =>
    new Response(JSON.stringify({ success: true, data }), {
      headers: { "content-type": "application/json" },
    });
  const ketbook = new Ketbook({
    url: "https://service.example/api/v1",
    apiKey: "key",
    fetch: (async (url: string) => answer(url.includes("/calibrations") ? days[day] : record)) as never,
  });
  const perth = await ketbook.device("ibm:ibm:qpu:perth");
  await expect(async () => perth.calibration({ at: "2024-01-01" })).rejects.toThrow(
    /Its first one is from 2024-10-04/,
  );
  for (day = 0; day < days.length; day++) await perth.calibration();
  day = 2;
  const history = await perth.calibrations({ since: "2024-01-01" });
  expect(history.toJSON().map(({ lastCalibrated }) => lastCalibrated)).toEqual(
    days.map(({ lastCalibrated }) => lastCalibrated),
  );
  expect(history.isKept).toBe(true);
  expect(history.since).toBe(days[0]!.lastCalibrated);
  expect((await perth.calibration({ at: days[1]!.lastCalibrated! })).toJSON()).toEqual(days[1]);
  expect(bundleOf(history)["text/plain"]).toMatch(/as seen since 2024-10-04/);
  const [kept] = readdirSync(join(folder, "calibrations"));
  expect(readdirSync(join(folder, "calibrations", kept!))).toHaveLength(3);
});
