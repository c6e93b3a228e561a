import { existsSync, readdirSync, rmSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";

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
