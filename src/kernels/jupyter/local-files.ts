import { readFileSync, statSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { createRequire } from "node:module";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { DOCUMENT_PREFIX } from "../cells/documents.ts";
import type { CompletionItem } from "../cells/types.ts";
import { compilerOptions, configurationFiles, mappedPaths } from "./folder-configuration.ts";

const CHANGE = { created: 1, changed: 2, deleted: 3 } as const;

interface FileChange {
  file: string;
  type: (typeof CHANGE)[keyof typeof CHANGE];
}

const ENDINGS = ["", ".ts", ".mts", ".tsx", ".cts", ".js", ".mjs", ".cjs", ".json", "/index.ts", "/index.js"];
const DECLARED = [".d.ts", "/index.d.ts"];
const JAVASCRIPT_ENDING = /\.([cm]?)js(x?)$/;
const SPECIFIER = /(?:\bfrom|\bimport|\brequire|\bpath=)\s*\(?\s*(["'])([^"'\n]+)\1/g;
const SCRIPT = /\.[cm]?[jt]sx?$/;
const MAX_FILES = 5000;

/** Returns the files that a local module can be in; its ending may be left out, or be that of its JavaScript. */
export function candidatesOf(path: string): string[] {
  const typed = JAVASCRIPT_ENDING.test(path) ? [path.replace(JAVASCRIPT_ENDING, ".$1ts$2")] : [];
  return [...typed, ...ENDINGS.map(ending => path + ending)];
}

/** Modification time of a file; `NaN` for anything else. */
export function changeOf(path: string): number {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats?.isFile() ? stats.mtimeMs : Number.NaN;
}

const MAX_SOURCE = 10_000_000;

/** The text of a file that there is; undefined for one that is too large, or none. */
export function fileContent(path: string): string | undefined {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat?.isFile() && stat.size <= MAX_SOURCE ? readFileSync(path, "utf8") : undefined;
}

export const isFile = (path: string): boolean => !Number.isNaN(changeOf(path));

/**
 * Watches the files that documents in a folder depend on, without a process or a thread for that: what they import, and
 * the configuration.
 */
export function openLocalFiles(folder: string, documents: ReadonlyMap<string, { text: string }>) {
  const configuration = join(folder, "tsconfig.json");
  let files = new Map<string, number>();
  let seen = new Set<string>();
  let paths = compilerOptions(configuration).paths;
  watchConfiguration();

  function watch(file: string): void {
    if (files.has(file) || files.size >= MAX_FILES) return;
    const changed = changeOf(file);
    files.set(file, changed);
    if (SCRIPT.test(file) && !Number.isNaN(changed)) scan(file, readFileSync(file, "utf8"));
  }

  function watchConfiguration(): void {
    for (const file of configurationFiles(configuration)) watch(file);
    watch(join(folder, "package.json"));
  }

  /** Watches what a source imports; of a module that there is not, all files that it could come to be in. */
  function scan(importer: string, text: string): void {
    for (const [, , specifier = ""] of text.matchAll(SPECIFIER)) {
      if (specifier.startsWith(`./${DOCUMENT_PREFIX}`)) continue;
      const from = dirname(importer);
      const key = `${from}\n${specifier}`;
      if (seen.has(key)) continue;
      seen.add(key);
      const bases = basesOf(specifier, from);
      const possible = bases.flatMap(base => [
        ...candidatesOf(base),
        ...DECLARED.map(ending => base.replace(JAVASCRIPT_ENDING, "") + ending),
      ]);
      const found = possible.find(isFile);
      for (const file of found ? [found] : possible) watch(file);
    }
  }

  function basesOf(specifier: string, from: string): string[] {
    if (/^\.{0,2}\//.test(specifier) || /^\.{1,2}$/.test(specifier)) return [resolve(from, specifier)];
    if (specifier.startsWith("file:")) return URL.canParse(specifier) ? [fileURLToPath(specifier)] : [];
    if (/^[a-z][\w+.-]*:/i.test(specifier)) return [];
    const mapped = mappedPaths(paths, specifier);
    const name = /^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? specifier;
    const roots = createRequire(join(from, "notebook.ts")).resolve.paths(name) ?? [];
    const manifests = roots.map(root => join(root, name, "package.json"));
    return [...mapped, ...(manifests.some(isFile) ? [] : manifests)];
  }

  return {
    read: (document: string, text: string) => scan(join(folder, document), text),
    /** Returns the files that have changed since the last call. */
    changes() {
      const changes: FileChange[] = [];
      for (const [file, before] of files) {
        const now = changeOf(file);
        if (Object.is(now, before)) continue;
        const type = Number.isNaN(before)
          ? CHANGE.created
          : Number.isNaN(now)
            ? CHANGE.deleted
            : CHANGE.changed;
        changes.push({ file, type });
      }
      if (changes.length === 0) return changes;
      // Imports may resolve to other files now.
      files = new Map();
      seen = new Set();
      paths = compilerOptions(configuration).paths;
      watchConfiguration();
      for (const [document, { text }] of documents) scan(join(folder, document), text);
      return changes;
    },
  };
}

const READ_TIMEOUT_MS = 200;
const MAX_ENTRIES = 1000;

/** Lists the files and folders that complete a path; none when the disk takes long to say. */
export async function pathsAfter(folder: string, path: string): Promise<CompletionItem[]> {
  const parent = path.slice(0, path.lastIndexOf("/") + 1).replace(/^~(?=\/)/, homedir());
  const hidden = path.slice(path.lastIndexOf("/") + 1).startsWith(".");
  const read = readdir(resolve(folder, parent), { withFileTypes: true }).catch(() => []);
  const entries = await Promise.race([read, sleep(READ_TIMEOUT_MS, [])]);
  return entries
    .filter(({ name }) => hidden || !name.startsWith("."))
    .slice(0, MAX_ENTRIES)
    .map(entry => ({ name: entry.name, kind: entry.isDirectory() ? "folder" : "file" }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}
