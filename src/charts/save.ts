import { writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { extname } from "node:path";
import { sizeOf } from "./apply-theme.ts";
import { outlinedText } from "./drawable-text.ts";
import { embedFonts } from "./embed-fonts.ts";
import { type FontFace, fontFaces } from "./fonts.ts";
import type { Theme } from "./theme.ts";

export interface SavedPicture {
  title: string;
  font: Theme["font"];
  svg: () => string;
  png: () => Uint8Array;
  files: { readonly [ending: string]: () => string | Uint8Array };
}

/** Writes a file in the format of its extension, fonts within. Throws a `RangeError` that names the formats. */
export function savePicture(path: string, { title, font, svg, png, files }: SavedPicture): void {
  const ending = extname(path).toLowerCase();
  const forms: SavedPicture["files"] = {
    ".svg": () => embedFonts(svg(), font),
    ".pdf": () => svgToPdf(svg(), font, title),
    ".png": png,
    ...files,
  };
  const write = Object.hasOwn(forms, ending) ? forms[ending] : undefined;
  if (!write)
    throw new RangeError(
      `Nothing can be saved as ${JSON.stringify(ending || path)}: end the name in ${Object.keys(forms).join(", ")}.`,
    );
  writeFileSync(path, write());
}

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

/** Writes a PDF of a picture's size: vectors, and text in embedded subsets of its fonts. */
function svgToPdf(svg: string, textFont: Theme["font"], title = ""): Uint8Array {
  renderer ??= createRequire(import.meta.url)(chunk) as typeof import("./pdf/renderer.ts");
  const faces = fontFaces(textFont);
  const bold = svg.replaceAll('font-weight="600"', 'font-weight="bold"');
  return renderer.writePdf(outlinedText(bold, textFont), {
    ...{ title, ...sizeOf(svg) },
    fontPath: (families, isBold) => pathOf(faces, families, isBold),
  });
}
