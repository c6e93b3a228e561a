import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Theme } from "./theme.ts";

export const serif = "STIX Two Text";

const folder = new URL(import.meta.url.endsWith(".ts") ? "../../dist/fonts/" : "./fonts/", import.meta.url);

const face = (family: string, weight: number, file: string): FontFace => ({
  ...{ family, weight, path: fileURLToPath(new URL(file, folder)) },
});

/** The fonts of pictures: Inter or STIX Two for words, DejaVu Sans Mono for outcomes and for characters missing there, such as ⟩; DejaVu Sans for Hebrew, Arabic and more. */
const fonts = [
  face("Inter", 400, "Inter_400Regular.ttf"),
  face("Inter", 600, "Inter_600SemiBold.ttf"),
  face(serif, 400, "STIXTwoText_400Regular.ttf"),
  face(serif, 600, "STIXTwoText_600SemiBold.ttf"),
  face("DejaVu Sans Mono", 400, "DejaVuSansMono.ttf"),
  face("DejaVu Sans", 400, "DejaVuSans.ttf"),
];

export interface FontFace {
  family: string;
  weight: number;
  path: string;
}

/** Returns the faces of a theme's font and of the library. Throws if a file is missing: text would vanish. */
export function fontFaces(textFont: Theme["font"] = "Inter"): FontFace[] {
  const own = fonts.filter(({ family }) => family !== serif || textFont === serif);
  const { family, regular, bold = regular } = Object(textFont) as { [member: string]: string };
  const faces =
    typeof textFont === "string"
      ? own.toSorted((one, other) => Number(other.family === textFont) - Number(one.family === textFont))
      : [{ family, weight: 400, path: regular }, { family, weight: 600, path: bold }, ...own];
  for (const { path } of faces)
    if (!existsSync(path!))
      throw new Error(
        `The font ${path} is missing, and pictures need it for their text. Reinstall ketbook, or fix the theme.`,
      );
  return faces as FontFace[];
}

/** Options of a string: font families by preference, the weight, and the font of the theme. */
export interface TextFont {
  families: string;
  isBold: boolean;
  textFont: Theme["font"];
}

const monospace = "DejaVu Sans Mono";

/** Returns the names in a list of families as CSS writes it. */
export const familyNames = (families: string) =>
  families.split(",").map(name => name.replaceAll(/&quot;|'/g, "").trim());

/** Returns true for a tag of SVG that sets text in bold. */
export const isBoldTag = (tag: string) => /font-weight="(?:bold|[6-9]00)"/.test(tag);

/** Returns the library's or theme's faces: first the one that a list of families names first, then proportional ones. */
export function facesFor({ families, isBold, textFont }: TextFont): [own: FontFace, ...others: FontFace[]] {
  const all = fontFaces(textFont);
  const weighed = all.toSorted(
    (one, other) => Number(other.weight >= 600 === isBold) - Number(one.weight >= 600 === isBold),
  );
  const named = familyNames(families).flatMap(name => {
    const wanted = name === "monospace" ? monospace : name;
    return weighed.find(({ family }) => family === wanted) ?? [];
  });
  const isMono = ({ family }: FontFace) => Number(family === monospace);
  return [named[0] ?? weighed[0]!, ...all.toSorted((one, other) => isMono(one) - isMono(other))];
}

export function checkFont(textFont: Theme["font"]): void {
  if (typeof textFont === "string") return;
  const missing = [textFont.regular, textFont.bold ?? textFont.regular].find(path => !existsSync(path));
  if (missing !== undefined) throw new RangeError(`font: there is no file ${JSON.stringify(missing)}.`);
}

export const fontFiles = (textFont?: Theme["font"]) => fontFaces(textFont).map(({ path }) => path);

const fontFamily = (textFont: Theme["font"]) => (typeof textFont === "string" ? textFont : textFont.family);

/** Returns how Resvg finds fonts: those of the library and of a theme, and those of the machine where they are needed. */
export const fontOptions = (textFont: Theme["font"], loadSystemFonts = false) => ({
  loadSystemFonts,
  fontFiles: fontFiles(textFont),
  defaultFontFamily: fontFamily(textFont),
  sansSerifFamily: fontFamily(textFont),
  monospaceFamily: monospace,
});
