import { expect, test } from "vitest";
import { calibrationDrift } from "../../src/charts/index.ts";
import { hostileTexts } from "../display/records.ts";
import { calibration, qubit } from "./calibrations.ts";
import { specificationCheck } from "./schema.ts";

const device = { name: "Line", numberQubits: 3, topology: null };
/** Calibrations of a few days, in which T1 of qubit 0 falls. */
const days = Array.from({ length: 5 }, (_, day) => {
  const record = calibration(3, [
    [0, 1, 0.01 + day / 1000],
    [1, 2, 0.02],
  ]);
  const lastCalibrated = `2026-11-${10 + day}T06:00:00Z`;
  return { ...record, lastCalibrated, qubits: { ...record.qubits, 0: qubit({ T1: 150 - 20 * day }) } };
});

test("a drift of calibrations draws a panel a figure, with medians and quartiles", () => {
  const chart = calibrationDrift(device, days);
  expect(chart.toString()).toMatch(/5 calibrations, 2026-11-10 .* to 2026-11-14/);
  const { concat } = chart.spec as unknown as { concat: { data: { values: object[] } }[] };
  expect(concat).toHaveLength(5);
  expect(concat[0]!.data.values[4]).toMatchObject({ y: 120, low: 120, high: 120 });
  expect(concat[4]!.data.values[2]).toMatchObject({ y: 1.6, low: 1.2, high: 2 });
  expect(chart.toSVG()).toContain("Readout error");
});

test("a drift of single qubits draws a line or a panel each", () => {
  const lines = calibrationDrift(device, days, { qubits: [2, 0] });
  expect(lines.toSVG()).toContain("qubit 2");
  const panels = calibrationDrift(device, days, { panels: "qubits" });
  const { concat } = panels.spec as unknown as {
    concat: { title: { text: string }; data: { values: object[] } }[];
  };
  expect(concat.map(({ title }) => title.text)).toEqual(["qubit 0", "qubit 1", "qubit 2"]);
  expect(concat[0]!.data.values.slice(0, 5)).toMatchObject([150, 130, 110, 90, 70].map(y => ({ y })));
});

test("a drift of more qubits than there are colours tells their lines apart by dashes", () => {
  const qubits = Object.fromEntries(Array.from({ length: 12 }, (_, i) => [i, qubit({ T1: 100 + i })]));
  const all = days.map(day => ({ ...day, qubits }));
  const spec = calibrationDrift({ ...device, numberQubits: 12 }, all, {
    qubits: Array.from({ length: 12 }, (_, i) => i),
  }).spec;
  type View = { encoding: { [channel: string]: { scale: { range: unknown[] } } } };
  const { concat } = spec as unknown as { concat: (View & { layer: View[] })[] };
  const [{ encoding, layer }] = concat as [View & { layer: View[] }];
  const range = (channel: string) => ({ ...encoding, ...layer[0]!.encoding })[channel]!.scale.range;
  const looks = range("color").map((color, i) => JSON.stringify([color, range("strokeDash")[i]]));
  expect(new Set(looks).size).toBe(12);
});

test("a drift leaves out what is missing, and refuses what cannot be drawn", () => {
  const gaps = days.map((day, i) =>
    i === 2 ? { ...day, qubits: {}, edges: { gateError: {}, gateLength: {} } } : day,
  );
  const { concat } = calibrationDrift(device, gaps).spec as unknown as {
    concat: { data: { values: object[] } }[];
  };
  expect(concat[0]!.data.values.filter(row => Object(row).y !== null)).toHaveLength(4);
  expect(() => calibrationDrift(device, [])).toThrow(/no calibration to draw/);
  expect(() => calibrationDrift(device, days, { qubits: [7] })).toThrow(/7/);
  expect(() => calibrationDrift(device, days, { panels: "pairs" as never })).toThrow(/panels must be/);
});

test("a drift is valid Vega-Lite, and escapes what it is given", () => {
  const check = specificationCheck();
  for (const options of [{}, { panels: "qubits" as const }, { qubits: [0, 1] }])
    expect(check(calibrationDrift(device, days, options).spec)).toBe(true);
  for (const name of hostileTexts) {
    const svg = calibrationDrift({ ...device, name }, days, { title: name }).toSVG();
    expect(svg).not.toMatch(/<script|<img/i);
  }
});
