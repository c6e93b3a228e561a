import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

const root = join(import.meta.dirname, "../..");

/** Packs the library as npm would publish it, into a folder. Returns the tarball's path. */
export function pack(folder: string): string {
  const options = ["pack", "--silent", "--ignore-scripts", "--pack-destination", folder];
  execFileSync("npm", options, { cwd: root, stdio: "ignore" });
  return tarballIn(folder);
}

/** The path of the tarball in a folder. */
export const tarballIn = (folder: string) =>
  join(folder, readdirSync(folder).find(name => name.endsWith(".tgz"))!);

/**
 * Packs the library and puts it into a new folder, with links to the packages that it needs. Returns that folder, which also
 * has the tarball.
 */
export function installPacked(): string {
  const folder = mkdtempSync(join(tmpdir(), "ketbook-packed-"));
  const tarball = pack(folder);
  const modules = join(folder, "node_modules");
  mkdirSync(join(modules, "ketbook"), { recursive: true });
  execFileSync("tar", ["-xzf", tarball, "-C", join(modules, "ketbook"), "--strip-components=1"]);
  const manifest = JSON.parse(readFileSync(join(modules, "ketbook/package.json"), "utf8"));
  const link = (name: string, from = root) => {
    mkdirSync(dirname(join(modules, name)), { recursive: true });
    symlinkSync(join(from, "node_modules", name), join(modules, name));
  };
  for (const name of [...Object.keys(manifest.dependencies), "tslab"]) link(name);
  link("@types/node", join(root, "node_modules/tslab"));
  return folder;
}
