import { execFile } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { hashOf } from "../../tools/hash.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const CACHE = join(root, "node_modules/.cache/ketbook");
/** A build takes a fraction of it. */
const STALE_MS = 180_000;
/** Sources of the site and its shell. */
export const SITE_SOURCES = [
  "src",
  "site",
  "tools/site",
  "notebooks",
  "dist/index.d.ts",
  "package-lock.json",
];

/**
 * Returns a folder that is built once for all that it is made from, by the first process that asks, and removes those that
 * were made from something else. It is not to be changed.
 */
export async function buildOnce(
  kind: string,
  sources: readonly string[],
  build: (draft: string) => Promise<unknown>,
): Promise<string> {
  mkdirSync(CACHE, { recursive: true });
  const folder = join(CACHE, `${kind}-${hashOf(sources)}`);
  const [lock, draft] = [join(CACHE, `${kind}.lock`), join(CACHE, `${kind}.draft`)];
  while (!existsSync(folder)) {
    if (!tryLock(lock)) {
      await sleep(200);
      continue;
    }
    try {
      for (const each of readdirSync(CACHE))
        if (each.startsWith(`${kind}-`)) rmSync(join(CACHE, each), { recursive: true, force: true });
      rmSync(draft, { recursive: true, force: true });
      await build(draft);
      renameSync(draft, folder);
    } finally {
      rmSync(lock, { recursive: true, force: true });
    }
  }
  return folder;
}

function tryLock(lock: string): boolean {
  try {
    mkdirSync(lock);
    return true;
  } catch {
    const since = statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
    if (Date.now() - since > STALE_MS) rmSync(lock, { recursive: true, force: true });
    return false;
  }
}

/** Builds the site. */
export const buildSite = (): Promise<string> =>
  buildOnce("site", SITE_SOURCES, draft => runTool("tools/site/build.ts", draft));

/** Runs a tool of this project, and fails with what it wrote. */
export const runTool = (tool: string, folder: string) =>
  promisify(execFile)(process.execPath, [join(root, tool), folder]);
