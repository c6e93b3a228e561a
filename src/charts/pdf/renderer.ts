/// <reference path="./fontkit.d.ts" />
import { create } from "fontkit";
import PDFDocument from "pdfkit";
import drawSvg from "svg-to-pdfkit";

export interface PdfOptions {
  title: string;
  width: number;
  height: number;
  fontPath: (families: string, bold: boolean) => string;
}

const pointsOfPixel = 0.75;

/** Writes a picture as a PDF of one page of its size, at once: vectors, and text in fonts that are embedded. */
export function writePdf(svg: string, { title, width, height, fontPath }: PdfOptions): Uint8Array {
  const size: [number, number] = [width * pointsOfPixel, height * pointsOfPixel];
  const pdf = new PDFDocument({ size, margin: 0, font: fontPath("", false), info: { Title: title } });
  const parts: Buffer[] = [];
  drawSvg(pdf, svg, 0, 0, { width: size[0], height: size[1], assumePt: false, fontCallback: fontPath });
  pdf.end();
  for (let part = pdf.read(); part !== null; part = pdf.read()) parts.push(part as Buffer);
  return new Uint8Array(Buffer.concat(parts));
}

/** Part of a font with the given characters, and the glyph of each that it has. */
export interface FontPart {
  /** A TrueType file that lacks the tables of names and of characters. */
  bytes: Uint8Array;
  glyphs: [codePoint: number, glyph: number][];
}

/** Returns the part of a font that some characters need, with digits of one width; `undefined` without TrueType outlines. */
export function fontPart(file: Uint8Array, codePoints: readonly number[]): FontPart | undefined {
  const font = create(file);
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
  return { bytes: subset.encode(), glyphs };
}
