import { describe, expect, test } from "vitest";
import { specificationCheck } from "../charts/schema.ts";
import { charts } from "./objects.ts";

const valid = specificationCheck();

describe.each(Object.entries(charts()))("the chart %s", (_, chart) => {
  test("has a title, a description of its own, and its numbers as a table and a text", () => {
    const { title, description } = chart.spec as unknown as {
      title: { text: string };
      description: string;
    };
    expect(title.text.length).toBeGreaterThan(3);
    expect(description).toMatch(new RegExp(`^${title.text}: .{20}`));
    expect(chart.toSVG()).toContain(title.text);
    expect(chart.table().html).toMatch(/<th scope=col[\s\S]*<td/);
    expect(chart.toText().split("\n").length).toBeGreaterThan(2);
  });

  test("is plain data that Vega-Lite 5 takes, and no more than a notebook should hold", () => {
    expect(valid(chart.spec)).toBe(true);
    expect(valid({ ...chart.spec, data: { values: "x" }, surprise: 1 })).toBe(false);
    expect(JSON.parse(JSON.stringify(chart.spec))).toEqual(chart.spec);
    const pictures = Buffer.from(chart.toPNG()).toString("base64").length;
    expect(JSON.stringify(chart.spec).length + pictures).toBeLessThan(95_000);
  });
});
