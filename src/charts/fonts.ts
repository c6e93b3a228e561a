import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

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

/** Paths of the fonts. Throws when one is missing, since a picture without its font would have no text at all. */
export function fontFiles(): string[] {
  found ??= fonts.map(({ file, source }) => {
    const path = fromSources ? installed(source) : fileURLToPath(new URL(`./fonts/${file}`, import.meta.url));
    if (!existsSync(path))
      throw new Error(
        `The font ${path} is missing, and pictures need it for their text. Install ketbook again.`,
      );
    return path;
  });
  return found;
}

/** What the build copies into `fonts/` beside the bundle: the fonts and their licences. */
export function fontAssets(): { from: string; file: string }[] {
  return [...fonts, ...licences].map(({ file, source }) => ({ from: installed(source), file }));
}
