import { writeFileSync } from "node:fs";
import { extname } from "node:path";
import { warn } from "#host";
import { accessing, describeValue, KetbookError, rethrowAsKetbookError } from "../contract/index.ts";
import { drawableText, outlinedText } from "./drawable-text.ts";
import { embedFonts } from "./embed-fonts.ts";
import { facesFor } from "./fonts.ts";
import type { Theme } from "./theme.ts";
import { pdfKit } from "./true-type.ts";
import { sizeOf } from "./vega/metrics.ts";

export interface SavedPicture {
  title: string;
  font: Theme["font"];
  svg: () => string;
  png: () => Uint8Array;
  files: { readonly [ending: string]: () => string | Uint8Array };
}

/** Writes a file in the format of its extension, fonts within. Throws a `KetbookError` for another one, or for a path that cannot be written. */
export function savePicture(path: string, { title, font, svg, png, files }: SavedPicture): void {
  const ending = extname(String(path)).toLowerCase();
  let drawn: string | undefined;
  const draw = () => {
    drawn ??= svg();
    return drawn;
  };
  const forms: SavedPicture["files"] = {
    ".svg": () => embedFonts(draw(), font),
    ".pdf": () => svgToPdf(draw(), font, title),
    ".png": png,
    ...files,
  };
  const write = Object.hasOwn(forms, ending) ? forms[ending] : undefined;
  if (!write)
    throw new KetbookError(
      `Nothing can be saved as ${describeValue(ending || path)}: end the name in ${Object.keys(forms).join(", ")}.`,
    );
  const contents = rethrowAsKetbookError("save", write);
  const missing = [".svg", ".pdf", ".png"].includes(ending) ? drawableText(draw(), font).missing : [];
  const letters = [...new Set(missing)].slice(0, 8).join(", ");
  if (letters) warn(`save: no font has ${letters}, so code points are drawn. Install one, or save as .html.`);
  accessing(path, () => writeFileSync(path, contents));
}

/** Writes a PDF of a picture's size: vectors, and text in embedded subsets of its fonts. */
function svgToPdf(svg: string, textFont: Theme["font"], title = ""): Uint8Array {
  const bold = svg.replaceAll('font-weight="600"', 'font-weight="bold"');
  const fontPath = (families: string, isBold: boolean) => facesFor({ families, isBold, textFont })[0].path;
  return pdfKit().writePdf(outlinedText(bold, textFont), { title, ...sizeOf(svg) }, fontPath);
}
