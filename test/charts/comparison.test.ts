import { expect, test } from "vitest";
import { type ComparedData, comparison } from "../../src/charts/index.ts";
import { hostileTexts } from "../display/records.ts";
import { specificationCheck } from "./schema.ts";

const noisy: ComparedData = { label: "Perth", counts: { "00": 450, "11": 480, "01": 40, "10": 30 } };
const ideal: ComparedData = { label: "ideal", probabilities: { "00": 0.5, "11": 0.5 } };

interface DrawnRow {
  outcome: string;
  series: string;
  ideal: boolean;
  high?: number;
}

const rowsOf = (results: ComparedData[], options = {}) =>
  (comparison(results, options).spec as unknown as { data: { values: DrawnRow[] } }).data.values;

test("a comparison says how far the results are apart", () => {
  expect(comparison([noisy, ideal]).toText()).toContain("total variation 0.070, Hellinger 0.189");
});

test("results are called by their devices, or by names that are given", () => {
  const seriesOf = (options = {}) => [...new Set(rowsOf([noisy, ideal], options).map(row => row.series))];
  expect(seriesOf()).toEqual(["Perth", "ideal"]);
  expect(seriesOf({ names: ["before", "after"] })).toEqual(["before", "after"]);
  expect(seriesOf({ names: ["before"] })).toEqual(["before", "ideal"]);
  expect(() => rowsOf([noisy, ideal], { names: "before" })).toThrow(RangeError);
});

test("exact probabilities beside counts are drawn as ticks without intervals", () => {
  const rows = rowsOf([noisy, ideal]);
  expect(rows.filter(row => row.ideal).every(row => row.series === "ideal" && row.high === undefined)).toBe(
    true,
  );
  expect(rows.filter(row => !row.ideal).every(row => row.high !== undefined)).toBe(true);
  expect(rowsOf([ideal, { ...ideal, label: "too" }]).some(row => row.ideal)).toBe(false);
});

test("it takes the union of what is likeliest in each result, the largest first or by outcome", () => {
  const other: ComparedData = { label: "other", counts: { "10": 90, "00": 10 } };
  const outcomes = (options = {}) => [...new Set(rowsOf([noisy, other], options).map(row => row.outcome))];
  expect(outcomes({ top: 1 })).toEqual(["10", "11"]);
  expect(outcomes({ sort: "outcome" })).toEqual(["00", "01", "10", "11"]);
  expect(outcomes({ sort: { target: "01" } })).toEqual(["01", "00", "11", "10"]);
});

test("a logarithmic axis has no 0: what was never seen has no bar", () => {
  const rare: ComparedData = { label: "rare", counts: { "00": 999_999, "11": 1 } };
  const svg = comparison([rare, ideal, noisy], { logarithmic: true }).toSVG();
  expect(svg).not.toMatch(/NaN|Infinity/);
  expect([
    ...svg.matchAll(
      /aria-label="outcome: [^"]*result: rare[^"]*" role="graphics-symbol" aria-roledescription="bar"/g,
    ),
  ]).toHaveLength(2);
  expect(svg).toContain(">0.0001</text>");
});

test("results of the same name and hostile names stay apart and are text", () => {
  const results = hostileTexts.slice(0, 3).map(label => ({ ...noisy, label }));
  const chart = comparison([...results, results[0]!]);
  expect(new Set(rowsOf([...results, results[0]!]).map(row => row.series)).size).toBe(4);
  expect(chart.toSVG()).not.toMatch(/<script|<img/);
  expect(chart.toPNG().length).toBeLessThan(60_000);
  for (const line of chart.toText(60).split("\n")) expect(line.length).toBeLessThanOrEqual(60);
});

test("one result, or five, can't be compared", () => {
  expect(() => comparison([noisy])).toThrow(/2 to 4 results, not of 1/);
  expect(() => comparison(Array(5).fill(noisy))).toThrow(RangeError);
});

test("results without any outcome make an empty picture", () => {
  expect(comparison([{ label: "a" }, { label: "b", counts: {} }]).toSVG()).toContain("<svg");
});

test("its table has a column a result", () => {
  expect(comparison([noisy, ideal]).table().text).toMatch(
    /Outcome +Perth +ideal\n[\s\S]*11 +48\.0 % +50\.0 %/,
  );
});

test("its specification is valid", () => {
  const valid = specificationCheck();
  expect(valid(comparison([noisy, ideal]).spec)).toBe(true);
  expect(valid(comparison([noisy, ideal], { logarithmic: true }).spec)).toBe(true);
});

test("the key of an exact result is an outline, as its bars are", () => {
  const svg = comparison([
    { label: "garnet", counts: { 0: 48, 1: 52 } },
    { label: "ideal", probabilities: { 0: 0.5, 1: 0.5 } },
  ]).toSVG();
  expect(svg).toMatch(/aria-label="Symbol legend[^"]*stroke color[^"]*ideal"/);
  expect(svg.match(/>ideal<\/text>/g)).toHaveLength(1);
});
