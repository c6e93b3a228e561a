/// <reference path="./fontkit.d.ts" />
import { create, type Font } from "fontkit";
import PDFDocument from "pdfkit";
import drawSvg from "svg-to-pdfkit";

const pointsOfPixel = 0.75;

/** Writes a picture as a PDF of one page of its size, at once: vectors, and text in fonts that are embedded. */
export function writePdf(
  svg: string,
  { title, width, height }: { title: string; width: number; height: number },
  fontPath: (families: string, bold: boolean) => string,
): Uint8Array {
  const size: [number, number] = [width * pointsOfPixel, height * pointsOfPixel];
  const pdf = new PDFDocument({ size, margin: 0, font: fontPath("", false), info: { Title: title } });
  const parts: Buffer[] = [];
  drawSvg(pdf, svg, 0, 0, { width: size[0], height: size[1], assumePt: false, fontCallback: fontPath });
  pdf.end();
  for (let part = pdf.read(); part !== null; part = pdf.read()) parts.push(part as Buffer);
  return new Uint8Array(Buffer.concat(parts));
}

/** Reads a font file. Throws a `RangeError` for anything but a TrueType or OpenType font. */
export function readFont(file: Uint8Array): Font {
  try {
    const font = create(file);
    if (font.unitsPerEm > 0) return font;
  } catch {}
  throw new RangeError("A font is a .ttf or .otf file, and this one is neither.");
}

/** Returns the tables of a font file. */
export const tablesOf = ({ stream: { buffer }, directory: { tables } }: Font): Map<string, Uint8Array> =>
  new Map(
    Object.entries(tables).map(([tag, { offset, length }]) => [
      tag,
      buffer.subarray(offset, offset + length),
    ]),
  );

/**
 * Returns the tables of the part of a font that some characters need, with digits of one width, and the glyph of each
 * character that it has; `undefined` for a font without TrueType outlines.
 */
export function fontPart(font: Font, codePoints: readonly number[]) {
  if (!("glyf" in font)) return undefined;
  const subset = font.createSubset();
  const glyphs = codePoints
    .filter(codePoint => font.hasGlyphForCodePoint(codePoint))
    .map((codePoint): [number, number] => {
      const character = String.fromCodePoint(codePoint);
      const { id } = /\d/.test(character)
        ? font.layout(character, ["tnum"]).glyphs[0]!
        : font.glyphForCodePoint(codePoint);
      return [codePoint, subset.includeGlyph(id)];
    });
  return { tables: tablesOf(create(subset.encode())), glyphs };
}
