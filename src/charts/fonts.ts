import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Theme } from "./theme.ts";

export const serif = "STIX Two Text";

const google = (family: string, file: string, weight: number, folder: string) => ({
  ...{ family, weight, file: `${file}_${folder}.ttf` },
  source: `@expo-google-fonts/${family.toLowerCase().replaceAll(" ", "-")}/${folder}/${file}_${folder}.ttf`,
});

const dejaVu = (family: string, file: string) => ({
  ...{ family, weight: 400, file },
  source: `dejavu-fonts-ttf/ttf/${file}`,
});

/** The fonts of pictures: Inter or STIX Two for words, DejaVu Sans Mono for outcomes and for characters missing there, such as ⟩; DejaVu Sans for Hebrew, Arabic and more. */
const fonts = [
  google("Inter", "Inter", 400, "400Regular"),
  google("Inter", "Inter", 600, "600SemiBold"),
  google(serif, "STIXTwoText", 400, "400Regular"),
  google(serif, "STIXTwoText", 600, "600SemiBold"),
  dejaVu("DejaVu Sans Mono", "DejaVuSansMono.ttf"),
  dejaVu("DejaVu Sans", "DejaVuSans.ttf"),
];

const licences = [
  { file: "Inter.LICENSE.txt", source: "@expo-google-fonts/inter/LICENSE_FONT" },
  { file: "STIXTwo.LICENSE.txt", source: "@expo-google-fonts/stix-two-text/LICENSE_FONT" },
  { file: "DejaVu.LICENSE.txt", source: "dejavu-fonts-ttf/LICENSE" },
] as const;

const fromSources = import.meta.url.endsWith(".ts");

function installed(source: string): string {
  const [scope = "", name = ""] = source.split("/");
  const owner = scope.startsWith("@") ? `${scope}/${name}` : scope;
  const manifest = createRequire(import.meta.url).resolve(`${owner}/package.json`);
  return join(dirname(manifest), source.slice(owner.length + 1));
}

export interface FontFace {
  family: string;
  weight: number;
  path: string;
}

const faces = new Map<string, FontFace>();

/** Returns a face of the library. Throws where its file is missing. */
function faceOf({ file, source, family, weight }: (typeof fonts)[number]): FontFace {
  const face = faces.get(file) ?? {
    ...{ family, weight },
    path: existing(
      fromSources ? installed(source) : fileURLToPath(new URL(`./fonts/${file}`, import.meta.url)),
    ),
  };
  faces.set(file, face);
  return face;
}

/** Returns the faces of a theme's font and of the library. Throws if a file is missing: text would vanish. */
export function fontFaces(textFont: Theme["font"] = "Inter"): FontFace[] {
  const found = fonts.filter(({ family }) => family !== serif || textFont === serif).map(faceOf);
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

export function checkFont(textFont: Theme["font"]): void {
  if (typeof textFont === "string") return;
  const missing = [textFont.regular, textFont.bold ?? textFont.regular].find(path => !existsSync(path));
  if (missing !== undefined) throw new RangeError(`font: there is no file ${JSON.stringify(missing)}.`);
}

export const fontFiles = (textFont?: Theme["font"]) => fontFaces(textFont).map(({ path }) => path);

function existing(path: string): string {
  if (existsSync(path)) return path;
  throw new Error(
    `The font ${path} is missing, and pictures need it for their text. Reinstall ketbook, or fix the theme.`,
  );
}

const fontFamily = (textFont: Theme["font"]) => (typeof textFont === "string" ? textFont : textFont.family);

/** Returns the files that the build copies into `fonts/` beside the bundle: the fonts and their licences. */
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
