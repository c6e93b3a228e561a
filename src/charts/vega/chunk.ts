import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { OLDEST_NODE } from "../../node-version.ts";
import { vegaAliases } from "./aliases.ts";

/** The part of a bundler's hook that writes a file. */
export interface Emitter {
  emitFile(file: { type: "asset"; fileName: string; source: string }): string;
}
type Bundle = { [file: string]: { type: string; moduleIds?: string[] } };

const packageFolder = /^(.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+)[\\/]/;

function noticeOf(folder: string): string {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const file = readdirSync(folder).find(entry => /^licen[cs]e/i.test(entry));
  if (!file) throw new Error(`${name} ${version} ships no licence file; its notice can't be passed on.`);
  return `${name} ${version} (${license})\n\n${readFileSync(join(folder, file), "utf8").trim()}\n`;
}

/** A bundler plugin that writes the licences of every package in the bundle to a file beside it. */
export function licenceNotices(fileName: string) {
  return {
    name: "licence-notices",
    generateBundle(this: Emitter, _options: unknown, bundle: Bundle) {
      const modules = Object.values(bundle).flatMap(({ moduleIds = [] }) => moduleIds);
      const folders = new Set(modules.flatMap(id => packageFolder.exec(id)?.[1] ?? []));
      const notices = [...folders]
        .filter(folder => existsSync(join(folder, "package.json")))
        .sort()
        .map(noticeOf);
      this.emitFile({ type: "asset", fileName, source: notices.join(`\n${"=".repeat(72)}\n\n`) });
    },
  };
}

/** How the build makes `vega.js`: the renderer with all of Vega that it needs, in one file that loads at once. */
export const vegaChunk = {
  entry: { vega: fileURLToPath(new URL("./renderer.ts", import.meta.url)) },
  alias: vegaAliases(),
  deps: { onlyBundle: false as const },
  format: "esm" as const,
  platform: "node" as const,
  target: `node${OLDEST_NODE}`,
  fixedExtension: false,
  minify: true,
  plugins: [licenceNotices("vega.LICENSES.txt")],
};
