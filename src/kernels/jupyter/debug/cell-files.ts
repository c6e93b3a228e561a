import { readFileSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, sep } from "node:path";
import type { Language } from "../../cells/syntax.ts";
import { murmur2 } from "./murmur2.ts";

/** The names that debuggers know the sources of cells by, as if each were a file. */
export interface CellFiles {
  /** Parameters by which front ends create these names. */
  naming: { hashMethod: "Murmur2"; hashSeed: number; tmpFilePrefix: string; tmpFileSuffix: string };
  /** The name of a source, which is known from then on. */
  add(source: string): string;
  sourceOf(path: string): string | undefined;
}

const SEED = 0xc70f6907;
const MAX_FILES = 2000;
const MAX_SOURCE = 10_000_000;

export function openCellFiles(language: Language): CellFiles {
  const tmpFilePrefix = join(tmpdir(), `ketbook_${process.pid}`) + sep;
  const tmpFileSuffix = language === "typescript" ? ".ts" : ".js";
  const sources = new Map<string, string>();
  return {
    naming: { hashMethod: "Murmur2", hashSeed: SEED, tmpFilePrefix, tmpFileSuffix },
    sourceOf: path => sources.get(path),
    add(source) {
      const path = `${tmpFilePrefix}${murmur2(source, SEED)}${tmpFileSuffix}`;
      sources.delete(path);
      sources.set(path, source);
      if (sources.size > MAX_FILES) sources.delete(sources.keys().next().value!);
      return path;
    },
  };
}

/** The text of a file that there is; undefined for one that is too large, or none. */
export function fileContent(path: string): string | undefined {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat?.isFile() && stat.size <= MAX_SOURCE ? readFileSync(path, "utf8") : undefined;
}
