import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inspect } from "node:util";
import { Resvg } from "@resvg/resvg-js";
import { afterAll, describe, expect, test } from "vitest";
import { comparison, histogram } from "../../src/charts/index.ts";
import { indexedPng, svgToPng } from "../../src/charts/png.ts";
import { displayMetadata, jupyterDisplay } from "../../src/display/index.ts";
import { pixelsOf } from "./png-reader.ts";

const chart = histogram({ counts: { "00": 503, "11": 497 }, shots: 1000, title: "Bell pair" });
const folder = mkdtempSync(join(tmpdir(), "ketbook-chart-"));

afterAll(() => rmSync(folder, { recursive: true }));

/** The specification as front ends get it. */
const shownSpec = { ...chart.spec, usermeta: { embedOptions: { renderer: "svg" } } };

test("a chart shows itself as Vega-Lite, PNG and text, and never as HTML", () => {
  const bundle = chart[jupyterDisplay]();
  expect(Object.keys(bundle)).toEqual(["application/vnd.vegalite.v5+json", "image/png", "text/plain"]);
  expect(bundle["application/vnd.vegalite.v5+json"]).toEqual(shownSpec);
  expect(Buffer.from(bundle["image/png"] as string, "base64")).toEqual(Buffer.from(chart.toPNG()));
  expect(inspect(chart)).toContain("██");
});

test("its picture has twice the resolution of the size it is shown at", () => {
  const { width, height } = pixelsOf(chart.toPNG());
  const shown = chart[displayMetadata]()["image/png"] as { width: number; height: number };
  expect(Math.abs(width - 2 * shown.width)).toBeLessThanOrEqual(1);
  expect(Math.abs(height - 2 * shown.height)).toBeLessThanOrEqual(1);
});

test("its picture has a ground of its own, which a theme makes transparent, and has its text drawn", () => {
  expect([...pixelsOf(chart.toPNG()).data.subarray(0, 4)]).toEqual([255, 255, 255, 255]);
  const clear = chart.with({ theme: { background: "transparent" } });
  const { data } = pixelsOf(clear.toPNG());
  expect([...data.subarray(0, 4)]).toEqual([0, 0, 0, 0]);
  const withoutText = new Resvg(clear.toSVG(), {
    font: { loadSystemFonts: false },
    fitTo: { mode: "zoom", value: 2 },
  });
  const inked = (pixels: Uint8Array) => pixels.filter((value, index) => index % 4 === 3 && value > 0).length;
  expect(inked(data)).toBeGreaterThan(inked(withoutText.render().pixels) + 2000);
});

test.each(['width="40" height="20"', 'viewBox="0 0 40 20"', 'viewBox="0 0 8 4" width="10mm" height="5mm"'])(
  "a picture with %s has the size that it says",
  attributes => {
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" ${attributes}><rect width="9" height="9"/></svg>`;
    const { width, height, bytes } = svgToPng(svg);
    expect([width, height]).toEqual(attributes.includes("mm") ? [38, 19] : [40, 20]);
    const pixels = pixelsOf(bytes);
    expect(Math.abs(pixels.width - 2 * width) + Math.abs(pixels.height - 2 * height)).toBeLessThan(3);
  },
);

test("its picture loses nothing by its palette", () => {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"><circle cx="20" cy="10" r="9" fill="#0072B2" fill-opacity="0.5"/></svg>`;
  const image = new Resvg(svg, { font: { loadSystemFonts: false } }).render();
  const data = image.pixels;
  const indexed = pixelsOf(indexedPng({ width: 40, height: 20, data }));
  const direct = pixelsOf(image.asPng());
  expect(Buffer.from(indexed.data).equals(Buffer.from(direct.data))).toBe(true);
});

test("the ramp of a legend has no bands", () => {
  const [width, height] = [64, 400];
  const data = new Uint8Array(4 * width * height);
  for (let pixel = 0; pixel < width * height; pixel++) {
    const share = Math.floor(pixel / width) / height;
    data.set(
      [68 + 185 * share, 1 + 230 * share, 84 - 47 * share + 200 * share * (1 - share), 255],
      4 * pixel,
    );
  }
  const drawn = pixelsOf(indexedPng({ width, height, data })).data;
  let furthest = 0;
  for (let at = 0; at < data.length; at++) furthest = Math.max(furthest, Math.abs(data[at]! - drawn[at]!));
  expect(furthest).toBeLessThan(4);
});

test("an edit sees what the chart's specification is, of a long chart too", () => {
  const counts = Object.fromEntries(Array.from({ length: 64 }, (_, at) => [`s${at}`, 100 - at]));
  const long = histogram({ counts, shots: 0 }, { top: 64 });
  let seen: object = {};
  const edited = long.edit(spec => {
    seen = structuredClone(spec);
    spec.title.text = "Changed";
  });
  expect(JSON.stringify(edited.spec)).toContain("Changed");
  expect(seen).toEqual(structuredClone(long.spec));
});

test("beyond 256 colours its palette keeps large areas exactly, and small dots as what they are", () => {
  const [width, height] = [400, 100];
  const data = new Uint8Array(4 * width * height);
  for (let pixel = 0; pixel < width * height; pixel++)
    data.set(pixel % width < 200 ? [0, 114, 178, 255] : [pixel % 251, (pixel >> 4) % 120, 9, 255], 4 * pixel);
  data.set([0, 255, 0, 255], 4 * 399);
  const drawn = pixelsOf(indexedPng({ width, height, data })).data;
  expect([...drawn.subarray(0, 4)]).toEqual([0, 114, 178, 255]);
  expect([...drawn.subarray(4 * 399, 4 * 400)]).toEqual([0, 255, 0, 255]);
  let furthest = 0;
  for (let at = 0; at < data.length; at++) furthest = Math.max(furthest, Math.abs(data[at]! - drawn[at]!));
  expect(furthest).toBeLessThan(24);
});

describe("save", () => {
  test.each([
    ["bell.png", "\u0089PNG"],
    ["bell.svg", "<svg"],
    ["bell.HTML", "<!doctype html>"],
    ["bell.json", "{\n"],
    ["bell.txt", "Bell pair\n"],
  ])("writes %s by its ending", (name, start) => {
    const path = join(folder, name);
    chart.save(path);
    expect(readFileSync(path, "latin1").startsWith(start)).toBe(true);
  });

  test("says which endings it knows", () => {
    expect(() => chart.save(join(folder, "bell.gif"))).toThrow(/"\.gif".*\.svg, /);
  });
});

test("its page needs no network and holds the picture, the specification, a title and the table", () => {
  const page = chart.toHTML();
  expect(page).toContain("<title>Bell pair</title>");
  expect(page).toContain("<svg");
  expect(page).toContain("<th scope=col");
  expect(page).toContain("default-src &#39;none&#39;");
  expect(page).not.toMatch(/<(script|img|link)[^>]*(src|href)=/);
  const [, spec] = /<script type="application\/vnd\.vegalite\.v5\+json">(.*?)<\/script>/.exec(page)!;
  expect(JSON.parse(spec!)).toEqual(shownSpec);
});

test("its page packs what draws charts, and takes at most 420 kB", () => {
  expect(histogram({ counts: { 0: 1 }, shots: 1 }).toHTML().length).toBeLessThan(420_000);
});

test("nothing in its data ends a script of its page", () => {
  const outcome = "</script><script>alert(1)</script><!--";
  const page = histogram({ counts: { [outcome]: 3 }, shots: 3, title: outcome }).toHTML();
  expect(page.match(/<script[^>]*>/g)).toEqual([
    '<script type="application/vnd.vegalite.v5+json">',
    '<script type="application/gzip" id="chart-code">',
    '<script type="module">',
  ]);
  expect(page.match(/<!--/g)).toHaveLength(1);
  expect(page).toContain("\\u003c/script\\u003e\\u003cscript\\u003ealert(1)");
});

test("its table says the same in words", () => {
  expect(chart.table().text).toMatch(/00 +503 +50\.3 % +47\.2 % to 53\.4 %/);
});

test("it gives itself with some options changed, and stays as it was", () => {
  const counts = { "00": 6, "01": 3, "10": 2, "11": 1 };
  const one = histogram({ counts, shots: 12 }, { top: 2, title: "One" });
  const other = one.with({ top: 3 }).with({ sort: "outcome" });
  expect(other.toText()).toMatch(/^One\n[\s\S]*\+1 more/);
  expect(one.toText()).toContain("+2 more");
  const ideal = { label: "ideal", probabilities: { "00": 1 } };
  expect(
    comparison([{ label: "seen", counts }, ideal])
      .with({ title: "Two" })
      .toText(),
  ).toMatch(/^Two\n/);
});

test("JSON has the specification", () => {
  expect(JSON.parse(JSON.stringify(chart))).toEqual(chart.spec);
});
