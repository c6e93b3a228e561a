import { describe, expect, test } from "vitest";
import { specificationCheck } from "../charts/schema.ts";
import { charts } from "./objects.ts";

const valid = specificationCheck();

describe.each(Object.entries(charts()))("the chart %s", (_, chart) => {
  test("has a description in a sentence, and its numbers as a table and a text", () => {
    const { description } = chart.spec as unknown as { description: string };
    expect(description).toMatch(/^[^█]{5,}: .{20}/);
    expect(chart.table().html).toMatch(/<th scope=col[\s\S]*<td/);
    expect(chart.toText().split("\n").length).toBeGreaterThan(2);
  });

  test("is plain data that Vega-Lite 5 takes, and no more than a notebook should hold", () => {
    expect(valid(chart.spec)).toBe(true);
    expect(valid({ ...chart.spec, data: { values: "x" }, surprise: 1 })).toBe(false);
    expect(JSON.parse(JSON.stringify(chart.spec))).toEqual(chart.spec);
    const pictures = Buffer.from(chart.toPNG()).toString("base64").length;
    expect(JSON.stringify(chart.spec).length + pictures).toBeLessThan(108_000);
  });
});
