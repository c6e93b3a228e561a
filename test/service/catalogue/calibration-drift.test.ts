import { describe, expect, test } from "vitest";
import type { DeviceCalibration } from "../../../src/contract/calibration.ts";
import { calibrationSchema } from "../../../src/contract/schemas/index.ts";
import {
  calibrationDay,
  calibrationTime,
  driftedCalibration,
  readCalibration,
  readSnapshot,
} from "../../../src/service/catalogue/calibrations.ts";

const NAMES = [
  "ibm:emulated:qpu:perth",
  "ibm:emulated:qpu:brisbane",
  "aws:emulated:qpu:garnet",
  "ionq:emulated:qpu:forte",
];
const DAY = 20_000;
const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Every figure of a calibration by its path. */
function figuresOf({ qubits, edges }: DeviceCalibration): Map<string, number> {
  const found = new Map<string, number>();
  for (const [qubit, { gateError, gateLength: _, ...figures }] of Object.entries(qubits))
    for (const [name, value] of Object.entries({ ...figures, ...gateError }))
      if (typeof value === "number") found.set(`${qubit} ${name}`, value);
  for (const [gate, pairs] of Object.entries(edges.gateError))
    for (const { source, target, value } of pairs) found.set(`${source} ${target} ${gate}`, value);
  return found;
}

describe.each(NAMES)("the calibration of %s", name => {
  test("is the same for the same day, and another on another day", async () => {
    const snapshot = (await readSnapshot(name))!;
    const today = driftedCalibration(snapshot, DAY);
    expect(driftedCalibration(structuredClone(snapshot), DAY)).toEqual(today);
    expect(driftedCalibration(snapshot, DAY + 1).qubits).not.toEqual(today.qubits);
  });

  test("drifts about its snapshot, with figures that can be, by little from day to day", async () => {
    const snapshot = (await readSnapshot(name))!;
    const published = figuresOf(snapshot);
    const days = Array.from({ length: 60 }, (_, i) => driftedCalibration(snapshot, DAY + i));
    for (const calibration of days) {
      calibrationSchema.parse(calibration);
      for (const { T1, T2, readoutError, prob0Given1 } of Object.values(calibration.qubits)) {
        expect(T2!).toBeLessThanOrEqual(2 * T1! * 1.001);
        expect(Math.max(readoutError!, prob0Given1!)).toBeLessThanOrEqual(0.5);
      }
    }
    const all = days.map(figuresOf);
    const ratios: number[] = [];
    const steps: number[] = [];
    for (const [path, value] of published) {
      if (value === 0 || value >= 0.75) continue;
      const series = all.map(figures => figures.get(path)!);
      ratios.push(mean(series) / value);
      steps.push(...series.slice(1).map((next, i) => Math.abs(Math.log(next / series[i]!))));
    }
    expect(mean(ratios)).toBeGreaterThan(0.85);
    expect(mean(ratios)).toBeLessThan(1.2);
    expect(mean(steps)).toBeGreaterThan(0.005);
    expect(mean(steps)).toBeLessThan(0.15);
  });

  test("keeps what is not measured, lengths, and pairs that do not work", async () => {
    const snapshot = (await readSnapshot(name))!;
    const today = driftedCalibration(snapshot, DAY);
    expect(today.edges.gateLength).toEqual(snapshot.edges.gateLength);
    expect(Object.keys(today.qubits)).toEqual(Object.keys(snapshot.qubits));
    for (const [path, value] of figuresOf(snapshot))
      if (value === 0 || value === 1) expect(figuresOf(today).get(path), path).toBe(value);
  });
});

describe("calibrations in time", () => {
  test("are new at 06:00 UTC of each day", async () => {
    const at = (time: string) => Date.parse(`2026-11-22T${time}Z`);
    const before = (await readCalibration({ qrn: NAMES[0]! }, at("05:59:59.999")))!;
    const after = (await readCalibration({ qrn: NAMES[0]! }, at("06:00:00.000")))!;
    expect(before.lastCalibrated).toBe("2026-11-21T06:00:00.000Z");
    expect(after.lastCalibrated).toBe("2026-11-22T06:00:00.000Z");
    expect(calibrationTime(calibrationDay(at("23:59:59")))).toBe(at("06:00:00"));
  });

  test("have defects that shorten T1 at a stroke, and now and then a faulty qubit", async () => {
    const snapshot = (await readSnapshot("ibm:emulated:qpu:brisbane"))!;
    let defects = 0;
    let faults = 0;
    const days = Array.from({ length: 20 }, (_, i) => driftedCalibration(snapshot, DAY + i));
    days.slice(1).forEach((calibration, i) => {
      for (const [qubit, { T1, gateError }] of Object.entries(calibration.qubits)) {
        const before = days[i]!.qubits[qubit]!;
        if (T1! < 0.7 * before.T1!) defects++;
        if (gateError.sx! > 3 * before.gateError.sx!) faults++;
      }
    });
    expect(defects / (127 * 19)).toBeGreaterThan(0.003);
    expect(defects / (127 * 19)).toBeLessThan(0.05);
    expect(faults).toBeGreaterThan(0);
    expect(faults / (127 * 19)).toBeLessThan(0.01);
  });
});
