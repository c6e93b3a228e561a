import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterFile } from "./after-file.ts";

/** Makes a folder, which is there until the test file ends. */
export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "ketbook-test-"));
  afterFile(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 }));
  return folder;
}
