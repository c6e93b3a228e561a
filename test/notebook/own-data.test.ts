import { describe, expect, test } from "vitest";
import {
  bars,
  type Channel,
  coupling,
  facet,
  heatmap,
  histogram,
  KetbookError,
  line,
  rule,
  scatter,
  theme,
} from "../../src/index.ts";
import { isValid, points, wordsAt, xy } from "./drawn-words.ts";

describe("rows", () => {
  test.each([
    ["words in place of numbers", [{ x: 1, y: "many" }], '"y" holds "many", which is not a number.'],
    [
      "numbers in quotes",
      [{ x: 1, y: "12" }],
      'holds "12", which is not a number: make numbers of them with Number(…)',
    ],
    [
      "numbers and words",
      [
        { x: 1, y: 2 },
        { x: 2, y: "3" },
      ],
      "which is not a number",
    ],
    ["true and false", [{ x: 1, y: true }], 'holds "true", which is not a number.'],
  ])("%s are refused with one of them", (_, rows, words) => {
    expect(() => line<object & { x: number; y: unknown }>(rows, xy)).toThrow(KetbookError);
    expect(() => bars<object & { x: number; y: unknown }>(rows, xy)).toThrow(words);
  });

  test("an interval has two ends, of numbers", () => {
    expect(() => line(points, { ...xy, low: "low" })).toThrow("low and high are given together");
    const rows = [{ x: 1, y: 2, low: "a", high: "b" }];
    expect(() => scatter(rows, { ...xy, low: "low", high: "high" })).toThrow('low: "low" holds "a"');
  });

  test("a misspelt member of a column is refused by name", () => {
    const x = { field: "x", titel: "Time" } as Channel<(typeof points)[number]>;
    expect(() => line(points, { x, y: "y" })).toThrow('Did you mean "title"?');
  });

  test("no options at all are answered with what they are", () => {
    expect(() => line(points, undefined as never)).toThrow('{ x: "…", y: "…" }, not undefined');
    expect(() => facet(points, { by: "x" }, undefined as never)).toThrow(
      "facet is called with what draws the rows",
    );
  });

  test("without a row that has values the picture says so", () => {
    for (const rows of [[], [{ x: 0, y: null }]]) {
      const chart = scatter<{ x: number; y: number | null }>(rows, xy);
      expect(isValid(chart.spec)).toBe(true);
      expect(chart.toSVG()).toContain("no rows");
      expect(chart.toSVG()).not.toMatch(/NaN|Infinity/);
    }
  });
});

test("a column may be called as members of all objects are", () => {
  const rows = [
    { constructor: 1, toString: 2 },
    { constructor: 2, toString: 3 },
  ];
  const chart = line<object & { constructor: unknown; toString: unknown }>(rows, {
    x: "constructor",
    y: "toString",
  });
  expect(wordsAt(chart, "axis-title")).toEqual(["constructor", "toString"]);
});

describe("columns", () => {
  const columns = { x: [0, 1, 2], y: Float64Array.of(0.5, 0.7, 0.9), of: ["a", "a", "b"] };
  const rows = [0, 1, 2].map(index => ({
    x: columns.x[index]!,
    y: columns.y[index]!,
    of: columns.of[index]!,
  }));

  test("are drawn as their rows are", () => {
    expect(line(columns, { ...xy, series: "of" }).spec).toEqual(line(rows, { ...xy, series: "of" }).spec);
    expect(scatter(columns, xy).spec).toEqual(scatter(rows, xy).spec);
    expect(bars(columns, { x: "of", y: "y", series: "x" }).toCSV()).toBe(
      bars(rows, { x: "of", y: "y", series: "x" }).toCSV(),
    );
    expect(heatmap(columns, { ...xy, color: "y" }).spec).toEqual(heatmap(rows, { ...xy, color: "y" }).spec);
  });

  test("of different lengths are refused", () => {
    expect(() => line({ x: [1, 2], y: [1] }, xy)).toThrow('"x" has 2 values, and "y" 1');
  });
});

test("a histogram of values in a typed array has bins", () => {
  expect(String(histogram(Float64Array.from([1, 2, 2, 3])))).toContain("4 numbers");
});

test("a histogram of equal numbers has one bin around them, and of huge ones short words", () => {
  expect(String(histogram([5, 5, 5]))).toContain("1 bin. Most, 3, from 2.5 to 7.5");
  expect(String(histogram([1e-300, 3e-300], { bins: 1 }))).toContain("from 1e-300 to 3e-300");
});

test("counts may be bigints", () => {
  expect(String(histogram({ "00": 5n, "11": 5n }))).toContain("10 shots");
});

test("small multiples over numbers say of what", () => {
  const rows = [0, 1].flatMap(qubit => points.map(point => ({ ...point, qubit })));
  const chart = facet(rows, { by: "qubit" }, some => line(some, xy));
  expect(wordsAt(chart, "title-text")).toEqual(["qubit 0", "qubit 1"]);
  expect(() => facet(rows, { by: "qubit" }, () => 5 as never)).toThrow("no chart");
});

describe("what is no data is refused in words", () => {
  test.each([
    ["a qubit joined to itself", () => coupling([[0, 0]]), "Pair 0 must be two qubits"],
    ["a qubit that no device has", () => coupling([[0, 1e9]]), "with numbers below 1024"],
    ["no pairs", () => coupling([]), "The list of pairs is empty"],
    ["a rule along no axis", () => rule([{ y: 1 }], {}), "x for upright lines, or y for level ones"],
    [
      "one end of an interval",
      () => scatter(points, { ...xy, xLow: "x" }),
      "xLow and xHigh are given together",
    ],
    [
      "a font that is not there",
      () => theme({ font: { family: "X", regular: "/no/x.ttf" } }),
      "there is no file",
    ],
  ])("%s", (_, draw, words) => {
    expect(draw).toThrow(KetbookError);
    expect(draw).toThrow(words);
  });

  test("a font that is not there leaves the theme as it was", () => {
    expect(theme().font).toBe("Inter");
  });
});
