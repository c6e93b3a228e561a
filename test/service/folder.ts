import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** Makes a folder, which is there until the test file ends. */
export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "ketbook-data-"));
  folders.push(folder);
  return folder;
}
