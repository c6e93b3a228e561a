import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { attempted } from "../host/attempted.ts";
import type { CellLanguage } from "./cells/languages.ts";
import { LIBRARY } from "./library-name.ts";

/** Folder of the kernel's own copy of the library, for folders of notebooks that have none. */
export function ownLibrary(): string | undefined {
  const beside = dirname(fileURLToPath(import.meta.url));
  if (existsSync(join(beside, "index.d.ts"))) return beside;
  return attempted(() => dirname(createRequire(import.meta.url).resolve(LIBRARY)));
}

/** The languages of cells that the library brings along, and what is wrong with those that are left out. */
export async function libraryLanguages(): Promise<{ languages: readonly CellLanguage[]; fault?: string }> {
  const file = join(ownLibrary() ?? "", "cell-languages.js");
  if (!existsSync(file)) return { languages: [] };
  const faultOf = (reason: unknown) => `Cells have no languages of ${file}: ${reason}`;
  try {
    const { languages: given } = (await import(pathToFileURL(file).href)) as { languages?: unknown };
    const languages = Array.isArray(given) ? given.filter(isLanguage) : [];
    if (Array.isArray(given) && languages.length === given.length) return { languages };
    return {
      languages,
      fault: faultOf(`\`languages\` must be an array of objects with ${MEMBERS.join(", ")}.`),
    };
  } catch (error) {
    return { languages: [], fault: faultOf(error) };
  }
}

const MEMBERS = ["tag", "claims", "cellOf", "complete", "describe"];
const isLanguage = (given: unknown): given is CellLanguage =>
  MEMBERS.every(name => typeof Object(given)[name] === (name === "tag" ? "string" : "function"));

const OWN_FOLDERS = [
  fileURLToPath(new URL(".", import.meta.url)),
  ...[ownLibrary()].filter(folder => folder !== undefined),
];
const KERNEL_FRAME = /[( ]node:|[\\/](?:tslab|ketbook)[\\/]dist[\\/]|[( ]<anonymous>\)?$/;

/** Whether a line of a stack trace speaks of the kernel itself, of its library or of Node. */
export const isKernelFrame = (frame: string): boolean =>
  KERNEL_FRAME.test(frame) || OWN_FOLDERS.some(folder => frame.includes(folder));
