import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";

const SCRIPT = fileURLToPath(new URL("../../src/browser/offline/service-worker.ts", import.meta.url));
const UNNEEDED = /(?:^|\/)(?:_headers|[^/]*LICENSES\.txt)$/;

/** Lists the files in a folder and below it that a page may ask for, by their paths from there. */
export function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => relative(folder, join(entry.parentPath, entry.name)).replaceAll("\\", "/"))
    .filter(file => !UNNEEDED.test(file))
    .sort();
}

/**
 * Writes the service worker of a page into its folder. `addresses` are folders that the page is opened by, and `files`
 * all that it is made of, as paths from there.
 */
export async function writeServiceWorker(
  folder: string,
  name: string,
  addresses: readonly string[],
  files: readonly string[],
): Promise<void> {
  const hash = createHash("sha256");
  for (const file of files) hash.update(file).update(readFileSync(join(folder, file)));
  const site = { name, version: hash.digest("hex").slice(0, 16), files: [...addresses, ...files] };
  const build = await rolldown({
    input: { "service-worker": SCRIPT },
    platform: "browser",
    transform: { define: { SITE: JSON.stringify(site) } },
  });
  await build.write({ format: "esm", minify: true, dir: folder });
  await build.close();
}
