import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";

const packages = {
  "@expo-google-fonts/inter": ["400Regular/Inter_400Regular.ttf", "600SemiBold/Inter_600SemiBold.ttf"],
  "@expo-google-fonts/stix-two-text": [
    "400Regular/STIXTwoText_400Regular.ttf",
    "600SemiBold/STIXTwoText_600SemiBold.ttf",
  ],
  "dejavu-fonts-ttf": ["ttf/DejaVuSansMono.ttf", "ttf/DejaVuSans.ttf"],
};

const licences = [
  ["@expo-google-fonts/inter", "LICENSE_FONT", "Inter.LICENSE.txt"],
  ["@expo-google-fonts/stix-two-text", "LICENSE_FONT", "STIXTwo.LICENSE.txt"],
  ["dejavu-fonts-ttf", "LICENSE", "DejaVu.LICENSE.txt"],
] as const;

const installed = (name: string, file: string) =>
  join(dirname(createRequire(import.meta.url).resolve(`${name}/package.json`)), file);

/** The files that the build copies into `fonts/` beside the bundle: the fonts and their licences. */
export const fontAssets: readonly { from: string; file: string }[] = [
  ...Object.entries(packages).flatMap(([name, files]) =>
    files.map(file => ({ from: installed(name, file), file: basename(file) })),
  ),
  ...licences.map(([name, source, file]) => ({ from: installed(name, source), file })),
];
