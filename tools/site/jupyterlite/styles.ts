import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, extname, join } from "node:path";

const IMPORT = /@import\s+(?:url\(\s*)?(["'])([^"']+)\1\s*\)?\s*;/g;
const ADDRESS = /url\(\s*(["']?)([^"')]+)\1\s*\)/g;

/** A file that styles name, such as a font, by the name that it is to have. */
export type StyleAssets = Map<string, Uint8Array>;

/**
 * Reads a style sheet with all that it imports and its drawings, in one text. What it names besides, such as fonts, is
 * added to `assets`, and named by addresses relative to the text.
 */
export function readStyles(file: string, assets: StyleAssets): string {
  const found = (path: string) =>
    path.startsWith("~") ? createRequire(file).resolve(path.slice(1)) : join(dirname(file), path);
  return readFileSync(file, "utf8")
    .replace(IMPORT, (_, __, path: string) => readStyles(found(path), assets))
    .replace(ADDRESS, (whole, _, path: string) => {
      if (/^(?:data:|#|https?:|assets\/)/.test(path)) return whole;
      const source = readFileSync(found(path));
      if (extname(path) === ".svg") return `url("data:image/svg+xml;base64,${source.toString("base64")}")`;
      const hash = createHash("sha256").update(source).digest("hex").slice(0, 8);
      const name = `assets/${basename(path, extname(path))}-${hash}${extname(path)}`;
      assets.set(name, source);
      return `url("${name}")`;
    });
}

/** The hooks of a bundler that the plugin calls. */
interface Bundler {
  getModuleInfo(
    id: string,
  ): { importedIds: readonly string[]; dynamicallyImportedIds: readonly string[] } | null;
  getModuleIds(): IterableIterator<string>;
  emitFile(file: { type: "asset"; fileName: string; source: string | Uint8Array }): string;
}

const STYLES = /(?<!\.raw)\.css$/;

/** Returns a bundler's plugin that gathers the style sheets that modules import into one, in the order of the imports. */
export function gatheredStyles(fileName: string, isLeftOut: (id: string) => boolean) {
  return {
    name: "gathered-styles",
    load: (id: string) =>
      STYLES.test(id) ? { code: "export {}", moduleType: "js" as const, moduleSideEffects: true } : null,
    generateBundle(this: Bundler) {
      const assets: StyleAssets = new Map();
      const seen = new Set<string>();
      const sheets: string[] = [];
      const visit = (id: string): void => {
        if (seen.has(id)) return;
        seen.add(id);
        const { importedIds = [], dynamicallyImportedIds = [] } = this.getModuleInfo(id) ?? {};
        for (const each of [...importedIds, ...dynamicallyImportedIds]) visit(each);
        if (STYLES.test(id) && !isLeftOut(id)) sheets.push(readStyles(id, assets));
      };
      for (const id of this.getModuleIds()) visit(id);
      this.emitFile({ type: "asset", fileName, source: sheets.join("\n") });
      for (const [name, source] of assets) this.emitFile({ type: "asset", fileName: name, source });
    },
  };
}
