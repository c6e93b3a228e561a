import { readdir } from "node:fs/promises";
import { homedir } from "node:os";
import { resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { CompletionItem } from "../cells/types.ts";

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
