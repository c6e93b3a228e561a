import { expect, test } from "vitest";
import { drawableText, type FontOptions } from "../../src/charts/drawable-text.ts";
import { fontFiles } from "../../src/charts/fonts.ts";
import { svgToPng } from "../../src/charts/index.ts";
import { pixelsOf } from "./png-reader.ts";

const font: FontOptions = {
  loadSystemFonts: false,
  fontFiles: fontFiles(),
  defaultFontFamily: "Inter",
  monospaceFamily: "DejaVu Sans Mono",
};
const svg = (text: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="300" height="40" font-family="Inter"><text x="4" y="20" font-size="14px">${text}</text></svg>`;
const inkOf = (text: string) => {
  const { data } = pixelsOf(svgToPng(svg(text)).bytes);
  return data.filter((value, at) => at % 4 === 3 && value > 0).length;
};

test("letters of the library's own fonts stay as they are, and no other font is looked for", () => {
  const plain = svg("Bell |ψ⟩ 95 % · π/2 → ≥ √X†");
  expect(drawableText(plain, font)).toEqual({ svg: plain, font });
});

test("Hebrew, Arabic and a smile are drawn on any machine", () => {
  for (const text of ["מעגל קוונטי", "العربية", "😀"]) {
    expect(drawableText(svg(text), font).svg).toContain(text);
    expect(inkOf(text)).toBeGreaterThan(50);
  }
});

test("what no font has is written as its code points, smaller so that it keeps its room", () => {
  const { svg: written } = drawableText(
    svg("Bell \u{10fffe} pair &amp; \u{10fff0}\u{10fff1}\u{10fff2}\u{10fff3}"),
    font,
  );
  expect(written).toContain(">Bell ‹U+10FFFE› pair &amp; ‹U+10FFF0 +3›<");
  expect(Number(/font-size="([\d.]+)em"/.exec(written)![1])).toBeLessThan(1);
});
