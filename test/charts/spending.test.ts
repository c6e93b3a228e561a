import { describe, expect, test } from "vitest";
import { spendingChart } from "../../src/charts/index.ts";
import { specificationCheck } from "./schema.ts";
import { daysOf, spending } from "./spendings.ts";

const textsOf = (svg: string) => [...svg.matchAll(/>([^<>]+)</g)].map(match => match[1]);
/** What the drawn bars say of themselves, in their order. */
const marksOf = (svg: string) =>
  [...svg.matchAll(/aria-label="([^"]*)"[^>]*aria-roledescription="bar"/g)].map(match => match[1]!);

const days = (estimated: number) =>
  spending(
    "day",
    daysOf().map((day, index) => [day, index % 3, index === 29 ? estimated : 0]),
  );
const devices = spending("device", [
  ["ionq:emulated:qpu:forte", 8030],
  ["aws:emulated:qpu:garnet", 1750.123456, 175],
  ["svc:svc:sim:sparse", 0],
]);
const students = (count: number) =>
  spending(
    "tag",
    Array.from({ length: count }, (_, index) => [`student: s${index}`, 100 - index]),
  );

describe("a chart of spending", () => {
  test("has a bar a day, and says what all days cost", () => {
    const chart = spendingChart(days(0));
    expect(textsOf(chart.toSVG())).toEqual(
      expect.arrayContaining(["30 credits by 300 jobs, 2026-10-23 to 2026-11-21", "Nov 21"]),
    );
    expect(marksOf(chart.toSVG())).toHaveLength(20);
    expect(textsOf(chart.toSVG())).not.toContain("estimate");
  });

  test("draws estimates as a part of its own, which a legend names", () => {
    const chart = spendingChart(days(4));
    expect(textsOf(chart.toSVG())).toEqual(
      expect.arrayContaining([
        "cost",
        "estimate",
        "4 credits more are estimated for jobs that have no cost yet",
      ]),
    );
    expect(chart.toText()).toMatch(/█ cost {2}▓ estimate[\s\S]*2026-11-21 {2}█+▓+ +2 \+ 4$/);
  });

  test("has a bar a device with its amount beside, which the table has to the millionth", () => {
    const chart = spendingChart(devices);
    const texts = textsOf(chart.toSVG());
    expect(texts).toEqual(
      expect.arrayContaining(["ionq:emulated:qpu:forte", "8,030", "1,750.12 + 175", "0"]),
    );
    expect(chart.table().text).toMatch(/aws:emulated:qpu:garnet +1,750\.123456 +175 +10 +1,000/);
  });

  test("draws the most expensive ones, and sums up all others in a line", () => {
    const chart = spendingChart(students(40), { top: 3 });
    const svg = chart.toSVG();
    expect(textsOf(svg)).toEqual(expect.arrayContaining(["student: s2"]));
    expect(textsOf(svg).join(" ")).toContain("+37 more: 2,923 credits");
    expect(marksOf(svg)).toHaveLength(3);
    expect(textsOf(svg)).not.toContain("student: s3");
    expect(chart.toText()).toContain("A job with several tags counts in each of them.");
    expect(chart.with({ top: 40 }).toText()).not.toContain("more");
    expect(chart.table().text).toContain("student: s39");
  });

  test("keeps names apart that look alike once they are shortened", () => {
    const long = (end: string) => `course: ${"x".repeat(60)}${end}${"y".repeat(60)}`;
    const chart = spendingChart(
      spending("tag", [
        [long("1"), 2],
        [long("2"), 1],
        ["other", 1],
        ["rest", 1],
      ]),
    );
    expect(marksOf(chart.toSVG())).toHaveLength(4);
    expect(chart.toText(100)).toMatch(/xxx…yyy\S* +█+ +2\n.*xxx…yyy\S* \(2\) +█+ +1/);
  });

  test("draws nothing, one row, and rows that cost nothing", () => {
    for (const [by, rows] of [
      ["day", []],
      ["day", [["2026-11-21", 0]]],
      ["device", []],
      ["device", [["svc:svc:sim:sparse", 0]]],
    ] as const) {
      const chart = spendingChart(spending(by, rows));
      expect(marksOf(chart.toSVG())).toEqual([]);
      expect(chart.toText()).toContain("0 credits by");
    }
  });

  test("draws the latest year of a long time, and says so", () => {
    const long = spending(
      "day",
      daysOf(400).map(day => [day, 1]),
    );
    expect(marksOf(spendingChart(long).toSVG())).toHaveLength(366);
    expect(spendingChart(long).toText()).toContain("earlier days are not drawn");
  });

  test("is valid by the schema of Vega-Lite 5", () => {
    const valid = specificationCheck();
    for (const sample of [days(0), days(4), devices, students(40), spending("device", [])])
      expect(valid(spendingChart(sample).spec)).toBe(true);
  });
});
