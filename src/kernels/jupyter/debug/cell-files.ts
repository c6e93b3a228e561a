import { tmpdir } from "node:os";
import { join, sep } from "node:path";
import type { Language } from "../../cells/syntax.ts";

/** The names that debuggers know the sources of cells by, as if each were a file. */
export type CellFiles = ReturnType<typeof openCellFiles>;

const SEED = 0xc70f6907;
const MAX_FILES = 2000;

export function openCellFiles(language: Language) {
  const tmpFilePrefix = join(tmpdir(), `ketbook_${process.pid}`) + sep;
  const tmpFileSuffix = language === "typescript" ? ".ts" : ".js";
  const sources = new Map<string, string>();
  return {
    /** Parameters by which front ends create these names. */
    naming: { hashMethod: "Murmur2", hashSeed: SEED, tmpFilePrefix, tmpFileSuffix },
    sourceOf: (path: string) => sources.get(path),
    /** The name of a source, which is known from then on. */
    add(source: string): string {
      const path = `${tmpFilePrefix}${murmur2(source, SEED)}${tmpFileSuffix}`;
      sources.delete(path);
      sources.set(path, source);
      if (sources.size > MAX_FILES) sources.delete(sources.keys().next().value!);
      return path;
    },
  };
}

const MULTIPLIER = 0x5bd1e995;

/** The MurmurHash2 of a string's UTF-8 bytes, by which Jupyter's debuggers name the files of cells. */
export function murmur2(text: string, seed: number): number {
  const bytes = new TextEncoder().encode(text);
  const view = new DataView(bytes.buffer);
  const whole = bytes.length & ~3;
  let hash = seed ^ bytes.length;
  for (let at = 0; at < whole; at += 4) {
    const word = Math.imul(view.getUint32(at, true), MULTIPLIER);
    hash = Math.imul(hash, MULTIPLIER) ^ Math.imul(word ^ (word >>> 24), MULTIPLIER);
  }
  if (bytes.length > whole) {
    for (let at = bytes.length - 1; at >= whole; at -= 1) hash ^= bytes[at]! << (8 * (at - whole));
    hash = Math.imul(hash, MULTIPLIER);
  }
  hash = Math.imul(hash ^ (hash >>> 13), MULTIPLIER);
  return (hash ^ (hash >>> 15)) >>> 0;
}
