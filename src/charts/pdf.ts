import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { readFont } from "./fonts/true-type.ts";
import { type FontFace, fontFaces } from "./fonts.ts";
import type { Theme } from "./theme.ts";

const chunk = import.meta.url.endsWith(".ts") ? "./pdf/renderer.ts" : "./pdf.js";

let renderer: typeof import("./pdf/renderer.ts") | undefined;

/** Returns the name of a font for drawing: the first face with a family and weight, or else the first with the weight. */
function pathOf(faces: readonly FontFace[], families: string, isBold: boolean): string {
  const weighed = faces.filter(({ weight }) => weight >= 600 === isBold);
  const named = [...weighed, ...faces].filter(({ family }) => families.includes(family));
  const mono = families.includes("monospace") && !families.includes("sans") ? faces.filter(isMono) : [];
  return (named[0] ?? mono[0] ?? weighed[0] ?? faces[0])!.path;
}

const isMono = ({ family }: FontFace) => family.includes("Mono");

/** Draws characters that the text font lacks with the monospaced one, which has more symbols. */
function withSymbols(svg: string, faces: readonly FontFace[]): string {
  const textFont = readFont(readFileSync(faces[0]!.path));
  const family = faces.find(isMono)!.family;
  const isLacking = (character: string) => textFont.glyphOf(character.codePointAt(0)!) === 0;
  return svg.replace(/(<text[^>]*>)([^<]*)/g, (_, tag: string, text: string) => {
    const runs = text.replace(/[^ -~]/gu, character =>
      isLacking(character) ? `<tspan font-family="${family}">${character}</tspan>` : character,
    );
    return tag + runs;
  });
}

/**
 * Writes a picture as a PDF of its size at once: vectors, and texts in fonts of which the glyphs in use are embedded.
 * What writes it is loaded by the first one.
 */
export function svgToPdf(svg: string, textFont: Theme["font"], title = ""): Uint8Array {
  renderer ??= createRequire(import.meta.url)(chunk) as typeof import("./pdf/renderer.ts");
  const [, width = "0", height = "0"] =
    /^<svg[^>]*? width="([\d.]+)"[^>]*? height="([\d.]+)"/.exec(svg) ?? [];
  const faces = fontFaces(textFont);
  const bold = svg.replaceAll('font-weight="600"', 'font-weight="bold"');
  return renderer.writePdf(withSymbols(bold, faces), {
    title,
    width: Number(width),
    height: Number(height),
    fontPath: (families, isBold) => pathOf(faces, families, isBold),
  });
}
