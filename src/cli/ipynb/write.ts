import { renameSync, rmSync, writeFileSync } from "node:fs";

/** Writes a file whole or not at all. */
export function writeWhole(path: string, text: string): void {
  const draft = `${path}.${process.pid}.part`;
  try {
    writeFileSync(draft, text);
    renameSync(draft, path);
  } finally {
    rmSync(draft, { force: true });
  }
}
