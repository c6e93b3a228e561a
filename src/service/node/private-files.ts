import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { platform } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { OWNER_KEY_FILE } from "./folder.ts";

/** Makes the contents of a file last through a loss of power. */
export function syncFile(path: string): void {
  const descriptor = openSync(path, "r+");
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Makes the names of new and renamed files last through a loss of power; Windows knows no such call. */
export function syncFolder(folder: string): void {
  if (platform() === "win32") return;
  const descriptor = openSync(folder, "r");
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

const DRAFT = /^\.(\d+)\.tmp(-wal|-shm|-journal)?$/;

/**
 * Returns the name under which a file is written until it is whole. Drafts of the file that processes have left which
 * are gone, such as one that was killed, are removed.
 */
export function draftOf(file: string): string {
  const [folder, name] = [dirname(resolve(file)), basename(file)];
  for (const entry of existsSync(folder) ? readdirSync(folder) : []) {
    const [, pid] = (entry.startsWith(name) && DRAFT.exec(entry.slice(name.length))) || [];
    if (pid !== undefined && !isAlive(Number(pid))) rmSync(join(folder, entry), { force: true });
  }
  return `${file}.${process.pid}.tmp`;
}

/** Whether a process other than this one has an id. */
function isAlive(pid: number): boolean {
  if (pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** Writes a file that only its owner can read, whole or not at all. */
export function writePrivately(path: string, text: string): void {
  const draft = draftOf(path);
  try {
    writeFileSync(draft, text, { mode: 0o600, flush: true });
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}

export function ownerKeyFile(folder: string) {
  const path = join(folder, OWNER_KEY_FILE);
  return {
    read: () => (existsSync(path) ? readFileSync(path, "utf8").trim() : undefined),
    write: (key: string) => writePrivately(path, `${key}\n`),
  };
}
