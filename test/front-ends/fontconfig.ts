import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fontFiles } from "../../src/charts/fonts.ts";

const alias = (family: string, font: string) =>
  `<match target="pattern"><test name="family"><string>${family}</string></test><edit name="family" mode="prepend" binding="strong"><string>${font}</string></edit></match>`;

/** Writes a configuration in which the library's own fonts are the only ones, so that pages look alike on every machine. */
export function writeFontConfiguration(folder: string): string {
  const path = join(folder, "fonts.conf");
  const folders = new Set(fontFiles().map(file => dirname(file)));
  writeFileSync(
    path,
    `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig>
${[...folders].map(each => `<dir>${each}</dir>`).join("")}<cachedir>${folder}</cachedir>
${alias("sans-serif", "Inter")}${alias("monospace", "DejaVu Sans Mono")}
</fontconfig>
`,
  );
  return path;
}
