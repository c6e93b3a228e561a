import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Theme } from "./themes.ts";

/** The fonts of every picture: Inter for words, DejaVu Sans Mono for outcomes and for what Inter lacks, such as ⟩; DejaVu Sans for Hebrew, Arabic and more. */
const fonts = [
  { file: "Inter_400Regular.ttf", source: "@expo-google-fonts/inter/400Regular/Inter_400Regular.ttf" },
  { file: "Inter_600SemiBold.ttf", source: "@expo-google-fonts/inter/600SemiBold/Inter_600SemiBold.ttf" },
  { file: "DejaVuSansMono.ttf", source: "dejavu-fonts-ttf/ttf/DejaVuSansMono.ttf" },
  { file: "DejaVuSans.ttf", source: "dejavu-fonts-ttf/ttf/DejaVuSans.ttf" },
] as const;

const licences = [
  { file: "Inter.LICENSE.txt", source: "@expo-google-fonts/inter/LICENSE_FONT" },
  { file: "DejaVu.LICENSE.txt", source: "dejavu-fonts-ttf/LICENSE" },
] as const;

const fromSources = import.meta.url.endsWith(".ts");

/** Where a file of an installed package stands. */
function installed(source: string): string {
  const [scope = "", name = ""] = source.split("/");
  const owner = scope.startsWith("@") ? `${scope}/${name}` : scope;
  const manifest = createRequire(import.meta.url).resolve(`${owner}/package.json`);
  return join(dirname(manifest), source.slice(owner.length + 1));
}

let found: string[] | undefined;

/**
 * Paths of the fonts, and of those of a theme. Throws when one is missing, since a picture without its font would have
 * no text at all.
 */
export function fontFiles(words: Theme["font"] = "Inter"): string[] {
  found ??= fonts.map(({ file, source }) =>
    existing(fromSources ? installed(source) : fileURLToPath(new URL(`./fonts/${file}`, import.meta.url))),
  );
  if (typeof words === "string") return found;
  return [...found, existing(words.regular), ...(words.bold === undefined ? [] : [existing(words.bold)])];
}

function existing(path: string): string {
  if (existsSync(path)) return path;
  throw new Error(
    `The font ${path} is missing, and pictures need it for their text: install ketbook again, or mend the theme.`,
  );
}

/** The name of a theme's family of words. */
export const fontFamily = (words: Theme["font"]) => (typeof words === "string" ? words : words.family);

/** What the build copies into `fonts/` beside the bundle: the fonts and their licences. */
export function fontAssets(): { from: string; file: string }[] {
  return [...fonts, ...licences].map(({ file, source }) => ({ from: installed(source), file }));
}
