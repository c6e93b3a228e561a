import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fontFaces } from "../../src/charts/fonts.ts";
import { subsetFont } from "../../src/charts/true-type.ts";

const range = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => String.fromCodePoint(from + index));
/** Latin, Greek, and the signs of charts. */
const characters = [
  ...range(0x20, 0x17f),
  ...range(0x370, 0x3ff),
  ..."–—‘’“”…·•−×⁻⁺⁰⁴⁵⁶⁷⁸⁹₀₁₂₃₄₅₆₇₈₉√∞≈≠≤≥→←⟨⟩",
];

/** Writes the font of charts into a folder, as `fonts.css` and what that names. */
export function writeFonts(folder: string): void {
  mkdirSync(join(folder, "fonts"), { recursive: true });
  const rules = fontFaces()
    .filter(({ family }) => family === "Inter")
    .map(({ family, weight, path }) => {
      const file = `fonts/${family}-${weight}.woff2`;
      writeFileSync(join(folder, file), subsetFont(path, characters)!);
      return `@font-face { font-family: ${family}; font-weight: ${weight}; src: url(${file}) }\n`;
    });
  writeFileSync(join(folder, "fonts.css"), rules.join(""));
}
