import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { fontFiles } from "../../src/charts/fonts.ts";
import { amplitudeChart, histogram } from "../../src/charts/index.ts";
import { KetbookError } from "../../src/client/index.ts";
import { jupyterDisplay } from "../../src/display/index.ts";

const folder = mkdtempSync(join(tmpdir(), "ketbook-save-"));
afterAll(() => rmSync(folder, { recursive: true }));

interface Glyph {
  id: number;
  advanceWidth: number;
  path: { commands: unknown[] };
}
interface Font {
  glyphForCodePoint(code: number): Glyph;
  layout(text: string, features: readonly string[]): { glyphs: Glyph[] };
}
const fontkit = createRequire(import.meta.url)("fontkit") as { create(bytes: Uint8Array): Font };

const chart = histogram(
  { counts: { "00": 503, "11": 497 }, shots: 1000, title: "Bell |ψ⟩" },
  { labels: "ket" },
);
const saved = (name: string, from = chart) => {
  const path = join(folder, name);
  from.save(path);
  return readFileSync(path);
};

test("a saved SVG holds its fonts, with the glyphs that it needs and no others, and digits of one width", () => {
  const svg = saved("bell.svg").toString("utf8");
  const faces = Array.from(
    svg.matchAll(/font-family:'([^']+)';font-weight:(\d+);src:url\(data:font\/woff2;base64,([^)]+)\)/g),
  );
  expect(faces.map(([, family, weight]) => `${family} ${weight}`)).toEqual([
    "Inter 400",
    "Inter 600",
    "DejaVu Sans Mono 400",
    "DejaVu Sans 400",
  ]);
  faces.forEach(([, , , data = ""], index) => {
    const part = fontkit.create(Buffer.from(data, "base64"));
    const whole = fontkit.create(readFileSync(fontFiles()[index]!));
    for (const character of "Bell1,0shots%é")
      if (svg.includes(character)) {
        const [one] = whole.layout(character, /\d/.test(character) ? ["tnum"] : []).glyphs;
        const other = part.glyphForCodePoint(character.codePointAt(0)!);
        expect(other.path.commands).toEqual(one!.path.commands);
      }
    const digits = [..."015"].map(digit => part.glyphForCodePoint(digit.charCodeAt(0)));
    expect(new Set(digits.map(({ advanceWidth }) => advanceWidth)).size).toBe(1);
    expect(part.glyphForCodePoint("Ж".codePointAt(0)!).id).toBe(0);
  });
  expect(svg.length).toBeLessThan(45_000);
  expect(svg.replace(/<style>.*?<\/style>|<\/?tspan[^>]*>/g, "")).toBe(chart.toSVG());
});

test("a saved PDF is a page of the picture's size, of vectors and embedded fonts", () => {
  const paper = chart.with({ theme: { base: "paper", title: true } });
  const pdf = saved("bell.pdf", paper).toString("latin1");
  expect(pdf).toMatch(/^%PDF-1\./);
  const [, width, height] = /\/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/.exec(pdf)!;
  expect(Number(width)).toBeCloseTo(3.4 * 72, 1);
  expect(Number(height)).toBeGreaterThan(100);
  const fonts = new Set(Array.from(pdf.matchAll(/\/FontName \/\w+\+([\w-]+)/g), ([, name]) => name));
  expect([...fonts].sort()).toEqual([
    "DejaVuSans",
    "DejaVuSansMono",
    "STIXTwoText-Regular",
    "STIXTwoText-SemiBold",
  ]);
  expect(pdf.match(/\/FontFile2 /g)).toHaveLength(4);
  expect(pdf).not.toContain("/Subtype /Image");
});

test("a PNG above 16 million pixels is refused with its size and the limit, and is smaller where it is shown", () => {
  const sharp = chart.with({ theme: { width: 500, dpi: 2400 } });
  const large = chart.edit(spec => {
    Object.assign(spec, { width: 12_000, height: 4000 });
  });
  for (const [from, size] of [
    [sharp, /would have 12,500 × [\d,]+\. Choose a smaller size or dpi, or save it as \.svg or \.pdf\.$/],
    [large, /at most 16,000,000 pixels, and this one would have 12,\d+ × 4,\d+\./],
  ] as const) {
    for (const refused of [() => saved("large.png", from), () => from.toPNG()]) {
      expect(refused).toThrow(KetbookError);
      expect(refused).toThrow(size);
    }
    expect(from[jupyterDisplay]()["image/png"]).toMatch(/^iVBOR/);
  }
  expect(saved("large.svg", large).toString()).toMatch(/^<svg[^>]* width="12\d{3}"/);
});

test("Hebrew and brackets of states are in what is saved, as in the picture", () => {
  const hebrew = chart.with({ title: "מצב |ψ⟩" });
  expect(saved("hebrew.svg", hebrew).toString()).toMatch(/<tspan font-family="DejaVu Sans">מצב<\/tspan>/);
  expect(saved("hebrew.svg", hebrew).toString()).toContain("font-family:'DejaVu Sans'");
  expect(saved("hebrew.pdf", hebrew).toString("latin1")).toMatch(/\/FontName \/\w+\+DejaVuSans\b/);
});

test("a font of a theme is in the picture and in what is saved", () => {
  const regular = fontFiles()[2]!;
  const other = amplitudeChart([1, 0, 0, 0], { theme: { font: { family: "My Face", regular } } });
  expect(saved("state.svg", other).toString()).toContain("@font-face{font-family:'My Face'");
  expect(other.toSVG()).toContain("'My Face'");
  const missing = { family: "My Face", regular: "/no/such.ttf" };
  expect(() => other.with({ theme: { font: missing } }).toPNG()).toThrow(/\/no\/such\.ttf is missing/);
});

test("a picture with letters that no font has is saved with a warning; a page of HTML keeps them", async () => {
  const letters = "\u{10fff0}\u{10fff1}";
  const titled = chart.with({ title: `${letters} θ` });
  const warnings: string[] = [];
  const listen = ({ name, message }: Error) => name === "KetbookWarning" && warnings.push(message);
  process.on("warning", listen);
  for (const ending of ["png", "svg", "pdf", "html", "txt"]) saved(`letters.${ending}`, titled);
  saved("bell.png");
  await new Promise(setImmediate);
  process.off("warning", listen);
  const warned = `save: no font has ${letters}, so code points are drawn. Install one, or save as .html.`;
  expect(warnings).toEqual([warned, warned, warned]);
  expect(saved("letters.html", titled).toString("utf8")).toContain(`>${letters} θ</text>`);
});
