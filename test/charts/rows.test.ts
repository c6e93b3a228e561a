import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { calibrationBars, heatmapChart, histogram, lineChart } from "../../src/charts/index.ts";
import {
  area,
  bars as barsOf,
  box,
  facet,
  grid,
  heatmap,
  histogram as histogramOf,
  layer,
  line,
  linspace,
  rule,
  State,
  scatter,
  text,
} from "../../src/index.ts";
import { calibration } from "./calibrations.ts";
import { specificationCheck } from "./schema.ts";

const isValid = specificationCheck();
const xy = { x: "x", y: "y" } as const;

/** How many pieces the lines of a picture have. */
const piecesOf = (svg: string) =>
  [...svg.matchAll(/<g class="mark-line[^>]*>(.*?)<\/g>/gs)].flatMap(
    ([, group = ""]) => group.match(/M[^M"]*L/g) ?? [],
  ).length;

test("a negative quasi-probability has a bar below the others, and counts in what the remainder has", () => {
  const values = { "0": 1.5, "1": -0.25, "2": -0.125, "3": -0.125 };
  expect(histogramOf(values, { top: 2 }).toCSV().split("\r\n").slice(1, 4)).toEqual([
    ...["0,1.5,1.5,,", "2,-0.125,-0.125,,", "'+2 more,-0.375,-0.375,,"],
  ]);
  expect(Object(histogramOf(values).spec).encoding.y.scale.domain[0]).toBeLessThan(-0.25);
});

describe("a line", () => {
  test.each([
    [200, "00:00:05"],
    [20_000, "00:02"],
    [86_400_000, "Oct 26"],
    [10 * 86_400_000, "Apr 2027"],
    [100 * 86_400_000, "2034"],
  ])("whose points are %i ms apart has moments that are told apart below it", (apart, label) => {
    const start = Date.UTC(2026, 9, 1);
    const rows = Array.from({ length: 30 }, (_, index) => ({ x: new Date(start + index * apart), y: index }));
    expect(line(rows, xy).toSVG()).toContain(`>${label}</text>`);
  });

  const rows = [1, 2, null, 3, Number.NaN, 4, 5].map((y, x) => ({ x, y, low: y && y - 1, high: y && y + 1 }));

  test("breaks where a value is missing, and so does its band", () => {
    const chart = line(rows, xy);
    expect(isValid(chart.spec)).toBe(true);
    expect(piecesOf(chart.toSVG())).toBe(2);
    expect(
      piecesOf(
        line(
          rows.filter(({ y }) => y),
          xy,
        ).toSVG(),
      ),
    ).toBe(1);
    const banded = line(rows, { ...xy, low: "low", high: "high" }).toSVG();
    const [, area = ""] = /<g class="mark-area[^>]*>(.*?)<\/g>/s.exec(banded) ?? [];
    expect(area.match(/M/g)!.length).toBeGreaterThan(1);
  });

  test("of more series than there are colours is named by pieces of its dashes", () => {
    const many = linspace(0, 11, 12).flatMap(of => [0, 1].map(x => ({ x, y: x * of, of: `series ${of}` })));
    const svg = line(many, { ...xy, series: "of" }).toSVG();
    expect(svg.match(/role-legend-symbol[\s\S]*?<path[^>]*stroke-dasharray="6,3"/)).not.toBeNull();
    const points = scatter(many, { ...xy, series: "of" }).spec;
    expect(JSON.stringify(points)).not.toContain('"symbolType":"square"');
  });
});

test("bars as text begin at one zero, and layers as text are one plot", () => {
  const rows = [-1, 0.5, 1].map((y, x) => ({ x: `k${x}`, y }));
  const [, below = "", half = "", above = ""] = barsOf(rows, xy).toText(40).split("\n");
  expect(below).toMatch(/^ {2}k0 +█+│ +-1$/);
  expect([half, above].map(row => row.indexOf("│"))).toEqual([below.indexOf("│"), below.indexOf("│")]);
  expect(above.match(/█/g)).toEqual(below.match(/█/g));
  const points = [1, 2, 3].map(x => ({ x, y: x }));
  const text = layer(
    [
      line(points, xy),
      scatter(
        points.map(({ x }) => ({ x, y: -x })),
        xy,
      ),
    ],
    { names: ["up", "down"] },
  ).toText();
  expect(text).toContain("● up  ○ down");
  expect(text.match(/└/g)).toHaveLength(1);
});

test("a domain cuts lines and bars, and leaves out the points, caps and words beyond it", () => {
  const rows = linspace(0, 10, 11).map(x => ({ x, y: x, low: x - 1, high: x + 1 }));
  const svg = scatter(rows, {
    x: { field: "x", domain: [2, 8] },
    y: { field: "y", domain: [3, 7] },
    low: "low",
    high: "high",
  }).toSVG();
  expect(svg.match(/aria-label="[^"]*y: \d/g)).toHaveLength(5);
});

test("an axis of one value has one tick, and of tens of decades small ticks without words", () => {
  expect(
    line(
      [1, 2].map(x => ({ x, y: 7 })),
      xy,
    ).toSVG(),
  ).toMatch(/>7<\/text>/);
  const decades = line(
    [1, 2, 3].map(x => ({ x, y: 10 ** -x * 20 })),
    { x: "x", y: { field: "y", scale: "log" } },
  ).toSVG();
  expect(
    decades
      .match(/<g class="mark-rule role-axis-tick.*?<\/g>/gs)!
      .at(-1)!
      .match(/<line/g)!.length,
  ).toBeGreaterThan(15);
});

test("TeX in titles is written by plain characters", () => {
  const titled = (title: string) =>
    line(
      [1, 2].map(x => ({ x, y: x })),
      { x: { field: "x", title }, y: "y" },
    ).toSVG();
  expect(titled("angle $\\theta_0$, $10^{-3}$ rad")).toContain(">angle θ₀, 10⁻³ rad</text>");
  for (const prices of ["cost $5 to $6", "$5-$6"]) expect(titled(prices)).toContain(`>${prices}</text>`);
  expect(titled("$\\langle Z_1\\rangle$ of $|01\\rangle$, $T_2^*$")).toContain(">⟨Z₁⟩ of |01⟩, T₂^*</text>");
  expect(titled("costs $5 or $6_0")).toContain("costs ");
});

test("grid lines of a logarithmic axis stand at powers of ten, and 0 of signed values has a stronger one", () => {
  const grid = (svg: string) => [
    .../<g class="mark-rule role-axis-grid.*?<\/g>/s
      .exec(svg)![0]
      .matchAll(/stroke="([^"]+)"[^>]* opacity="(\d)"/g),
  ];
  const log = grid(
    line(
      [0, 2, 3, 4].map(x => ({ x, y: 10 ** x })),
      { x: "x", y: { field: "y", scale: "log" } },
    ).toSVG(),
  );
  expect(log.filter(([, , opacity]) => opacity === "1").length).toBeLessThanOrEqual(6);
  const signed = grid(
    line(
      [-1, 1].map(x => ({ x, y: x })),
      xy,
    ).toSVG(),
  );
  expect(signed.filter(([, color]) => color === "#868e96")).toHaveLength(1);
});

test("a name below a bar is whole where it has room, else in two lines, else upright without its middle", () => {
  const named = (bars: number) =>
    barsOf(
      Array.from({ length: bars }, (_, index) => ({
        x: `ibm:emulated:qpu:brisbane-with-a-suffix${index}`,
        y: 1,
      })),
      xy,
    ).toSVG();
  expect(named(1)).toContain(">ibm:emulated:qpu:brisbane-with-a-suffix0</text>");
  expect(named(4)).toMatch(/>ibm:emulated:qpu:[^<]*<\/tspan><tspan[^>]*>[^<]*suffix0</);
  expect(named(4)).not.toContain("rotate(-90)");
  expect(named(16)).toContain(">ibm:emulated…h-a-suffix0</text>");
});

test("the names of up to five lines stand at their ends, apart and in colours that words can have; more are in a legend", () => {
  const drawn = (series: number, length = 9) =>
    line(
      Array.from({ length: series * length }, (_, index) => ({
        x: Math.floor(index / series),
        y: index + (index % series) / 10,
        of: `name ${index % series}`,
      })),
      { ...xy, series: "of" },
    );
  const ends = Array.from(
    drawn(5)
      .toSVG()
      .matchAll(/translate\([\d.]+,([\d.-]+)\)"[^>]*>name \d</g),
    ([, top]) => Number(top),
  ).sort((one, other) => one - other);
  expect(ends).toHaveLength(5);
  for (const [index, top] of ends.slice(1).entries()) expect(top - ends[index]!).toBeGreaterThan(13);
  expect(drawn(2).toSVG()).toMatch(/fill="#bb5630"[^>]*>name 1</);
  expect(drawn(2).toSVG()).not.toContain("role-legend");
  for (const chart of [drawn(6), drawn(2, 100)]) expect(chart.toSVG()).toContain("role-legend");
});

test("areas lie on each other from 0, boxes have their quartiles and what is beyond, rules and words lie over a chart", () => {
  const day = (index: number) => `2026-11-${10 + index}`;
  const jobs = [0, 1, 2].flatMap(index => ["a", "b"].map(of => ({ day: day(index), jobs: index + 1, of })));
  expect(area(jobs, { x: "day", y: "jobs", series: "of" }).toSVG()).toContain(">6<");
  const spread = [1, 2, 3, 4, 5, 40].map(T1 => ({ of: "garnet", T1 }));
  const boxes = box(spread, { x: "of", y: "T1" });
  expect(String(boxes)).toContain("garnet median 3.5, middle half 2.25 to 4.75");
  const [drawn] = (boxes.spec.data as { values: object[] }).values;
  expect(drawn).toMatchObject({ low: 1, q1: 2.25, median: 3.5, q3: 4.75, high: 5 });
  const points = [1, 2, 3].map(x => ({ x, y: x, from: x - 0.5, to: x + 0.5 }));
  const over = layer([
    scatter(points, { ...xy, xLow: "from", xHigh: "to" }),
    rule([{ y: 1.5, of: "limit" }], { y: "y", label: "of" }),
    text([{ x: 2, y: 2.5, words: "here" }], { ...xy, label: "words" }),
  ]).toSVG();
  for (const words of ["limit", "here", "1", "3"]) expect(over).toContain(`>${words}<`);
});

test("the last of some charts over each other can have an axis of its own", () => {
  const rows = [1, 2, 3].map(x => ({ x, fidelity: 1 / x, cost: 1000 * x }));
  const both = layer([line(rows, { x: "x", y: "fidelity" }), line(rows, { x: "x", y: "cost" })], {
    secondAxis: true,
  });
  expect(both.spec.resolve).toEqual({ scale: { y: "independent" } });
  for (const label of ["fidelity", "cost", "1.0", "3,000"]) expect(both.toSVG()).toContain(`>${label}<`);
});

test("panels beside and above each other write their axes once", () => {
  const rows = ["a", "b", "c", "d"].flatMap(of => [1, 2, 3].map(x => ({ x, y: x, of })));
  const drawn = facet(rows, { by: "of", columns: 2 }, some => line(some, xy)).toSVG();
  expect(drawn.match(/>2\.0<|>2<\/text>/g)).toHaveLength(4);
});

test("an edit that shows nothing is refused with what decides, and a length of one stays in a composition", () => {
  const rows = [1, 2].flatMap(x => ["a", "b"].map(of => ({ x, y: x, of })));
  const chart = line(rows, { ...xy, series: "of" });
  expect(() => chart.edit(() => {})).toThrow("The edit changes nothing");
  expect(() =>
    chart.edit(spec => {
      spec.layer[0].mark.color = "red";
    }),
  ).toThrow("encoding.color decides");
  const edited = line(rows.slice(0, 2), xy).edit(spec => {
    spec.layer[0].mark.strokeWidth = 7;
  });
  const [first] = Object(grid([edited], { theme: "slides" }).spec).concat;
  expect(first.layer[0].mark.strokeWidth).toBe(7);
});

describe("more rows than are drawn", () => {
  const rows = Array.from({ length: 50_000 }, (_, x) => ({ x, y: x % 7, of: x % 2 ? "odd" : "even" }));

  test("are sampled evenly, whatever their period, and the picture says so", () => {
    const chart = scatter(rows, { ...xy, series: "of" });
    expect(chart.toSVG()).toContain("50,000 rows, 5,000 of them, evenly sampled");
    const [head, ...cells] = chart.toCSV().trim().split("\r\n");
    expect(head).toBe("x,y,of");
    expect(cells).toHaveLength(5000);
    const odd = cells.filter(cell => cell.endsWith("odd")).length;
    expect(Math.abs(odd - 2500)).toBeLessThan(250);
    expect(Math.max(...cells.map(cell => Number(cell.split(",")[0])))).toBeGreaterThan(49_980);
  });

  test("are the density of points and the extremes of lines: small files, in which no peak is missing", () => {
    const noisy = Array.from({ length: 100_000 }, (_, x) => ({
      x,
      y: x === 77_777 ? 40 : Math.sin(x / 900),
    }));
    const points = scatter(noisy, xy);
    expect(points.toSVG()).toContain("100,000 rows, drawn as their density");
    expect(
      points
        .toCSV()
        .split("\r\n")
        .slice(1)
        .reduce((sum, row) => sum + Number(row.split(",")[2] ?? 0), 0),
    ).toBe(100_000);
    const lines = line(noisy, xy);
    expect(lines.toSVG()).toContain("100,000 rows, drawn by the extremes of each pixel");
    expect(lines.toCSV()).toContain("77777,40");
    expect(String(lines)).toContain("100,000 rows");
    for (const drawn of [points, lines]) {
      expect(drawn.toSVG().length).toBeLessThan(1_200_000);
      expect(drawn.toHTML().length).toBeLessThan(2_500_000);
    }
  });
});

describe("labels of points", () => {
  const labelled = (count: number) => {
    const rows = Array.from({ length: count }, (_, q) => ({
      x: (q * 37) % 101,
      y: (q * 53) % 97,
      q: `q${q}`,
    }));
    const svg = scatter(rows, { ...xy, label: "q" }).toSVG();
    return svg.match(/>q\d+<\/text>/g)?.length ?? 0;
  };

  test("stand beside all points that are few, and beside those that have room for one where they are dense", () => {
    expect(labelled(6)).toBe(6);
    expect(labelled(2000)).toBeLessThan(200);
    expect(labelled(40)).toBeGreaterThan(8);
  });

  test("stand left of, above or below a point where there is no room to the right", () => {
    const rows = [
      { x: 0, y: 0 },
      { x: 2, y: 0, name: "first" },
      { x: 2.2, y: 0, name: "second" },
      { x: 10, y: 10, name: "at the end of both axes" },
      { x: 2, y: 4, name: "third" },
      { x: 2.2, y: 4, name: "fourth" },
      { x: 1.8, y: 4, name: "fifth" },
    ];
    const svg = scatter(rows, { ...xy, label: "name" }).toSVG();
    for (const { name } of rows) if (name) expect(svg).toContain(`>${name}</text>`);
    expect(svg).toMatch(/text-anchor="end"[^>]*>at the end of both axes/);
  });
});

describe("a chart's data as CSV", () => {
  const folder = mkdtempSync(join(tmpdir(), "ketbook-csv-"));
  afterAll(() => rmSync(folder, { recursive: true }));

  test("has numbers as they are, also in a file", () => {
    const chart = histogram({ counts: { "00": 1500, "11": 500 }, shots: 2000 });
    const path = join(folder, "x.csv");
    chart.save(path);
    expect(readFileSync(path, "utf8")).toBe(chart.toCSV());
    const [head, first] = chart.toCSV().split("\r\n");
    expect(head).toBe("outcome,value,share,low,high");
    expect(first).toMatch(/^00,1500,0\.75,\d+\.\d+,\d+\.\d+$/);
  });

  test("has moments in ISO 8601, missing values as empty ones, and formulas as text", () => {
    const rows = [{ at: new Date(0), y: 1, of: "=1+1" }];
    expect(line(rows, { x: "at", y: "y", series: "of" }).toCSV()).toBe(
      "at,y,of\r\n1970-01-01T00:00:00.000Z,1,'=1+1\r\n",
    );
    const device = { name: "d", numberQubits: 2, topology: null };
    const measured = calibration(2, [], "cz");
    const { qubits } = measured;
    const half = { ...measured, qubits: { ...qubits, 1: { ...qubits[1]!, T1: null } } };
    expect(calibrationBars(device as never, half as never).toCSV()).toBe(
      "qubit,T1,T2,Readout error,sx error\r\n0,120,80,0.01,0.0003\r\n1,,80,0.011,0.0003\r\n",
    );
  });

  test("of several charts is all of theirs", () => {
    const chart = grid([histogramOf({ 0: 1 }), histogramOf({ 1: 3 })]);
    expect(chart.toCSV().split("\r\n").length).toBeGreaterThan(3);
  });
});

describe("a matrix", () => {
  test("of many cells is drawn as means of blocks, and says so", () => {
    const side = Array.from({ length: 150 }, (_, index) => index);
    const chart = heatmap(side.map(y => side.map(x => x + y)));
    const { data, title } = chart.spec as unknown as {
      data: { values: { color: number }[] };
      title: { text: string[] };
    };
    expect(data.values).toHaveLength(75 * 75);
    expect(data.values[0]!.color).toBe(1);
    expect(title.text).toContain("each cell is the mean of 2 × 2");
  });

  test("whose rows and columns have numbers stands on axes of numbers", () => {
    const along = Array.from({ length: 21 }, (_, index) => -1 + index / 10);
    const chart = heatmap(
      along.map(p => along.map(x => x * p)),
      { columns: along, rows: along },
    );
    expect(JSON.stringify(chart.spec.encoding)).toContain('"type":"quantitative"');
  });

  test("has its negative numbers with a minus sign", () => {
    expect(JSON.stringify(heatmap([[0.5, -0.5]]).spec)).toContain('"text":"−0.5"');
  });
});

test("the density matrix of a part of a state is drawn as a Hinton diagram and as a city", () => {
  const state = State.from({ "00": Math.SQRT1_2, "11": Math.SQRT1_2 });
  expect(String(state.densityMatrix([0]).hinton())).toContain("q[0] · purity 0.500");
  expect(String(state.densityMatrix([0, 1]).city())).toContain("purity 1.000");
  expect(() => state.densityMatrix([0]).hinton({ qubits: [1] })).toThrow("There is no qubit 1");
});

test("one of a kind is said in the singular", () => {
  expect(String(histogramOf([1.5]))).toContain("1 number · 1 bin.");
  expect(String(line([{ x: 1, y: 2 }], xy))).toContain("Line chart of 1 row.");
});

test("angles in steps of π/12 and cells of heatmaps have fractions of π along their axes", () => {
  const angles = Array.from({ length: 24 }, (_, step) => (step * Math.PI) / 12);
  const swept = lineChart(
    angles.map(theta => ({ theta, z: Math.cos(theta) })),
    { x: "theta", y: "z" },
  );
  for (const label of ["π/2", "π", "3π/2"]) expect(swept.toSVG()).toContain(`>${label}</text>`);
  const cells = heatmapChart(
    angles.slice(0, 4).flatMap(x => angles.slice(0, 4).map(y => ({ x, y, z: x * y }))),
    { x: "x", y: "y", color: "z" },
  );
  expect(cells.toSVG().match(/>π\/12<\/text>/g)).toHaveLength(2);
  const whole = lineChart(
    [0, 1, 2, 3, 4].map(x => ({ x, y: x })),
    { x: "x", y: "y" },
  );
  expect(whole.toSVG()).not.toContain("π");
});
