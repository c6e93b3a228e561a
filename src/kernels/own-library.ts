import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { LIBRARY } from "./library-name.ts";

/** Folder of the kernel's own copy of the library, for folders of notebooks that have none. */
export function ownLibrary(): string | undefined {
  const beside = dirname(fileURLToPath(import.meta.url));
  if (existsSync(join(beside, "index.d.ts"))) return beside;
  try {
    return dirname(createRequire(import.meta.url).resolve(LIBRARY));
  } catch {
    return undefined;
  }
}
