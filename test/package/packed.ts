import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

const root = join(import.meta.dirname, "../..");

/** Packs the library as npm would publish it, and installs it into a new folder. Answers that folder. */
export function installPacked(): string {
  const folder = mkdtempSync(join(tmpdir(), "ketbook-packed-"));
  const pack = ["pack", "--silent", "--ignore-scripts", "--pack-destination", folder];
  execFileSync("npm", pack, { cwd: root, stdio: "ignore" });
  const tarball = readdirSync(folder).find(name => name.endsWith(".tgz"))!;
  const modules = join(folder, "node_modules");
  mkdirSync(join(modules, "ketbook"), { recursive: true });
  execFileSync("tar", [
    "-xzf",
    join(folder, tarball),
    "-C",
    join(modules, "ketbook"),
    "--strip-components=1",
  ]);
  const manifest = JSON.parse(readFileSync(join(modules, "ketbook/package.json"), "utf8"));
  const link = (name: string, from = root) => {
    mkdirSync(dirname(join(modules, name)), { recursive: true });
    symlinkSync(join(from, "node_modules", name), join(modules, name));
  };
  for (const name of [...Object.keys(manifest.dependencies), "tslab"]) link(name);
  link("@types/node", join(root, "node_modules/tslab"));
  return folder;
}
