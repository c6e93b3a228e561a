import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../", import.meta.url));

/** The digest of files and folders of this project, without what is installed or written by notebooks. */
export function hashOf(names: readonly string[]): string {
  const hash = createHash("sha256");
  const add = (name: string) => {
    if (/\/(?:out|node_modules)$/.test(name)) return;
    const path = root + name;
    if (statSync(path).isDirectory()) for (const each of readdirSync(path).sort()) add(`${name}/${each}`);
    else hash.update(name).update(readFileSync(path));
  };
  for (const name of names) add(name);
  return hash.digest("hex").slice(0, 16);
}
