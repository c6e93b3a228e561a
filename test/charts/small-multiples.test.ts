import { expect, test } from "vitest";
import { smallMultiples } from "../../src/charts/index.ts";
import { specificationCheck } from "./schema.ts";

const pair = { name: "pair", values: { "00": 3, "11": 5 }, exact: false };

test("histograms beside each other are Vega-Lite 5, and draw themselves with one panel, several and none", () => {
  const isVegaLite = specificationCheck();
  const charts = [
    smallMultiples([pair]),
    smallMultiples([pair, { ...pair, exact: true, values: { "000": 1 } }]),
    smallMultiples([]),
    smallMultiples([pair, { ...pair, values: { "0": 1 } }, { ...pair, values: {} }]),
  ];
  for (const chart of charts) {
    expect(isVegaLite(chart.spec)).toBe(true);
    expect(chart.toSVG()).not.toMatch(/NaN|Infinity|undefined/);
    expect(chart.toText()).not.toMatch(/NaN|Infinity|undefined/);
    expect(chart.table().html).toContain("<table");
  }
  expect(charts[1]!.with({ title: "Pairs" }).toText()).toMatch(/^Pairs\n/);
});

test("they have the same outcomes in the same places, seen or not, and equal names apart", () => {
  const chart = smallMultiples([pair, { ...pair, values: { "01": 4 } }]);
  type Panel = { title: { text: string }; data: { values: { outcome: string; to: number }[] } };
  const { concat } = chart.spec as unknown as { concat: Panel[] };
  expect(concat.map(({ title }) => title.text)).toEqual(["pair", "pair (2)"]);
  for (const { data } of concat)
    expect(data.values.map(({ outcome }) => outcome)).toEqual(["00", "01", "11"]);
  expect(concat.flatMap(({ data }) => data.values.map(({ to }) => to))).toEqual([0.375, 0, 0.625, 0, 1, 0]);
  expect(String(chart)).toContain("pair: 11 62.5 %, 00 37.5 %; pair (2): 01, always.");
});
