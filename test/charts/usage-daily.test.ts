import { expect, test } from "vitest";
import { dailyUsageChart } from "../../src/charts/index.ts";
import { neutrals, series } from "../../src/display/palette.ts";
import { specificationCheck } from "./schema.ts";
import { daysOf } from "./spendings.ts";

const textsOf = (svg: string) => [...svg.matchAll(/>([^<>]+)</g)].map(match => match[1]);
/** Days on which the simulator with the number `n` of so many completed `n` jobs each. */
const usageOf = (simulators: number, days: number = 30) =>
  daysOf(days).flatMap(date =>
    Array.from({ length: simulators }, (_, n) => ({ date, deviceQrn: `svc:svc:sim:s${n}`, count: n })),
  );
const colorsOf = (svg: string, date: string) =>
  [...svg.matchAll(/aria-label="([^"]*)"[^>]*aria-roledescription="bar"[^>]*fill="(#\w+)"/g)]
    .filter(([, label]) => label!.includes(date))
    .map(([, , color]) => color);

test("the four most used simulators have colours of the palette by rank, and all others share the neutral one", () => {
  const chart = dailyUsageChart(usageOf(7));
  const svg = chart.toSVG();
  expect(colorsOf(svg, "2026-11-21")).toEqual([...series, neutrals.light.axis]);
  const texts = textsOf(svg);
  expect(texts.filter(text => /^s\d$|^other$/.test(text!))).toEqual(["s6", "s5", "s4", "s3", "other"]);
  expect(texts).toContain("630 jobs on 30 days · 2026-10-23 to 2026-11-21 · 7 simulators");
});

test("four or fewer have no others, and one alone no legend", () => {
  expect(textsOf(dailyUsageChart(usageOf(5)).toSVG())).not.toContain("other");
  expect(textsOf(dailyUsageChart(usageOf(2)).toSVG())).not.toContain("s1");
});

test("its table has a row a day, a column a simulator, and their total", () => {
  const [, head, , latest] = dailyUsageChart(usageOf(3)).table().text.split("\n");
  expect(head!.split(/ +/)).toEqual(["Day", "s2", "s1", "s0", "Total"]);
  expect(latest!.split(/ +/)).toEqual(["2026-11-21", "2", "1", "0", "3"]);
  const [, many, , row] = dailyUsageChart(usageOf(20)).table().text.split("\n");
  expect(many!.split(/ +/).slice(-3)).toEqual(["s8", "other", "Total"]);
  expect(row!.split(/ +/).slice(-3)).toEqual(["8", "28", "190"]);
});

test("a simulator is called by its whole name where the short one is not its own", () => {
  const rows = ["a:a:sim:sv", "b:b:sim:sv", "c:c:sim:other"].map(deviceQrn => ({
    date: "2026-11-21",
    deviceQrn,
    count: 1,
  }));
  expect(textsOf(dailyUsageChart(rows).toSVG())).toEqual(
    expect.arrayContaining(["a:a:sim:sv", "b:b:sim:sv", "other (2)"]),
  );
});

test("it draws no day, days without jobs, and the latest year of a long time", () => {
  expect(dailyUsageChart([]).toText()).toContain("0 jobs on 0 days · no days");
  expect(colorsOf(dailyUsageChart(usageOf(1)).toSVG(), "")).toEqual([]);
  expect(dailyUsageChart(usageOf(2, 400)).toText(120)).toMatch(
    /366 jobs on 366 days.*earlier days are not drawn/,
  );
});

test("its specification is valid", () => {
  const valid = specificationCheck();
  for (const rows of [usageOf(7), usageOf(2), usageOf(1), []])
    expect(valid(dailyUsageChart(rows).spec)).toBe(true);
});
