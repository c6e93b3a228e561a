import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Theme } from "./theme.ts";

/** The fonts of every picture: Inter for words, DejaVu Sans Mono for outcomes and for what Inter lacks, such as ⟩; DejaVu Sans for Hebrew, Arabic and more. */
const fonts = [
  {
    ...{ family: "Inter", weight: 400, file: "Inter_400Regular.ttf" },
    source: "@expo-google-fonts/inter/400Regular/Inter_400Regular.ttf",
  },
  {
    ...{ family: "Inter", weight: 600, file: "Inter_600SemiBold.ttf" },
    source: "@expo-google-fonts/inter/600SemiBold/Inter_600SemiBold.ttf",
  },
  {
    ...{ family: "DejaVu Sans Mono", weight: 400, file: "DejaVuSansMono.ttf" },
    source: "dejavu-fonts-ttf/ttf/DejaVuSansMono.ttf",
  },
  {
    ...{ family: "DejaVu Sans", weight: 400, file: "DejaVuSans.ttf" },
    source: "dejavu-fonts-ttf/ttf/DejaVuSans.ttf",
  },
] as const;

const licences = [
  { file: "Inter.LICENSE.txt", source: "@expo-google-fonts/inter/LICENSE_FONT" },
  { file: "DejaVu.LICENSE.txt", source: "dejavu-fonts-ttf/LICENSE" },
] as const;

const fromSources = import.meta.url.endsWith(".ts");

/** Returns where a file of an installed package stands. */
function installed(source: string): string {
  const [scope = "", name = ""] = source.split("/");
  const owner = scope.startsWith("@") ? `${scope}/${name}` : scope;
  const manifest = createRequire(import.meta.url).resolve(`${owner}/package.json`);
  return join(dirname(manifest), source.slice(owner.length + 1));
}

/** A face of a font: its family, weight and file. */
export interface FontFace {
  family: string;
  weight: number;
  path: string;
}

let found: FontFace[] | undefined;

/**
 * Returns the faces of a theme's words and the library's own, the theme's first. Throws when a file is missing, since a picture
 * without its font would have no text at all.
 */
export function fontFaces(textFont: Theme["font"] = "Inter"): FontFace[] {
  found ??= fonts.map(({ file, source, family, weight }) => ({
    family,
    weight,
    path: existing(
      fromSources ? installed(source) : fileURLToPath(new URL(`./fonts/${file}`, import.meta.url)),
    ),
  }));
  if (textFont === "Inter") return found;
  if (typeof textFont === "string")
    return found.toSorted(
      (one, other) => Number(other.family === textFont) - Number(one.family === textFont),
    );
  const { family, regular, bold = regular } = textFont;
  return [
    { family, weight: 400, path: existing(regular) },
    { family, weight: 600, path: existing(bold) },
    ...found,
  ];
}

/** Throws a `RangeError` where a file of a theme's font is missing. */
export function checkFont(textFont: Theme["font"]): void {
  if (typeof textFont === "string") return;
  const missing = [textFont.regular, textFont.bold ?? textFont.regular].find(path => !existsSync(path));
  if (missing !== undefined) throw new RangeError(`font: there is no file ${JSON.stringify(missing)}.`);
}

/** Paths of the fonts, and of those of a theme. */
export const fontFiles = (textFont?: Theme["font"]) => fontFaces(textFont).map(({ path }) => path);

function existing(path: string): string {
  if (existsSync(path)) return path;
  throw new Error(
    `The font ${path} is missing, and pictures need it for their text. Reinstall ketbook, or fix the theme.`,
  );
}

/** Returns the name of a theme's family of words. */
const fontFamily = (textFont: Theme["font"]) => (typeof textFont === "string" ? textFont : textFont.family);

/** Returns what the build copies into `fonts/` beside the bundle: the fonts and their licences. */
export function fontAssets(): { from: string; file: string }[] {
  return [...fonts, ...licences].map(({ file, source }) => ({ from: installed(source), file }));
}

/** Returns how Resvg finds fonts: those of the library and of a theme, and those of the machine where they are needed. */
export const fontOptions = (textFont: Theme["font"], loadSystemFonts = false) => ({
  loadSystemFonts,
  fontFiles: fontFiles(textFont),
  defaultFontFamily: fontFamily(textFont),
  sansSerifFamily: fontFamily(textFont),
  monospaceFamily: "DejaVu Sans Mono",
});
