import { renameSync, rmSync, writeFileSync } from "node:fs";
import { draftOf } from "./draft.ts";

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
