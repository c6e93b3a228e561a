import { expect, test } from "vitest";
import { usageChart } from "../../src/charts/index.ts";
import { hostileTexts } from "../display/records.ts";
import { specificationCheck } from "./schema.ts";

const days = Array.from({ length: 30 }, (_, index) => ({
  date: new Date(Date.UTC(2026, 9, 23 + index)).toISOString().slice(0, 10),
  count: (index * 7) % 23,
}));
const textsOf = (svg: string) => [...svg.matchAll(/>([^<>]+)</g)].map(match => match[1]);

test("a usage chart has a bar a day and a line for the quota", () => {
  const chart = usageChart(days, { quota: 25, device: "svc:svc:sim:statevector" });
  expect(textsOf(chart.toSVG())).toEqual(
    expect.arrayContaining([
      "Nov 21",
      "331 jobs on 30 days · 2026-10-23 to 2026-11-21 · dashed: quota of 25 a day",
      "svc:svc:sim:statevector",
    ]),
  );
  expect(chart.toSVG()).toContain('stroke-dasharray="5,4"');
  expect(usageChart(days).toSVG()).not.toContain("stroke-dasharray");
});

test("a quota far above all bars is told and not drawn, so that the bars stay legible", () => {
  const chart = usageChart(days, { quota: 500 });
  expect(chart.toSVG()).not.toContain("stroke-dasharray");
  expect(chart.toText()).toContain("quota of 500 a day");
});

test("it draws the latest year of a long time, and no day at all", () => {
  const many = Array.from({ length: 3000 }, (_, index) => ({
    date: new Date(Date.UTC(2018, 0, 1 + index)).toISOString().slice(0, 10),
    count: 1,
  }));
  expect(usageChart(many).toText(200)).toContain("366 jobs on 366 days");
  expect(usageChart([]).toText()).toContain("0 jobs on 0 days · no days");
  expect(usageChart([]).toSVG()).toContain("<svg");
});

test("an axis of several years, or of most of one, says which", () => {
  const from = (first: number, count: number) =>
    Array.from({ length: count }, (_, index) => ({
      date: new Date(first + index * 86_400_000).toISOString().slice(0, 10),
      count: 1,
    }));
  const texts = (list: { date: string; count: number }[]) => textsOf(usageChart(list).toSVG());
  expect(texts(from(Date.UTC(2026, 11, 20), 30))).toEqual(expect.arrayContaining(["2026", "2027"]));
  expect(texts(from(Date.UTC(2026, 0, 1), 300))).toContain("2026");
  expect(texts(from(Date.UTC(2026, 0, 1), 30))).not.toContain("2026");
  expect(texts(from(Date.UTC(2026, 0, 1), 1)).join("\n")).toMatch(/^1 job on 1 day ·/m);
});

test("what is no day is left out", () => {
  for (const text of hostileTexts) {
    const chart = usageChart([{ date: text, count: 3 }, ...days], { device: text, title: text });
    expect(chart.toSVG()).not.toMatch(/<script|<img|<style|onload="|onerror="/);
    expect(chart.toText()).not.toMatch(/(?!\n)\p{Cc}/u);
    expect(chart.table().text).toContain("2026-11-21");
  }
});

test("its specification is valid", () => {
  const valid = specificationCheck();
  expect(valid(usageChart(days, { quota: 25 }).spec)).toBe(true);
  expect(valid(usageChart([]).spec)).toBe(true);
});

test("the days of a chart of one day are said once", () => {
  expect(usageChart([{ date: "2026-11-20", count: 3 }]).toText()).not.toContain(" to 2026-11-20");
});
