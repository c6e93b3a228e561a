import { writeFileSync } from "node:fs";
import { extname } from "node:path";
import { embedFonts } from "./embed-fonts.ts";
import { svgToPdf } from "./pdf.ts";
import type { Theme } from "./themes.ts";

/** What is saved: a picture, and other forms by the ending of the file's name. */
export interface Saved {
  title: string;
  font: Theme["font"];
  svg: () => string;
  png: () => Uint8Array;
  files: { readonly [ending: string]: () => string | Uint8Array };
}

/**
 * Writes something to a file in the form that its name ends in. SVG and PDF have their fonts within. Throws a
 * `RangeError` that names the endings there are for another one.
 */
export function savePicture(path: string, { title, font, svg, png, files }: Saved): void {
  const ending = extname(path).toLowerCase();
  const forms: Saved["files"] = {
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
