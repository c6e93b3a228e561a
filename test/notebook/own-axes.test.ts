import { describe, expect, test } from "vitest";
import { bars, type Chart, heatmap, layer, line, linspace, scatter } from "../../src/index.ts";
import { isValid, numbersAt, points, wordsAt, xy } from "./drawn-words.ts";

describe("axes", () => {
  test("what lies beyond a domain is cut", () => {
    const rows = [...points, { x: 2, y: 9, low: -9, high: 30 }];
    const chart = line(rows, { x: "x", y: { field: "y", domain: [0, 1] }, low: "low", high: "high" });
    expect(JSON.stringify(chart.spec.layer).match(/"clip":true/g)).toHaveLength(2);
    expect(chart.toSVG()).toContain("clip-path");
  });

  test("a logarithmic one ends near its values, whatever intervals reach below 0", () => {
    const chart = scatter(points, { x: "x", y: { field: "y", scale: "log" }, low: "low", high: "high" });
    const labels = numbersAt(chart, "axis-label").slice(-20);
    expect(Math.max(...labels)).toBeLessThanOrEqual(4);
    expect(chart.toSVG()).not.toContain("NaN");
    const spec = JSON.stringify(chart.spec);
    expect(spec).toContain('"type":"log"');
    expect(spec).toContain('"domain":[0.01,2]');
  });

  test("a logarithmic one can't begin at 0", () => {
    const y = { field: "y", scale: "log", domain: [0, 1] } as const;
    expect(() => line(points, { x: "x", y })).toThrow("begins above 0");
  });

  test("those of time can end at given days", () => {
    const rows = [
      { x: "2026-10-02", y: 1 },
      { x: new Date("2026-10-03"), y: 2 },
    ];
    const chart = line(rows, { x: { field: "x", domain: ["2026-10-01", "2026-10-05"] }, y: "y" });
    expect(JSON.stringify(chart.spec)).toContain(
      `"domain":[${Date.UTC(2026, 9, 1)},${Date.UTC(2026, 9, 5)}]`,
    );
  });
});

describe("charts over each other", () => {
  const fit = line(points, { x: { field: "x", title: "Delay (µs)" }, y: "y", points: false });
  const measured = scatter(
    points.map(({ x, y }) => ({ t: x, p: y })),
    { x: "t", y: "p" },
  );

  test("have the title of an axis that was chosen, and else both names", () => {
    expect(wordsAt(layer([fit, measured]), "axis-title")).toEqual(["Delay (µs)", "y, p"]);
    expect(wordsAt(layer([measured, fit]), "axis-title")).toEqual(["Delay (µs)", "p, y"]);
  });

  test("have colours of their own, and names in a legend", () => {
    const colors = (chart: Chart) => new Set(chart.toSVG().match(/#155ec1|#cb5e35|#06a672/g));
    expect(colors(layer([fit, measured]))).toEqual(new Set(["#155ec1", "#cb5e35"]));
    const named = layer([fit, measured], { names: ["fit", "data"] });
    expect(isValid(named.spec)).toBe(true);
    expect(wordsAt(named, "legend-label")).toEqual(["fit", "data"]);
    expect(colors(named)).toEqual(new Set(["#155ec1", "#cb5e35"]));
    expect(() => layer([fit], { names: "fit" as never })).toThrow("names must be a list of strings");
  });

  test("have one colour for a series, which differs from those of other series", () => {
    const of = (kind: string) => points.map(point => ({ ...point, kind }));
    const both = layer([
      line(of("fit"), { ...xy, series: "kind" }),
      scatter(of("data"), { ...xy, series: "kind" }),
    ]);
    expect(wordsAt(both, "legend-label")).toEqual(["fit", "data"]);
    expect(both.toSVG()).toContain("#cb5e35");
  });
});

describe("heatmaps of more than 10,000 cells", () => {
  const cellsOf = (chart: Chart) =>
    (chart.spec as unknown as { data: { values: { color: number }[] } }).data.values;

  test("are drawn by the means of neighbours, and say so", () => {
    const rows = linspace(0, 249, 250).flatMap(x => linspace(0, 149, 150).map(y => ({ x, y, z: x + y })));
    const chart = heatmap(rows, { ...xy, color: "z" });
    expect(chart.toText()).toContain("37,500 rows as the means of 84 × 75 ranges");
    const cells = cellsOf(chart);
    expect(cells).toHaveLength(84 * 75);
    expect(cells[0]!.color).toBeCloseTo(1.5);
    expect(chart.toCSV().split("\r\n")[1]).toBe("1,0.5,1.5");
  });

  test("have ranges of equal width where their numbers are at any distance", () => {
    const rows = Array.from({ length: 5000 }, (_, at) => ({ x: Math.sqrt(at), y: (at * 7919) % 5003, z: 1 }));
    const cells = cellsOf(heatmap(rows, { ...xy, color: "z" }));
    expect(cells.length).toBeLessThanOrEqual(5000);
    expect(cells.every(({ color }) => color === 1)).toBe(true);
  });
});

describe("heatmaps", () => {
  const grid = (steps: number) =>
    linspace(0, Math.PI, steps).flatMap(x => linspace(0, 1, steps).map(y => ({ x, y, p: Math.sin(x) * y })));

  test("of many numbers have an axis of round ones", () => {
    const chart = heatmap(grid(25), { ...xy, color: "p" });
    expect(isValid(chart.spec)).toBe(true);
    expect(wordsAt(chart, "axis-label")).toEqual(expect.arrayContaining(["0", "π/2", "π", "0.2"]));
    const values = (chart.spec.data as { values: { xFrom: number; xTo: number }[] }).values;
    expect(values[0]!.xTo).toBeCloseTo(Math.PI / 48, 6);
  });

  test("of few numbers write each with as few digits as tell them apart", () => {
    expect(wordsAt(heatmap(grid(5), { ...xy, color: "p" }), "axis-label")).toEqual(
      expect.arrayContaining(["π/4", "0.25"]),
    );
    const near = [1.00001, 1.00002].map(x => ({ x, y: 0, p: x }));
    expect(wordsAt(heatmap(near, { ...xy, color: "p" }), "axis-label")).toContain("1.00001");
  });

  test("of a matrix have words at their axes, and square cells", () => {
    const rows = [Float64Array.from([0.98, 0.02]), [0.05, 0.95]];
    const color = { title: "probability", domain: [0, 1] } as const;
    const chart = heatmap(rows, { x: "measured", y: "prepared", color });
    expect(wordsAt(chart, "axis-title")).toEqual(["measured", "prepared"]);
    expect(chart.spec.width).toBe(chart.spec.height);
    expect(chart.toSVG()).toContain("probability");
  });

  test("refuse rows of which one would hide another", () => {
    const rows = [
      { x: 1, y: 1, p: 0 },
      { x: 1, y: 1, p: 1 },
    ];
    expect(() => heatmap(rows, { ...xy, color: "p" })).toThrow("Several rows have the same x and y");
  });
});

describe("points", () => {
  const runs = linspace(0, 1, 5).map(x => ({
    x,
    y: 1 - x,
    qubits: 5 + 20 * x,
    fidelity: x,
    kind: x > 0.5 ? "a" : "b",
  }));

  test("have the colours of numbers, with a legend, and areas", () => {
    const chart = scatter(runs, { ...xy, size: "qubits", color: { field: "fidelity", domain: [0, 1] } });
    expect(isValid(chart.spec)).toBe(true);
    expect(wordsAt(chart, "legend-title").toSorted()).toEqual(["fidelity", "qubits"]);
    expect(() => scatter(runs, { ...xy, color: "fidelity", series: "kind" })).toThrow("give one of them");
    expect(() => scatter(runs, { ...xy, color: "kind" })).toThrow('color: "kind" holds "b"');
  });

  test("have a legend of areas that is seen on a dark ground", () => {
    const svg = scatter(runs, { ...xy, size: "qubits", theme: "dark" }).toSVG();
    const symbols = svg.slice(svg.indexOf("role-legend-symbol")).match(/fill="(#\w+|black)"/g) ?? [];
    expect(symbols).not.toContain('fill="black"');
  });
});

describe("bars", () => {
  const rows = ["a", "b"].flatMap(x => [1, 2, 3, 4].map(n => ({ x, y: n, n })));

  test("of series that lie below each other have room for each", () => {
    const { height } = bars(rows, { ...xy, series: "n", horizontal: true }).spec;
    expect(Number(height) / rows.length).toBeGreaterThanOrEqual(14);
  });

  test("of one series at one place are refused, since one would hide another", () => {
    expect(() => bars([...rows, rows[0]!], { ...xy, series: "n" })).toThrow('the same "x" and "n"');
  });
});
