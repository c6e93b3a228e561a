import { writeFileSync } from "node:fs";
import { extname } from "node:path";
import { embedFonts } from "./embed-fonts.ts";
import { svgToPdf } from "./pdf.ts";
import type { Theme } from "./theme.ts";

/** A picture to save, and other formats by file extension. */
export interface SavedPicture {
  title: string;
  font: Theme["font"];
  svg: () => string;
  png: () => Uint8Array;
  files: { readonly [ending: string]: () => string | Uint8Array };
}

/**
 * Writes something to a file in the format of its extension. SVG and PDF have their fonts within. Throws a
 * `RangeError` that names the supported extensions for another one.
 */
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
