import { describe, expect, test } from "vitest";
import {
  area,
  bars,
  box,
  facet,
  grid,
  heatmap,
  histogram,
  layer,
  line,
  rule,
  scatter,
  text,
} from "../../src/index.ts";
import { pixelsOf } from "./png-reader.ts";
import { specificationCheck } from "./schema.ts";

const isValid = specificationCheck();
const day = (number: number) => new Date(Date.UTC(2026, 10, number));
const rows = [1, 2, 3, 4, 5].map(x => ({ x, y: x * x, word: `w${x}`, when: day(x) }));
/** For a box with values beyond its whiskers. */
const spread = [1, 2, 3, 4, 5].flatMap(x => [1, 4, 5, 6, 7, 40].map(y => ({ x, y, when: day(y) })));

type Axis = string | { field: string; scale?: "log"; domain?: readonly [number, number] };
const color = "#ff0000";
const kinds = {
  line: (x: Axis, y: Axis) => line(rows, { x, y, color } as never),
  area: (x: Axis, y: Axis) => area(rows, { x, y, color } as never),
  bars: (x: Axis, y: Axis) => bars(rows, { x, y, color } as never),
  "stacked bars": (x: Axis, y: Axis) => bars(rows, { x, y, color, stack: true } as never),
  "level bars": (x: Axis, y: Axis) => bars(rows, { x, y, color, horizontal: true } as never),
  scatter: (x: Axis, y: Axis) => scatter(rows, { x, y, color } as never),
  text: (x: Axis, y: Axis) => text(rows, { x, y, color, label: "word" } as never),
  rule: (_: Axis, y: Axis) => rule(rows, { y, color } as never),
  box: (x: Axis, y: Axis) => box(spread, { x, y, color } as never),
};

/** Returns the size of a chart's picture, and how much of it has the colour of its marks. */
function seen(chart: { spec: object; toPNG(): Uint8Array }) {
  expect(isValid(chart.spec)).toBe(true);
  const { width, height, data } = pixelsOf(chart.toPNG());
  const isMark = (at: number) => data[at]! > 200 && data[at + 1]! < 120 && data[at + 2]! < 120;
  let marked = 0;
  for (let at = 0; at < data.length; at += 4) if (isMark(at)) marked++;
  return { width, height, marked };
}

describe.each(Object.entries(kinds))("%s", (name, draw) => {
  const whole = seen(draw("x", "y"));

  test("has marks within the ends that are chosen for its axes, and nothing outside", () => {
    const cut = seen(draw({ field: "x", domain: [2, 4] }, { field: "y", domain: [2, 10] }));
    expect(whole.marked).toBeGreaterThan(50);
    expect(cut.marked).toBeGreaterThan(50);
    expect(Math.abs(cut.width - whole.width)).toBeLessThan(60);
    if (!name.startsWith("level")) expect(Math.abs(cut.height - whole.height)).toBeLessThan(20);
  });

  test("has marks on a logarithmic axis", () => {
    expect(seen(draw("x", { field: "y", scale: "log" })).marked).toBeGreaterThan(50);
  });
});

test.each(["line", "scatter", "text", "rule", "box"] as const)("%s has one axis of dates", name => {
  const chart = kinds[name]("x", "when");
  expect(seen(chart).marked).toBeGreaterThan(50);
  expect(chart.toSVG().match(/aria-label="Y-axis/g)).toHaveLength(1);
  const labels = [...chart.toSVG().matchAll(/>([A-Z][a-z]{2} \d+)<\/text>/g)].map(([, label]) => label);
  expect(new Set(labels).size).toBe(labels.length);
});

test("the lowest bar stands above the beginning of a logarithmic axis", () => {
  const chart = bars(rows, { x: "x", y: { field: "y", scale: "log" } });
  expect(Object(chart.spec).layer[0].encoding.y.scale.domain[0]).toBeLessThan(1);
});

test("a line of dates is described by dates", () => {
  expect(String(kinds.line("x", "when"))).toContain("from 2026-11-01 at 1 up to 2026-11-05 at 5");
});

test.each(["bars", "area"] as const)("%s of dates are refused, since dates have no 0", name => {
  expect(() => kinds[name]("x", "when")).toThrow(
    /stand on 0, which the dates of "when" don't have: draw a line or points/,
  );
});

test("bars and areas on each other are refused on a logarithmic axis, which has no 0 either", () => {
  const axes = { x: "x", y: { field: "y", scale: "log" }, series: "word" } as const;
  for (const draw of [() => bars(rows, { ...axes, stack: true }), () => area(rows, axes)])
    expect(draw).toThrow(/add up from 0, which a logarithmic axis does not have: set stack: false/);
  expect(isValid(area(rows, { ...axes, stack: false }).spec)).toBe(true);
});

test.each(["bars", "box"] as const)("%s have a place for each number, however close", name => {
  const close = [1, 1.000_000_1].map(x => ({ x, y: 2 }));
  const drawn = name === "bars" ? bars(close, { x: "x", y: "y" }) : box(close, { x: "x", y: "y" });
  expect(drawn.toSVG()).toContain(">1.0000001</text>");
});

test("long names that differ in their ends are told apart", () => {
  const names = ["a", "b"].map(end => `${"x".repeat(90)}${end}`);
  const chart = bars(
    names.map(name => ({ name, value: 1 })),
    { x: "name", y: "value" },
  );
  expect(new Set(chart.toCSV().match(/x+…x+[ab]/g)).size).toBe(2);
});

test("a category without values has no box, and each of many boxes has a line of text", () => {
  const places = Array.from({ length: 12 }, (_, index) => ({
    x: `p${index}; q`,
    y: index === 3 ? null : index,
  }));
  const chart = box(places, { x: "x", y: "y" });
  expect(chart.toText(80).split("\n").slice(1)).toHaveLength(11);
  expect(String(chart)).toContain("; 3 more. Box plot");
});

test("a heatmap has the cells within the ends of its axes", () => {
  const cells = [1, 2, 3, 4].flatMap(x => [1, 2, 3].map(y => ({ x, y, value: x + y })));
  const axes = { x: { field: "x", domain: [2, 3] }, y: { field: "y", domain: [1, 2] } } as const;
  expect(
    heatmap(cells, { ...axes, color: "value" })
      .toCSV()
      .trim()
      .split("\r\n"),
  ).toHaveLength(1 + 4);
});

test("many values beyond the whiskers are sampled from all boxes, and the caption says so", () => {
  const many = [0, 1].flatMap(x =>
    Array.from({ length: 9000 }, (_, i) => ({ x, y: i % 4 === 0 ? 1000 + i : i / 9000 })),
  );
  const { spec } = box(many, { x: "x", y: "y" });
  expect(JSON.stringify(spec)).toContain("2,000 of the 4,500 values beyond are drawn, evenly sampled");
  const points: { name: string }[] = Object(spec).layer.at(-1).data.values;
  expect(Object.values(Object.groupBy(points, ({ name }) => name)).map(some => some?.length)).toEqual([
    1000, 1000,
  ]);
});

test.each([0.1, 1e-9, 1e6])(
  "numbers on the edges of bins of width %f are in the bin above, the last ones in the last",
  width => {
    const numbers = Array.from({ length: 11 }, (_, index) => 7 * width + index * width);
    const counts = histogram(numbers, { bins: 10 })
      .toCSV()
      .trim()
      .split("\r\n")
      .slice(1)
      .map(line => line.split(",")[2]);
    expect(counts).toEqual(["1", "1", "1", "1", "1", "1", "1", "1", "1", "2"]);
  },
);

test("bins that are narrow for their values have edges that are told apart", () => {
  const chart = histogram(
    Array.from({ length: 300 }, (_, index) => 5.012_345e9 + 1e3 * Math.sin(index)),
    { bins: 10 },
  );
  expect(chart.toText(80)).toContain("5,012,344,000 to 5,012,344,200");
  expect(pixelsOf(chart.toPNG()).height).toBeLessThan(800);
});

test("a matrix keeps its columns and rows where values are missing, and only a long side is averaged", () => {
  const missing = heatmap(
    [
      [Number.NaN, 2, 3],
      [4, 5, 6],
    ],
    { columns: ["a", "b", "c"], rows: ["r0", "r1"] },
  );
  expect(missing.toText(60)).toContain("r0 ···   ░░░");
  expect(missing.toText(60)).toContain("column a to c");
  const tall = heatmap(
    Array.from({ length: 150 }, () => [0, 1]),
    { columns: ["q0", "q1"] },
  );
  expect(tall.toText(60)).toContain("each cell is the mean of 1 × 2");
  expect(tall.toCSV()).toContain("q1,0,1\r\n");
});

test("a heatmap writes dates as dates, and shades on the scale of its colours, at whose ends it stays", () => {
  const dated = { t: ["2026-01-01", "2026-01-02"], q: ["a", "a"], v: [1, 2] };
  expect(heatmap(dated, { x: "t", y: "q", color: "v" }).toText(60)).toContain("t 2026-01-01 to 2026-01-02");
  const errors = [
    [1e-9, 1e-3],
    [1e-6, 1],
  ];
  expect(heatmap(errors, { color: { scale: "log", title: "error" } }).toText(60)).toContain("▓▓▓");
  const cut = heatmap([[1, 50]], { color: { domain: [0, 10] } });
  expect(Object(cut.spec).layer[0].encoding.color.scale.clamp).toBe(true);
});

test("a legend whose ends are no round numbers says them, and no rounder ones", () => {
  for (const [from, to] of [
    [-Math.SQRT1_2, Math.SQRT1_2],
    [0.02, 0.98],
  ] as const) {
    const svg = heatmap([[from, to]], { width: 128, height: 128 }).toSVG();
    const labels = [...svg.matchAll(/translate\(18,[^>]*>([^<]*)</g)].map(([, label]) => label);
    expect(labels).toEqual([from, to].map(end => String(Number(end.toFixed(2))).replace("-", "−")));
  }
});

describe("charts over each other", () => {
  const points = [1, 2, 3].map(x => ({ x, y: 10 * x }));
  const log = { field: "y", scale: "log" } as const;

  test("are refused where an axis is of two kinds, and not where a rule crosses a logarithmic one", () => {
    const onBars = () => layer([bars(points, { x: "x", y: "y" }), line(points, { x: "x", y: "y" })]);
    expect(onBars).toThrow(
      /share the x axis, which has categories in one of them and a linear scale in another/,
    );
    const onLog = () => layer([line(points, { x: "x", y: log }), scatter(points, { x: "x", y: "y" })]);
    expect(onLog).toThrow(
      /share the y axis, which has a log scale in one of them and a linear scale in another/,
    );
    const named = line(points, { x: { field: "x", scale: "category" }, y: "y" });
    expect(isValid(layer([bars(points, { x: "x", y: "y" }), named]).spec)).toBe(true);
    expect(isValid(layer([line(points, { x: "x", y: log }), rule([{ y: 15 }], { y: "y" })]).spec)).toBe(true);
  });

  test("with a second axis are written one after the other, since their numbers can't be compared", () => {
    const charts = [line(points, { x: "x", y: "y" }), line(points, { x: "x", y: "y", title: "Other" })];
    expect(layer(charts, { secondAxis: true }).toText()).toContain("Other");
    expect(layer(charts, { secondAxis: true }).toText()).toContain(charts[0]!.toText());
  });

  test("have the ticks of all, also where one of them is a single point", () => {
    const svg = layer([
      line(points, { x: "x", y: "y" }),
      scatter([{ x: 2, y: 19 }], { x: "x", y: "y" }),
    ]).toSVG();
    for (const tick of [10, 20, 30]) expect(svg).toContain(`>${tick}</text>`);
    expect(svg).not.toContain(">19</text>");
  });
});

describe("numbers that are close to each other", () => {
  const close = [0, 250.5, 500.25, 1000].map((step, index) => ({ x: "q", at: index, f: 5.012344e9 + step }));

  test("have an axis whose labels differ", () => {
    for (const chart of [line(close, { x: "at", y: "f" }), box(close, { x: "x", y: "f" })]) {
      const labels = [...chart.toSVG().matchAll(/>([^<>]*× 10⁹)</g)].map(([, label]) => label);
      expect(labels.length).toBeGreaterThan(2);
      expect(new Set(labels).size).toBe(labels.length);
    }
  });

  test("are drawn and written with the digits that tell them apart", () => {
    const chart = box(close, { x: "x", y: "f" });
    expect(Object(chart.spec).data.values[0]).toMatchObject({ low: 5012344000, median: 5012344375.375 });
    expect(chart.toText()).toContain("median 5,012,344,375.4");
    expect(line(close, { x: "at", y: "f" }).table().text).toContain("5,012,344,250.5");
    const whole = line([{ x: 1, y: 123456789 }], { x: "x", y: "y" });
    expect(whole.table().text).toContain("123,456,789");
  });
});

test("boxes are named as far as their names have room, and say where there are none", () => {
  const many = Array.from({ length: 640 }, (_, index) => ({ x: `name ${index % 64}`, y: index }));
  const svg = box(many, { x: "x", y: "y" }).toSVG();
  expect(svg).toContain(">name 0</text>");
  expect(svg).not.toContain(">name 1</text>");
  expect(box([], { x: "x", y: "y" } as never).toText()).toContain("no rows");
});

test("small multiples keep the order of the rows, in which each has some of the names", () => {
  const months = ["Jan", "Feb", "Mar", "Apr"].map((x, at) => ({ x, y: at, part: at % 2 }));
  for (const draw of [bars, box, line])
    for (const options of draw === bars ? [{}, { horizontal: true }] : [{}]) {
      const chart = facet(months, { by: "part" }, some => draw(some, { x: "x", y: "y", ...options }));
      expect(
        chart
          .toSVG()
          .match(/>(?:Jan|Feb|Mar|Apr)</g)!
          .slice(0, 4),
      ).toEqual(["Jan", "Feb", "Mar", "Apr"].map(name => `>${name}<`));
    }
});

test("a box of a single value has a line that is seen", () => {
  const alone = box([{ x: "a", y: 1 }, ...rows.map(({ y }) => ({ x: "b", y }))], { x: "x", y: "y", color });
  const white = alone.toSVG().match(/fill="#ffffff"/g)!.length;
  const both = box(
    rows.flatMap(({ y }) => ["a", "b"].map(x => ({ x, y }))),
    { x: "x", y: "y", color },
  );
  expect(both.toSVG().match(/fill="#ffffff"/g)!.length).toBe(white + 1);
});

describe("charts side by side", () => {
  const charts = [
    line(rows, { x: "x", y: "y", title: "Linear" }),
    line(rows, { x: "x", y: { field: "y", scale: "log" }, title: "Logarithmic" }),
  ];

  test("are refused where a shared axis would be of two kinds", () => {
    expect(isValid(grid(charts, { shared: ["x"] }).spec)).toBe(true);
    expect(() => grid(charts, { shared: ["y"] })).toThrow(
      /can't share the y axis, which has a linear scale .* a log scale .*leave y out of shared/,
    );
  });

  test("are one file, whose rows name their charts and have all digits", () => {
    const third = histogram({ "0": 1, "1": 2 });
    const lines = grid([...charts, third])
      .toCSV()
      .split("\r\n");
    expect(lines[0]).toMatch(/^chart,x,y,outcome,/);
    expect(lines.filter(one => one.startsWith("Logarithmic,"))).toHaveLength(5);
    expect(lines.find(one => one.includes(",0,"))).toContain("0.3333333333333333");
  });
});

test("legends of very small numbers are written as their axes are, in powers of ten", () => {
  const small = rows.map(({ x, y }) => ({ x, y: y * 1e-9 }));
  const svg = scatter(small, { x: "x", y: "x", color: "y", size: "y" }).toSVG();
  expect(svg).toContain(">5 × 10⁻⁹</text>");
  expect(svg).not.toContain(">0.0000");
});

test("a density counts the points within the ends of its axes, and none of the others", () => {
  const points = Array.from({ length: 6000 }, (_, index) => ({ x: index, y: index % 7 }));
  const chart = scatter(points, { x: { field: "x", domain: [1000, 2000] }, y: "y" });
  const counts = Object(chart.spec).data.values as { count: number }[];
  expect(counts.reduce((sum, { count }) => sum + count, 0)).toBe(1001);
});
