import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

export interface Tslab {
  version: string;
  /** The script that starts its kernel. */
  entry: string;
  /** Its package.json, from which its own dependencies resolve. */
  manifest: string;
}

/** The tslab that the first of some folders finds: installed there or above. */
export function nearestTslab(folders: readonly string[]): Tslab | undefined {
  for (const folder of folders) {
    const manifest = manifestFrom(folder);
    if (manifest !== undefined) return tslabAt(manifest);
  }
  return undefined;
}
function tslabAt(manifest: string): Tslab {
  const { version, bin } = JSON.parse(readFileSync(manifest, "utf8"));
  return { version, manifest, entry: join(dirname(manifest), bin.tslab) };
}

function manifestFrom(folder: string): string | undefined {
  try {
    return createRequire(join(folder, "notebook.js")).resolve("tslab/package.json");
  } catch {
    return undefined;
  }
}
