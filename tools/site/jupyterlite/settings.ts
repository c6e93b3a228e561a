import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { LabPackage } from "./extensions.ts";
import { readStyles, type StyleAssets } from "./styles.ts";

interface Schema {
  properties?: Record<string, { default?: unknown }>;
}

/** Settings that differ from JupyterLab's defaults, by plugin. */
const DEFAULTS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  "@jupyterlab/apputils-extension:notification": { fetchNews: "false", checkForUpdates: false },
  "@jupyterlab/apputils-extension:themes": { "adaptive-theme": true },
  "@jupyterlab/completer-extension:manager": { autoCompletion: true, providerTimeout: 10_000 },
  "@jupyterlab/filebrowser-extension:browser": { showLastModifiedColumn: false },
  "@jupyterlab/notebook-extension:tracker": { autoStartDefaultKernel: true },
};

/** Writes what a server would answer of the plugins' settings: their schemas, with our defaults. */
export function writeSettings(packages: readonly LabPackage[], folder: string): void {
  const all = packages.flatMap(({ name, version, folder: place, jupyterlab: { schemaDir } }) => {
    if (!schemaDir || !existsSync(join(place, schemaDir))) return [];
    return readdirSync(join(place, schemaDir))
      .filter(file => file.endsWith(".json") && file !== "package.json.orig")
      .map(file => {
        const id = `${name}:${basename(file, ".json")}`;
        const schema = JSON.parse(readFileSync(join(place, schemaDir, file), "utf8")) as Schema;
        for (const [key, value] of Object.entries(DEFAULTS[id] ?? {})) {
          const property = schema.properties?.[key];
          if (!property) throw new Error(`${id} has no setting ${key}.`);
          property.default = value;
        }
        return { id, raw: "{}", schema, settings: {}, version };
      });
  });
  const unknown = Object.keys(DEFAULTS).filter(id => !all.some(each => each.id === id));
  if (unknown.length > 0) throw new Error(`There are no settings of ${unknown.join(", ")}.`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "all.json"), JSON.stringify(all));
  writeFileSync(join(folder, "all_federated.json"), "[]");
}

/** Writes what a server would answer of languages: there is English, which needs no translation. */
export function writeTranslations(folder: string): void {
  const english = { displayName: "English", nativeName: "English" };
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "all.json"), JSON.stringify({ data: { en: english }, message: "" }));
  writeFileSync(join(folder, "en.json"), JSON.stringify({ data: {}, message: "" }));
}

/** Writes the style sheets of themes, each where its plugin looks for it. */
export function writeThemes(packages: readonly LabPackage[], folder: string): void {
  for (const { name, folder: place, jupyterlab } of packages) {
    if (!jupyterlab.themePath) continue;
    const assets: StyleAssets = new Map();
    const files: StyleAssets = new Map([
      ["index.css", Buffer.from(readStyles(join(place, jupyterlab.themePath), assets))],
      ...assets,
    ]);
    for (const [file, source] of files) {
      const target = join(folder, name, file);
      mkdirSync(dirname(target), { recursive: true });
      writeFileSync(target, source);
    }
  }
}
