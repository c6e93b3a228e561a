import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { CellLanguage } from "./cells/languages.ts";
import { LIBRARY } from "./library-name.ts";

/** Folder of the kernel's own copy of the library, for folders of notebooks that have none. */
export function ownLibrary(): string | undefined {
  const beside = dirname(fileURLToPath(import.meta.url));
  if (existsSync(join(beside, "index.d.ts"))) return beside;
  try {
    return dirname(createRequire(import.meta.url).resolve(LIBRARY));
  } catch {
    return undefined;
  }
}

/** Loads the languages of cells that the library brings along. */
export async function libraryLanguages(): Promise<readonly CellLanguage[]> {
  const file = join(ownLibrary() ?? "", "cell-languages.js");
  if (!existsSync(file)) return [];
  return ((await import(pathToFileURL(file).href)) as { languages: readonly CellLanguage[] }).languages;
}
