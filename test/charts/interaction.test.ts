import { createRequire } from "node:module";
import { describe, expect, test } from "vitest";
import { type Chart, comparison } from "../../src/charts/index.ts";
import { scatterChart } from "../../src/charts/rows/scatter.ts";
import { jupyterDisplay } from "../../src/display/bundle.ts";
import { chart, grid, line } from "../../src/index.ts";
import { charts } from "../front-ends/objects.ts";
import { specificationCheck } from "./schema.ts";

const lab = createRequire(createRequire(import.meta.url).resolve("@jupyterlab/vega5-extension"));
const { compile, version } = lab("vega-lite") as {
  compile(spec: unknown, options: object): { spec: object };
  version: string;
};
const isValid = specificationCheck();
/** The specification that front ends draw. */
const liveSpec = (chart: Chart) => chart[jupyterDisplay]()["application/vnd.vegalite.v5+json"];

/** The names of all parameters of a specification. */
function parametersOf(spec: unknown): string[] {
  if (Array.isArray(spec)) return spec.flatMap(parametersOf);
  if (typeof spec !== "object" || spec === null) return [];
  return Object.entries(spec).flatMap(([member, value]) =>
    member === "params" ? value.map(({ name }: { name: string }) => name) : parametersOf(value),
  );
}

const rows = Array.from({ length: 200 }, (_, x) => ({ x, y: Math.sin(x / 9), of: x % 2 ? "odd" : "even" }));
const { "calibration-map": map, "calibration-bars": strips } = charts();
const compared = () =>
  comparison([
    { label: "one", counts: { 0: 3, 1: 4 } },
    { label: "other", counts: { 0: 1, 1: 9 } },
  ]);

describe(`interactive specifications are valid, and are compiled by the Vega-Lite ${version} of JupyterLab without a warning`, () => {
  test.each<[string, Chart, string[]]>([
    ["a legend", compared(), ["legend_0"]],
    ["a legend of points", scatterChart(rows, { x: "x", y: "y", series: "of" }), ["legend_0"]],
    ["a long line", line(rows, { x: "x", y: "y" }), ["zoom"]],
    ["a long line of series", line(rows, { x: "x", y: "y", series: "of" }), ["legend_0", "zoom"]],
    ["a calibration map", map!, ["hovered"]],
    ["calibration strips", strips!, ["hovered", "brushed"]],
    ["a map beside strips", grid([map!, strips!]), ["hovered", "brushed"]],
    ["a map below strips", grid([strips!, map!], { columns: 1 }), ["hovered", "brushed"]],
    ["a grid of legends", grid([compared(), compared()], { shared: ["color"] }), ["legend_0"]],
  ])("%s", (_, chart, names) => {
    expect(isValid(liveSpec(chart))).toBe(true);
    expect(parametersOf(liveSpec(chart))).toEqual(expect.arrayContaining(names));
    const warnings: unknown[] = [];
    const logger = {
      ...{ level: () => logger, error: () => logger, info: () => logger, debug: () => logger },
      warn: (...words: unknown[]) => {
        warnings.push(...words);
        return logger;
      },
    };
    expect(() => compile(structuredClone(liveSpec(chart)), { logger })).not.toThrow();
    expect(warnings).toEqual([]);
  });
});

test.each(["boxplot", "errorbar", "errorband"])(
  "a chart of %s with a legend and qubits is drawn, and answers to no pointer",
  async type => {
    const drawn = chart({
      data: { values: rows.map(({ x, y, of }) => ({ qubit: x % 4, y, of })) },
      mark: { type },
      encoding: {
        x: { field: "qubit", type: "ordinal" },
        y: { field: "y", type: "quantitative" },
        color: { field: "of", type: "nominal" },
      },
    });
    expect(parametersOf(liveSpec(drawn))).toEqual([]);
    const { spec } = compile(structuredClone(liveSpec(drawn)), {});
    const { parse, View } = lab("vega") as typeof import("vega");
    await new View(parse(spec as import("vega").Spec), { renderer: "none" }).runAsync();
  },
);
