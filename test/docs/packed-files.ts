import { execFileSync } from "node:child_process";
import { join } from "node:path";

let known: string[] | undefined;

/** The files that npm would publish, from the root of the repository. */
export function packedFiles(): string[] {
  if (known) return known;
  const cwd = join(import.meta.dirname, "../..");
  const options = ["pack", "--dry-run", "--json", "--silent", "--ignore-scripts"];
  const printed = execFileSync("npm", options, { cwd, encoding: "utf8", maxBuffer: 1 << 26 });
  const [{ files }] = Object.values(JSON.parse(printed)) as [{ files: { path: string }[] }];
  known = files.map(({ path }) => path);
  return known;
}
