import { expect, test } from "vitest";
import { drawableText, outlinedText } from "../../src/charts/drawable-text.ts";
import { svgToPng } from "../../src/charts/index.ts";
import { pixelsOf } from "./png-reader.ts";

const svg = (text: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="300" height="40" font-family="Inter"><text x="4" y="20" font-size="14px">${text}</text></svg>`;
const inkOf = (text: string) => {
  const { data } = pixelsOf(svgToPng(svg(text)).bytes);
  return data.filter((value, at) => at % 4 === 3 && value > 0).length;
};

const texts = (drawn: string) => drawn.replaceAll(/<[^>]*>/g, "");

test("letters of a text's own font stay as they are, and no other font is looked for", () => {
  const plain = svg("Bell · 95 % · π/2 → ≥ é");
  expect(drawableText(plain)).toEqual({ svg: plain, needsSystemFonts: false, missing: [] });
});

test("what the font lacks alone is drawn in another one of the library", () => {
  const { svg: drawn, needsSystemFonts } = drawableText(svg("Bell |ψ⟩ &lt; state"));
  expect(drawn).toContain('>Bell |ψ<tspan font-family="DejaVu Sans">⟩</tspan> &lt; state<');
  expect(needsSystemFonts).toBe(false);
  const mono = svg("|ψ⟩").replace('"Inter"', '"DejaVu Sans Mono, monospace"');
  expect(drawableText(mono).svg).toBe(mono);
});

test("Hebrew, Arabic and a smile are drawn on any machine", () => {
  for (const text of ["מעגל קוונטי", "العربية", "😀"]) {
    expect(drawableText(svg(text))).toMatchObject({ needsSystemFonts: false });
    expect(texts(drawableText(svg(text)).svg)).toBe(text);
    expect(inkOf(text)).toBeGreaterThan(50);
  }
});

test("what no font has is written as its code points, smaller so that it keeps its room", () => {
  const { svg: written } = drawableText(
    svg("Bell \u{10fffe} pair &amp; \u{10fff0}\u{10fff1}\u{10fff2}\u{10fff3}"),
  );
  expect(written).toContain(">Bell ‹U+10FFFE› pair &amp; ‹U+10FFF0 +3›<");
  expect(Number(/font-size="([\d.]+)em"/.exec(written)![1])).toBeLessThan(1);
});

/** A letter that none of the library's fonts has, and this machine has: of Chinese, Korean, Thai, or a symbol of Font Awesome. */
const letter = [..."量한ก\uf015\u{1d504}"].find(each => drawableText(svg(each)).needsSystemFonts);

test.skipIf(letter === undefined)("what only the machine has stands as outlines in saved files", () => {
  const outlined = outlinedText(svg(`a ${letter} b`));
  expect(outlined).toContain("<path");
  expect(texts(outlined)).not.toContain(letter);
  expect(outlinedText(svg("a ⟩ b"))).not.toContain("<path");
  expect(inkOf(`a ${letter} b`)).toBeGreaterThan(inkOf("a  b"));
});

test("a character from another font leaves the letters before it as they are", () => {
  const left = (text: string) => {
    const { data, width, height } = pixelsOf(svgToPng(svg(text)).bytes);
    const columns = 60;
    return Array.from({ length: height }, (_, y) => [
      ...data.subarray(4 * y * width, 4 * (y * width + columns)),
    ]);
  };
  expect(left("Bell state ψ⟩")).toEqual(left("Bell state ψ"));
});
