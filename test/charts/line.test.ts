import { describe, expect, test } from "vitest";
import { type Chart, heatmap, line, smallMultiples } from "../../src/charts/index.ts";
import { specificationCheck } from "./schema.ts";

const turns = Array.from({ length: 9 }, (_, step) => {
  const theta = (step * Math.PI) / 8;
  return ["a", "b"].map(name => ({
    theta,
    name,
    mean: Math.cos(theta),
    low: -1,
    high: 1,
    phi: name === "a" ? 0 : 1,
  }));
}).flat();
const valuesOf = (chart: Chart) => (chart.spec.data as { values: { [field: string]: unknown }[] }).values;

describe("lines", () => {
  test("run in the order of their numbers, whatever the order of the rows", () => {
    const chart = line([...turns].reverse(), { x: "theta", y: "mean", series: "name" });
    const xs = valuesOf(chart)
      .filter(({ series }) => series === "a")
      .map(({ x }) => Number(x));
    expect(xs).toEqual(xs.toSorted((one, other) => one - other));
    expect(String(chart)).toContain("a: from 1 at 0 down to -1 at 3.14");
  });

  test("over what is no number keep the order of the rows", () => {
    const chart = line(
      [
        { day: "Tue", n: 1 },
        { day: "Mon", n: 2 },
      ],
      { x: "day", y: "n" },
    );
    expect(valuesOf(chart).map(({ x }) => x)).toEqual(["Tue", "Mon"]);
    expect(chart.toText()).toMatch(/▁█/);
  });

  test("beyond four, and panels beyond twelve, are left out, and it is said", () => {
    const rows = Array.from({ length: 15 }, (_, index) => ({
      x: 0,
      y: index,
      one: `s${index % 5}`,
      pane: index,
    }));
    expect(line(rows, { x: "x", y: "y", series: "one" }).toText()).toContain("1 more one not drawn");
    expect(line(rows, { x: "x", y: "y", panel: "pane" }).toText()).toContain("3 more panels not drawn");
  });

  test("refuse columns, options and rows that can't be", () => {
    expect(() => line(turns, { x: "thetta", y: "mean" })).toThrow(
      'There is no column "thetta": did you mean "theta"?',
    );
    expect(() => line(turns, { x: "theta", y: "mean", domain: [1] as never })).toThrow("domain must be");
    expect(() => line(turns, { x: "theta", y: "mean", color: "red" } as never)).toThrow('no option "color"');
    const many = Array.from({ length: 20_001 }, (_, x) => ({ x, y: 0 }));
    expect(() => line(many, { x: "x", y: "y" })).toThrow("20,001 rows are more than a chart shows");
  });
});

describe("heatmaps", () => {
  test("have a cell for each pair, the mean of its rows, and a scale that is symmetric about 0", () => {
    const chart = heatmap([...turns, ...turns.map(row => ({ ...row, mean: 0 }))], {
      x: "theta",
      y: "phi",
      color: "mean",
    });
    expect(valuesOf(chart)).toHaveLength(18);
    expect(valuesOf(chart)[0]).toMatchObject({ x: "0", y: "0", value: 0.5 });
    expect(JSON.stringify(chart.spec)).toContain('"domain":[-0.5,0,0.5]');
    expect(chart.toText()).toContain("mean of the rows of each cell");
  });

  test("of too many cells are refused", () => {
    const rows = Array.from({ length: 201 }, (_, x) => ({ x, y: 0, z: 1 }));
    expect(() => heatmap(rows, { x: "x", y: "y", color: "z" })).toThrow("201 values of x");
  });
});

test("their specifications are Vega-Lite 5, and draw themselves with one panel, several and none", () => {
  const isVegaLite = specificationCheck();
  const counts = { name: "p", values: { "00": 3, "11": 5 }, exact: false };
  const charts: Chart[] = [
    line(turns, { x: "theta", y: "mean", low: "low", high: "high", series: "name" }),
    line(turns, { x: "theta", y: "mean", low: "low", high: "high", panel: "name" }),
    line([], { x: "theta", y: "mean" }),
    heatmap(turns, { x: "theta", y: "phi", color: "mean" }),
    heatmap(turns, { x: "theta", y: "phi", color: "mean", panel: "name" }),
    heatmap([], { x: "theta", y: "phi", color: "mean" }),
    smallMultiples([counts]),
    smallMultiples([counts, { ...counts, exact: true, values: { "000": 1 } }]),
    smallMultiples([]),
  ];
  for (const chart of charts) {
    expect(isVegaLite(chart.spec)).toBe(true);
    expect(chart.toSVG()).not.toMatch(/NaN|Infinity|undefined/);
    expect(chart.toText()).not.toMatch(/NaN|Infinity|undefined/);
    expect(chart.table().html).toContain("<table");
  }
  expect(charts[1]!.with({ title: "Turned" }).spec.title).toMatchObject({ text: "Turned" });
});
