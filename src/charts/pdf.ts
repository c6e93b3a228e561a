import { createRequire } from "node:module";
import { outlinedText } from "./drawable-text.ts";
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

/**
 * Writes a picture as a PDF of its size at once: vectors, and text in embedded subsets of its fonts.
 * What writes it is loaded by the first one.
 */
export function svgToPdf(svg: string, textFont: Theme["font"], title = ""): Uint8Array {
  renderer ??= createRequire(import.meta.url)(chunk) as typeof import("./pdf/renderer.ts");
  const [, width = "0", height = "0"] =
    /^<svg[^>]*? width="([\d.]+)"[^>]*? height="([\d.]+)"/.exec(svg) ?? [];
  const faces = fontFaces(textFont);
  const bold = svg.replaceAll('font-weight="600"', 'font-weight="bold"');
  return renderer.writePdf(outlinedText(bold, textFont), {
    title,
    width: Number(width),
    height: Number(height),
    fontPath: (families, isBold) => pathOf(faces, families, isBold),
  });
}
