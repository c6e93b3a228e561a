import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { OLDEST_NODE } from "../src/node-version.ts";
import { vegaAliases } from "./vega/aliases.ts";

/** The part of a bundler's hook that writes a file. */
export interface Emitter {
  emitFile(file: { type: "asset"; fileName: string; source: string }): string;
}
type Bundle = { [file: string]: { type: string; moduleIds?: string[] } };

const packageFolder = /^(.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+)[\\/]/;

/** The words of licences, by their names, for packages that only name theirs. */
type LicenceTexts = Readonly<Record<string, string>>;

const mitLicence = readFileSync(new URL("../LICENSE", import.meta.url), "utf8");

function noticeOf(folder: string, texts: LicenceTexts): [name: string, text: string] {
  const { name, version, license, author } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const file = readdirSync(folder).find(entry => /^licen[cs]e/i.test(entry));
  const named = texts[license];
  if (!file && named === undefined)
    throw new Error(`${name} ${version} ships no licence file; its notice can't be passed on.`);
  const text = file
    ? readFileSync(join(folder, file), "utf8")
    : named!.replace(/Copyright .*/, `Copyright (c) ${author?.name ?? author ?? `the authors of ${name}`}`);
  return [`${name} ${version} (${license})\n`, text.trim()];
}

/**
 * Returns a bundler plugin that writes the licences of every package in the bundle to a file beside it, each text once. `texts` are
 * those of licences besides MIT's.
 */
export function licenceNotices(fileName: string, texts: LicenceTexts = {}) {
  return {
    name: "licence-notices",
    generateBundle(this: Emitter, _options: unknown, bundle: Bundle) {
      const modules = Object.values(bundle).flatMap(({ moduleIds = [] }) => moduleIds);
      const folders = new Set(modules.flatMap(id => packageFolder.exec(id)?.[1] ?? []));
      const notices = [...folders]
        .filter(folder => existsSync(join(folder, "package.json")))
        .sort()
        .map(folder => noticeOf(folder, { MIT: mitLicence, ...texts }));
      const byText = Map.groupBy(notices, ([, text]) => text);
      const source = Array.from(
        byText,
        ([text, named]) => `${named.map(([name]) => name).join("")}\n${text}\n`,
      );
      this.emitFile({ type: "asset", fileName, source: source.join(`\n${"=".repeat(72)}\n\n`) });
    },
  };
}

const chunk = (name: string, renderer: string) => ({
  entry: { [name]: fileURLToPath(new URL(renderer, import.meta.url)) },
  deps: { onlyBundle: false as const },
  format: "esm" as const,
  platform: "node" as const,
  target: `node${OLDEST_NODE}`,
  fixedExtension: false,
  minify: true,
  plugins: [licenceNotices(`${name}.LICENSES.txt`)],
});

/** How the build makes `vega.js`: the renderer with all of Vega that it needs, in one file that loads at once. */
export const vegaChunk = { ...chunk("vega", "../src/charts/vega/page.ts"), alias: vegaAliases() };

/** How the build makes `pdf.js`: what writes PDF, in one file that is loaded by the first one. */
export const pdfChunk = chunk("pdf", "../src/charts/pdf/renderer.ts");
