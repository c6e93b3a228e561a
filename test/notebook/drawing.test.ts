import { describe, expect, test } from "vitest";
import { sizeOf } from "../../src/charts/vega/metrics.ts";
import * as ketbook from "../../src/index.ts";
import {
  area,
  bars,
  bloch,
  box,
  chart,
  coupling,
  facet,
  grid,
  heatmap,
  histogram,
  layer,
  line,
  Result,
  rule,
  State,
  scatter,
  text,
} from "../../src/index.ts";
import { pixelsOf } from "../charts/png-reader.ts";
import { specificationCheck } from "../charts/schema.ts";
import { bell, calibration, one, rows } from "./own-rows.ts";

const isValid = specificationCheck();

/** One chart of each kind, and words that its picture says. */
const charts = {
  histogram: [histogram({ "00": 503, "11": 497 }), "497"],
  "histogram of probabilities": [histogram({ "00": 0.5, "11": 0.5 }), "exact"],
  "histogram of quasi-probabilities": [
    histogram({ "00": 0.54, "01": -0.03, "11": 0.49 }),
    "quasi-probability",
  ],
  "histogram of shots": [histogram(["00", "11", "00"]), "3 shots"],
  "histogram of rows": [histogram([{ outcome: "0", count: 7 }]), "7 shots"],
  "histogram of a result": [
    Result.from({ resultData: { measurementCounts: { "01": 9 } } }).histogram(),
    "9 shots",
  ],
  "histogram of numbers": [histogram([1, 2, 2, 3, 9], { bins: 4, x: "T1 (µs)" }), "T1 (µs)"],
  line: [
    line(rows, {
      x: { field: "delay", title: "Delay (µs)" },
      y: "p1",
      low: "low",
      high: "high",
      series: "device",
    }),
    "Delay (µs)",
  ],
  "line over days": [line(one, { x: "day", y: { field: "p1", scale: "log" } }), "0.1"],
  scatter: [scatter(one, { x: "delay", y: "p1", size: "p1", label: "day" }), "2026-11-13"],
  bars: [bars(rows, { x: "delay", y: "p1", series: "device" }), "garnet"],
  "stacked bars": [bars(rows, { x: "delay", y: "p1", series: "device", stack: true }), "forte"],
  "bars below each other": [
    bars(one, { x: "day", y: "p1", low: "low", high: "high", horizontal: true, sort: "y" }),
    "2026-11-21",
  ],
  heatmap: [heatmap(rows, { x: "delay", y: "device", color: "p1" }), ">p1<"],
  matrix: [
    heatmap(
      [
        [0.98, -0.02],
        [0.05, 0.95],
      ],
      { rows: ["0", "1"] },
    ),
    "0.98",
  ],
  coupling: [
    coupling([
      [0, 1],
      [1, 2],
    ]),
    "3 qubits · 2 pairs",
  ],
  lattice: [coupling({ type: "square-lattice", rows: 2, cols: 3 }), "6 qubits · 7 pairs"],
  calibration: [calibration.map(), "0.80 %"],
  bloch: [bloch({ theta: Math.PI / 2 }), "(1.00, 0.00, 0.00)"],
  "bloch vectors": [
    bloch([
      { x: 0, y: 0, z: -1 },
      { x: 0, y: 0.5, z: 0 },
    ]),
    "(0.00, 0.50, 0.00)",
  ],
  "bloch of a state": [State.from(bell).bloch(), "entangled"],
  city: [State.from(bell).city(), "purity 1.000"],
  amplitudes: [State.from(bell).histogram(), "|11⟩"],
  qsphere: [State.from([0.6, 0, 0, 0.8]).qsphere(), "|11⟩"],
  area: [area(rows, { x: "day", y: "p1", series: "device" }), "garnet"],
  box: [box(rows, { x: "device", y: "p1" }), "median"],
  rule: [rule([{ p1: 0.5, name: "half" }], { y: "p1", label: "name" }), "half"],
  text: [text([{ x: 1, y: 2, words: "revival" }], { x: "x", y: "y", label: "words" }), "2"],
  given: [
    chart({ data: { values: one }, mark: "line", encoding: { x: { field: "delay" } }, title: "Mine" }),
    "Mine",
  ],
  "given in layers": [
    chart({
      layer: [1, 2].map(() => ({
        data: { values: one },
        mark: "point",
        encoding: { x: { field: "delay" } },
      })),
    }),
    "delay",
  ],
  "charts beside each other": [grid([histogram({ "0": 1 }), calibration.map()], { title: "Both" }), "Both"],
  "charts below each other": [
    grid([histogram({ "0": 1 }), State.from(bell).bloch()], { columns: 1 }),
    "Bloch spheres",
  ],
  grid: [
    grid(
      [1, 2, 3].map(count => histogram({ "0": count })),
      { columns: 2, shared: ["y"] },
    ),
    "3 shots",
  ],
  layer: [
    layer([scatter(one, { x: "delay", y: "p1" }), line(one, { x: "delay", y: "low", points: false })]),
    "p1, low",
  ],
  facet: [facet(rows, { by: "device" }, some => line(some, { x: "delay", y: "p1" })), "forte"],
} as const;

function isUnknown(draw: () => unknown): boolean {
  try {
    draw();
    return false;
  } catch (error) {
    expect(String(error)).toMatch(/Unknown option|must be an object/);
    return true;
  }
}

/** Charts whose qubits are at most 60 pixels apart, however wide they may be. */
const compact = ["coupling", "lattice", "calibration"];

describe.each(Object.entries(charts))("%s", (kind, [drawn, words]) => {
  test("is a valid specification, drawn with its words, a table, text and a sentence", () => {
    expect(isValid(drawn.spec)).toBe(true);
    expect(drawn.toSVG().replaceAll("&quot;", '"')).toContain(words);
    expect(drawn.table().html).toContain("<table");
    for (const line of drawn.toText(60).split("\n")) expect(line.length).toBeLessThanOrEqual(60);
    expect(String(drawn).length).toBeGreaterThan(3);
  });

  test.each(["width", "height", "size"] as const)(
    "is drawn in the %s that it is given, or refuses it",
    name => {
      const sized = (pixels: number) => () => drawn.with({ [name]: pixels } as never);
      expect(sized(4001)).toThrow(/Unknown option|must be an object|at most 4000, not 4001\.$/);
      expect(sized(4001)).toThrow(ketbook.KetbookError);
      if (isUnknown(sized(4000)) || compact.includes(kind)) return;
      const side = name === "height" ? "height" : "width";
      const [less, most] = [3000, 4000].map(pixels => sizeOf(sized(pixels)().toSVG())[side]);
      expect(most! - less!).toBeGreaterThan(900);
    },
  );

  test("follows a theme, with nothing outside of its width", () => {
    const paper = drawn.with({ theme: { base: "paper", width: "3.4in", dpi: 100 } });
    expect(Math.abs(pixelsOf(paper.toPNG()).width - 340)).toBeLessThanOrEqual(1);
  });
});

test("every kind of chart is exported under the name that one guesses", () => {
  const rowsAndMore = ["area", "bars", "box", "heatmap", "line", "rule", "scatter", "text"];
  for (const name of [...rowsAndMore, "histogram", "coupling", "bloch", "facet", "grid", "layer"])
    expect(ketbook).toHaveProperty(name);
});

describe("facets", () => {
  const few = facet(rows, { by: "device" }, some => line(some, { x: "delay", y: "p1" }));

  test("share their scales, and grids do not", () => {
    expect(few.spec).toMatchObject({ resolve: { scale: { x: "shared", y: "shared", color: "shared" } } });
    expect(charts["charts below each other"][0].spec).toMatchObject({
      resolve: { scale: { y: "independent" } },
    });
  });

  test("give a series one colour in all charts, also where it is not the first", () => {
    const part = rows.filter(({ delay, device }) => delay > 50 || device === "forte");
    const drawn = facet(part, { by: "delay" }, some => bars(some, { x: "day", y: "p1", series: "device" }));
    const domains = JSON.stringify(drawn.spec).match(
      /"domain":\["(?:garnet|forte)"[^\]]*\],"range":\[[^\]]*\]/g,
    );
    expect(new Set(domains).size).toBe(1);
  });
});
