import fc from "fast-check";
import { afterEach, describe, expect, test } from "vitest";
import { blochChart, cityChart, histogram } from "../../src/charts/index.ts";
import { contrast, currentTheme, resolveTheme, setTheme, type Theme } from "../../src/charts/theme.ts";
import { neutral } from "../../src/display/index.ts";
import { categories } from "../../src/display/palette.ts";
import {
  bars,
  chart as chartOf,
  grid,
  histogram as histogramOf,
  layer,
  line,
  linspace,
  scatter,
} from "../../src/index.ts";
import { pixelsOf } from "./png-reader.ts";

const chart = histogram({ counts: { "00": 503, "11": 497, "01": 40 }, shots: 1040, title: "Bell pair" });
const sizeOf = (svg: string) =>
  /<svg[^>]* width="([\d.]+)" height="([\d.]+)"/.exec(svg)!.slice(1).map(Number);
/** Colours of all texts in a picture. */
const textColors = (svg: string) =>
  Array.from(svg.matchAll(/<text[^>]*? fill="([^"]+)"/g), ([, color = ""]) => color);

afterEach(() => setTheme(resolveTheme("notebook")));

describe.each(["notebook", "paper", "slides", "dark"] as const)("the theme %s", name => {
  test("has text of a contrast of 4.5 and more on its ground", () => {
    const svg = chart.with({ theme: name }).toSVG();
    const ground = name === "dark" ? "#111111" : "#ffffff";
    expect(svg).toMatch(new RegExp(`^<svg[^>]*><rect [^>]*fill="${ground}"/>`));
    expect(textColors(svg).length).toBeGreaterThan(8);
    for (const color of textColors(svg)) expect(contrast(color, ground)).toBeGreaterThan(4.5);
  });

  test("has a title that differs from its lesser text in weight", () => {
    const [first = ""] =
      chart
        .with({ theme: { base: name, title: true } })
        .toSVG()
        .match(/<text[^>]*>Bell pair/) ?? [];
    expect(first).toContain('font-weight="600"');
  });
});

test("in a notebook, text has the colour of the page around it", () => {
  const { config, background } = chart.spec as unknown as {
    config: { [part: string]: { color: string } };
    background: string;
  };
  expect(background).toBe("transparent");
  expect(config.title!.color).toBe("currentColor");
  expect(JSON.stringify(chart.spec)).not.toMatch(new RegExp(`"(?:label|title|subtitle)Color":"${neutral}"`));
});

describe("the width of a theme is that of the whole picture", () => {
  test.each([
    ["3.4in", 326.4],
    ["86mm", 325.04],
    [500, 500],
    ["20 cm", 755.91],
  ] as const)("%s", (width, pixels) => {
    const theme = { base: "paper", width } as const;
    const amplitudes = [1, 0, 0, 0, 0, 0, 0, 0];
    for (const drawn of [
      chart.with({ theme }),
      blochChart(amplitudes, { theme }),
      cityChart(amplitudes, { theme }),
    ])
      expect(sizeOf(drawn.toSVG())[0]).toBeCloseTo(pixels, 0);
  });
});

test("the resolution of a theme is that of the PNG", () => {
  const { width } = pixelsOf(chart.with({ theme: { width: "2in", dpi: 300 } }).toPNG());
  expect(Math.abs(width - 600)).toBeLessThanOrEqual(2);
  const bytes = Buffer.from(chart.with({ theme: { dpi: 254 } }).toPNG());
  expect(bytes.readUInt32BE(bytes.indexOf("pHYs") + 4)).toBe(10_000);
});

test("everything grows with the size of the font", () => {
  const [small = 0] = sizeOf(chart.toSVG());
  const [large = 0] = sizeOf(chart.with({ theme: { fontSize: 22 } }).toSVG());
  expect(Math.abs(large - 2 * small)).toBeLessThan(4);
});

test("title, lines below it, axes and lines across can be left out", () => {
  const svg = chart.with({ theme: { title: false, subtitle: false, axis: false } }).toSVG();
  for (const words of ["Bell pair", "shots", "counts", ">400<"]) {
    expect(chart.toSVG()).toContain(words);
    expect(svg).not.toContain(words);
  }
});

test("a theme of all charts holds for charts that were made before, not for those with their own", () => {
  const own = chart.with({ theme: "slides" });
  const before = [chart.toSVG(), own.toSVG()];
  setTheme(resolveTheme("dark"));
  expect(currentTheme().base).toBe("dark");
  expect(chart.toSVG()).not.toBe(before[0]);
  expect(chart.toSVG()).toContain("#111111");
  expect(own.toSVG()).toBe(before[1]);
});

test.each([
  ["papper", /no theme "papper": did you mean "paper"\?/],
  [{ fontsize: 3 }, /Unknown option "fontsize"\. Did you mean "fontSize"\?/],
  [{ width: "3 miles" }, /width must be pixels, or a length/],
  [{ width: Number.NaN }, /width must be pixels/],
  [{ colors: ["reddish"] }, /colors must be one to ten colours/],
  [{ base: "poster" }, /base must be "notebook" or/],
  [{ font: "Times" }, /font must be "Inter"/],
  [7, /theme must be "notebook", .*not 7/],
] as const)("refuses %j and says what there is", (theme, message) => {
  expect(() => chart.with({ theme: theme as never })).toThrow(message);
});

test("text is legible on every ground that a theme may have", () => {
  const color = fc.integer({ min: 0, max: 0xffffff }).map(value => `#${value.toString(16).padStart(6, "0")}`);
  const tone = fc.constantFrom(0, 1, 2, 3, 12, 13, 14, 15).map(value => `#${value.toString(16).repeat(6)}`);
  fc.assert(
    fc.property(fc.oneof(tone), color, (background, first) => {
      const theme: Theme = resolveTheme({ background, colors: [first] });
      const svg = chart.with({ theme: { background, colors: [first] } }).toSVG();
      for (const text of textColors(svg)) expect(contrast(text, background)).toBeGreaterThan(4.5);
      expect(theme.colors).toEqual([first]);
      expect(svg).toContain(`fill="${first}"`);
    }),
    { numRuns: 8 },
  );
});

test("a specification is frozen, and edit changes a copy that stays changed", () => {
  expect(() => Object.assign(chart.spec, { width: 1 })).toThrow(TypeError);
  const edited = chart.edit(spec => {
    spec.title.text = "Edited";
  });
  expect(edited.spec.title).toMatchObject({ text: "Edited" });
  expect(edited.with({ top: 1, theme: "dark" }).toSVG()).toContain("Edited");
  expect(chart.toSVG()).not.toContain("Edited");
  expect(() => chart.edit(() => ({ data: { url: "https://example.org/x.csv" }, mark: "bar" }))).toThrow(
    /spec\.data\.url: a chart .* loads nothing/,
  );
});

describe("no theme changes", () => {
  const given = {
    data: { values: [{ x: 1, y: 2, of: "a" }] },
    mark: { type: "point", color: "#009E73", size: 100, strokeWidth: 3 },
    encoding: {
      x: { field: "x", type: "quantitative" },
      y: { field: "y", type: "quantitative" },
      fill: { field: "of", type: "nominal", scale: { domain: ["a"], range: ["#0072B2", "#D55E00"] } },
    },
  };

  test.each(["paper", "slides", "dark"] as const)("a specification from outside: %s", theme => {
    const alone = chartOf(given, { theme });
    expect(alone.spec).toMatchObject({ mark: given.mark, encoding: given.encoding });
    for (const both of [grid([alone, chart]), layer([alone, chart])]) {
      const [view] = Object.values(both.with({ theme }).spec).find(Array.isArray) as object[];
      expect(view).toMatchObject({ mark: given.mark, encoding: given.encoding });
    }
  });

  test.each(["notebook", "dark"] as const)("the one colour that a chart was given: %s", theme => {
    const rows = [0, 1, 2].map(x => ({ x, y: x }));
    const xy = { x: "x", y: "y", color: "rebeccapurple", theme } as const;
    const given = { counts: { "0": 3, "1": 5 }, shots: 8 };
    const drawn = [
      histogram(given, { color: "rebeccapurple", theme }),
      ...[line(rows, xy), bars(rows, xy), scatter(rows, xy)],
    ];
    for (const one of [...drawn, layer([drawn[1]!, drawn[3]!], { theme })])
      expect(one.toSVG()).toContain('"rebeccapurple"');
    expect(() => histogram(given, { color: "reddish" })).toThrow(/color must be a colour such as/);
    expect(() => line(rows, { ...xy, color: "reddish" })).toThrow(/color must be a colour such as/);
  });

  test("the colour that an edit gives to marks", () => {
    const red = chart.edit(spec => {
      spec.layer[0].mark.color = "red";
    });
    expect(red.with({ theme: "dark" }).toSVG()).toContain('fill="red"');
  });
});

test("a chart has a title only if one was given, and what stood below it is one caption under the picture", () => {
  const rows = [0, 1, 2].map(x => ({ x, y: x - 1 }));
  const plain = histogram({ counts: { "0": 3, "1": 5 }, shots: 8 });
  expect(plain.spec.title).toMatchObject({
    orient: "bottom",
    text: ["8 shots · 2 outcomes · intervals of at least 95%"],
  });
  expect(plain.toSVG()).not.toContain("Measurement outcomes");
  expect(line(rows, { x: "x", y: "y" }).spec.title).toBeUndefined();
  expect(line(rows, { x: "x", y: "y", title: "Mine" }).toSVG()).toContain(">Mine<");
});

test("axes write fractions of π, powers of ten, and a line at 0", () => {
  const drawn = (xs: readonly number[], of: (x: number) => number, scale: "linear" | "log" = "linear") =>
    line(
      xs.map(x => ({ x, y: of(x) })),
      { x: "x", y: { field: "y", scale } },
    );
  const turn = drawn(linspace(0, 2 * Math.PI, 7), Math.cos);
  for (const label of ["0", "π/2", "3π/2", "2π"]) expect(turn.toSVG()).toContain(`>${label}<`);
  expect(JSON.stringify(turn.bareSpec)).toContain("datum.value === 0");
  expect(drawn([1, 2, 3], x => x * 1e-9).toSVG()).toContain(">2 × 10⁻⁹<");
  expect(drawn([1, 2, 3], x => x * 1e-8).toSVG()).toContain(">20 × 10⁻⁹<");
  expect(drawn([1, 2, 3, 4], () => 1e-6).toSVG()).toMatch(/>4<[\s\S]*>10⁻⁶</);
  expect(drawn([1, 2, 3, 4], x => x / 2).toSVG()).not.toMatch(/>1\.5<[\s\S]*>2\.5</);
  expect(histogramOf([1e-6, 2e-6, 3e-6], { bins: 3 }).toSVG()).toContain(">2 × 10⁻⁶<");
  expect(drawn([1, 4, 8], x => 10 ** -x, "log").toSVG()).toMatch(/>10⁻⁸<[\s\S]*>0\.01</);
});

test("up to ten series have colours of their own, on light as on dark", () => {
  const rows = Array.from({ length: 20 }, (_, index) => ({ x: index % 2, y: index, of: `s${index % 10}` }));
  const ten = line(rows, { x: "x", y: "y", series: "of" });
  const strokes = (svg: string) =>
    new Set(Array.from(svg.matchAll(/mark-line[^>]*>(?:<path[^>]* stroke="(#\w+)")/g), ([, color]) => color));
  for (const theme of ["notebook", "dark"] as const)
    expect(strokes(ten.with({ theme }).toSVG()).size).toBe(10);
  for (const color of categories.either)
    for (const ground of ["#ffffff", "#111111"]) expect(contrast(color, ground)).toBeGreaterThan(2.95);
});
