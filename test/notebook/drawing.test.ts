import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import * as ketbook from "../../src/index.ts";
import {
  amplitudes,
  bars,
  bloch,
  Calibration,
  chart,
  circuit,
  city,
  coupling,
  facet,
  grid,
  hconcat,
  heatmap,
  histogram,
  KetbookError,
  layer,
  line,
  qasm,
  qsphere,
  Result,
  repeat,
  State,
  scatter,
  series,
  theme,
  vconcat,
} from "../../src/index.ts";
import { pixelsOf } from "../charts/png-reader.ts";
import { specificationCheck } from "../charts/schema.ts";

const isValid = specificationCheck();
const folder = mkdtempSync(join(tmpdir(), "ketbook-drawing-"));
afterAll(() => {
  theme("notebook");
  rmSync(folder, { recursive: true });
});

const rows = ["garnet", "forte"].flatMap((device, index) =>
  Array.from({ length: 12 }, (_, step) => {
    const p1 = Math.exp(-step / (4 + 3 * index));
    return { delay: 10 * step, p1, low: p1 * 0.9, high: p1 * 1.1, device, day: `2026-11-${10 + step}` };
  }),
);
const one = rows.slice(0, 12);
const bell = { "00": Math.SQRT1_2, "11": [0, Math.SQRT1_2] } as const;
const program = qasm`OPENQASM 3.0; include "stdgates.inc"; qubit[2] q; bit[2] c; h q[0]; cx q[0], q[1]; c = measure q;`;
const calibration = Calibration.from({
  qubits: { 0: { T1: 120, readoutError: 0.02 }, 1: { T1: 95, readoutError: 0.03 } },
  edges: { gateError: { cx: [{ source: 0, target: 1, value: 0.008 }] } },
});

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
    histogram(Result.from({ resultData: { measurementCounts: { "01": 9 } } })),
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
  heatmap: [heatmap(rows, { x: "delay", y: "device", color: "p1" }), "p1 by delay and device"],
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
  calibration: [coupling(calibration), "0.80 %"],
  bloch: [bloch({ theta: Math.PI / 2 }), "(1.00, 0.00, 0.00)"],
  "bloch vectors": [
    bloch([
      { x: 0, y: 0, z: -1 },
      { x: 0, y: 0.5, z: 0 },
    ]),
    "(0.00, 0.50, 0.00)",
  ],
  "bloch of a state": [bloch(bell), "entangled"],
  city: [city(bell), "purity 1.000"],
  amplitudes: [amplitudes(bell), "|11⟩"],
  qsphere: [qsphere(State.from([0.6, 0, 0, 0.8])), "|11⟩"],
  series: [series([{ date: "2026-11-20", value: 12 }], { unit: "jobs", quota: 40 }), "jobs"],
  given: [
    chart({ data: { values: one }, mark: "line", encoding: { x: { field: "delay" } }, title: "Mine" }),
    "Mine",
  ],
  hconcat: [hconcat([histogram({ "0": 1 }), coupling(calibration)], { title: "Both" }), "Both"],
  vconcat: [vconcat([histogram({ "0": 1 }), bloch(bell)]), "Bloch spheres"],
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
  repeat: [repeat(["p1", "low"] as const, y => scatter(one, { x: "delay", y })), "low by delay"],
} as const;

describe.each(Object.entries(charts))("%s", (_, [drawn, words]) => {
  test("is a valid specification, drawn with its words, a table, text and a sentence", () => {
    expect(isValid(drawn.spec)).toBe(true);
    expect(drawn.toSVG().replaceAll("&quot;", '"')).toContain(words);
    expect(drawn.table().html).toContain("<table");
    for (const line of drawn.toText(60).split("\n")) expect(line.length).toBeLessThanOrEqual(60);
    expect(String(drawn).length).toBeGreaterThan(3);
  });

  test("follows a theme, with nothing outside of its width", () => {
    const paper = drawn.with({ theme: { base: "paper", width: "3.4in", dpi: 100 } });
    expect(Math.abs(pixelsOf(paper.toPNG()).width - 340)).toBeLessThanOrEqual(1);
  });
});

test("every kind of chart is exported under the name that one guesses", () => {
  for (const name of [
    "histogram",
    "bars",
    "line",
    "scatter",
    "heatmap",
    "coupling",
    "bloch",
    "city",
    "amplitudes",
    "qsphere",
  ])
    expect(ketbook).toHaveProperty(name);
});

describe("facets", () => {
  const few = facet(rows, { by: "device" }, some => line(some, { x: "delay", y: "p1" }));

  test("share their scales, and repeats do not", () => {
    expect(few.spec).toMatchObject({ resolve: { scale: { x: "shared", y: "shared", color: "shared" } } });
    expect(charts.repeat[0].spec).toMatchObject({ resolve: { scale: { y: "independent" } } });
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

describe("a specification from outside", () => {
  const bar = { mark: "bar", encoding: { x: { field: "a" } } };

  test.each([
    [
      { ...bar, data: { url: "https://example.org/a.csv" } },
      /spec\.data\.url: a chart holds all that it shows and loads nothing/,
    ],
    [
      { mark: "bar", encoding: { href: { value: "javascript:alert(1)" } } },
      /spec\.encoding\.href: .* no links/,
    ],
    [{ mark: { type: "image" } }, /no mark "image"/],
    [{ mark: "bra" }, /spec\.mark: there is no mark "bra": did you mean "bar"\?/],
    [{ mark: "bar", encoding: { colour: {} } }, /no channel "colour": did you mean "color"\?/],
    [{ ...bar, transform: [{ calculate: "1 +", as: "b" }] }, /can't be drawn/],
    [{ ...bar, data: { sequence: { start: 0, stop: 1e12 } } }, /more than 1,000,000 numbers/],
    [{ $schema: "https://vega.github.io/schema/vega/v5.json" }, /no schema of Vega-Lite/],
    [{}, /has one of these members: mark, layer/],
    [[], /is an object/],
  ])("%j is refused with what is wrong", (spec, message) => {
    expect(() => chart(spec)).toThrow(KetbookError);
    expect(() => chart(spec)).toThrow(message);
  });

  test("keeps its own look, its data are rows of a table, and what it was made from is not changed", () => {
    const spec = Object.freeze({
      ...bar,
      data: { values: [{ a: 3 }] },
      background: "#fee",
      config: { bar: { color: "#123456" } },
    });
    const drawn = chart(spec, { description: "One bar." });
    expect(drawn.toSVG()).toContain("#123456");
    expect(drawn.toSVG()).toContain("#fee");
    expect(drawn.table().text).toMatch(/a\n─\n3/);
    expect(String(drawn)).toBe("One bar.");
  });
});

test.each([
  [
    () => line(rows, { x: "dealy" as never, y: "p1" }),
    /line: x: no row has a column "dealy": did you mean "delay"\?/,
  ],
  [() => line(rows, { x: "delay", y: "p1", color: "red" } as never), /no option "color"/],
  [() => line(rows, { x: "delay" } as never), /y is missing/],
  [() => scatter([{ x: 0, y: 1 }], { x: { field: "x", scale: "log" }, y: "y" }), /0 or less/],
  [() => bars(rows, { x: "delay", y: "p1" }), /several rows have the same "delay"/],
  [() => heatmap([[1, 2], [3]]), /Row 1 of the matrix/],
  [() => histogram({ "00": 0.2 }), /sum to 1: these sum to 0\.2/],
  [
    () => histogram({ "00": -1 }),
    /"00" has -1, which is no count; quasi-probabilities sum to 1, and these to -1/,
  ],
  [() => histogram({ "00": Number.NaN }), /neither a count nor a probability/],
  [() => histogram({ "0": 1.1, "1": -0.1 }, { logarithmic: true }), /no place for negative/],
  [() => histogram({ "00": 3 }, { top: -1 }), /top must be a whole number/],
  [() => histogram({ "00": 3 }, { width: Number.NaN }), /width must be a number of pixels/],
  [() => histogram({ "00": 3 }, { sort: "foo" as never }), /sort must be "value"/],
  [() => coupling(calibration, { gate: "cz" }), /no two-qubit gate "cz": did you mean "cx"\?/],
  [() => calibration.bars({ qubits: [0, 7] }), /no qubit 7: the device has the qubits 0 to 1/],
  [() => coupling([[0, -1]]), /Pair 0 is no pair/],
  [() => bloch({ x: 1, y: 1, z: 0 }), /longer/],
  [() => bloch([1, 0], { qubits: [3] }), /no qubit 3/],
  [() => State.from([1, 1]), /sum to 1, and these to 2\.000: divide the amplitudes by 1\.414/],
  [() => State.from([1, 0, 0]), /3 fit no n/],
  [() => Calibration.from(7 as never), /a calibration is an object/],
  [() => Calibration.from({ qubits: { 0: { T1: (() => 1) as never } } }), /a calibration must be plain data/],
  [
    () => Calibration.from({ qubits: { q0: { T1: 1 } } as never }),
    /the name of qubit "q0" must be the number of a qubit/,
  ],
  [() => Calibration.from({ qubits: 7 as never }), /qubits must be an object, not 7/],
  [
    () => Calibration.from({ qubits: { 0: { T1: "long" as never } } }),
    /qubits\.0\.T1 must be a number, not "long"/,
  ],
  [
    () => Calibration.from({ edges: { gateError: { cx: [{ source: 0.5, target: 1, value: 0 }] } } }),
    /edges\.gateError\.cx\[0\]\.source must be a whole number, 0 or more, not 0\.5/,
  ],
  [() => series([{ date: "yesterday", value: 1 }]), /row 0 is no day/],
  [() => hconcat([]), /list of one and more/],
  [() => layer([grid([histogram({ "0": 1 })])]), /made of several charts/],
  [() => circuit(program, { folds: 3 } as never), /no option "folds": did you mean "fold"\?/],
  [() => circuit(program, { fold: 0 }), /fold must be/],
  [() => circuit("qubit q; hh q;"), /hh/],
  [() => theme("papre" as never), /no theme "papre": did you mean "paper"\?/],
])("%# is refused by name", (draw, message) => {
  expect(draw).toThrow(KetbookError);
  expect(draw).toThrow(message);
});

test("State.from reads what people have: lists, kets, typed arrays, rounded numbers", () => {
  const phi = [Math.SQRT1_2, 0, 0, 0, 0, 0, 0, Math.SQRT1_2];
  for (const given of [
    bell,
    { "|00>": 0.71, "|11⟩": { re: 0, im: 0.71 } },
    Float64Array.from(phi),
    [0.71, 0, 0, [0, 0.71]] as const,
  ])
    State.from(given).amplitudes.forEach((part, index) => {
      expect(part).toBeCloseTo(phi[index]!, 6);
    });
});

test("circuits, tables and cards write files, with as much of them as a file can hold", () => {
  const drawn = circuit(program, { scale: 2 });
  const usual = program.draw();
  const widthOf = (svg: string) => Number(/width="([\d.]+)"/.exec(svg)![1]);
  expect(widthOf(drawn.toSVG())).toBeCloseTo(2 * widthOf(usual.toSVG()), 1);
  const saved = (name: string, from: { save(path: string): unknown }) => {
    const path = join(folder, name);
    from.save(path);
    return readFileSync(path);
  };
  expect(saved("circuit.svg", program).toString()).toContain("@font-face{font-family:'DejaVu Sans Mono'");
  expect(saved("circuit.pdf", drawn).toString("latin1")).toContain("DejaVuSansMono");
  expect(saved("circuit.png", drawn).toString("latin1", 1, 4)).toBe("PNG");
  expect(saved("circuit.txt", drawn).toString()).toContain("┤H├");
  const table = histogram({ "00": 3, "11": 1 }).table();
  expect(saved("table.csv", table).toString()).toContain("Outcome,Count,Probability");
  expect(JSON.parse(saved("table.json", table).toString())[0]).toMatchObject({ Outcome: "00", Count: "3" });
  expect(saved("table.svg", table).toString()).toContain(">00 ");
  expect(saved("table.html", table).toString()).toContain("<th scope=col");
  expect(saved("state.pdf", State.from(bell)).toString("latin1")).toMatch(/^%PDF/);
  expect(
    saved("result.svg", Result.from({ resultData: { measurementCounts: { "01": 9 } } })).toString(),
  ).toContain("9 shots");
  expect(() => table.save(join(folder, "table.docx"))).toThrow(
    /"\.docx": end the name in \.svg, \.pdf, \.png, \.html/,
  );
});
