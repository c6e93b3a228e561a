import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { buildOnce } from "../browser/build-once.ts";

const root = join(import.meta.dirname, "../..");
/** Files and folders that have all that npm publishes. */
const SOURCES = [
  ...["package.json", "README.md", "LICENSE", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md"],
  ...["dist", "docs", "notebooks"],
];

/** Packs the library as npm would publish it, once for all tests. Returns the tarball's path. */
export async function pack(): Promise<string> {
  const folder = await buildOnce("tarball", SOURCES, async draft => {
    mkdirSync(draft);
    const options = ["pack", "--silent", "--ignore-scripts", "--pack-destination", draft];
    execFileSync("npm", options, { cwd: root, stdio: "ignore" });
  });
  return join(folder, readdirSync(folder).find(name => name.endsWith(".tgz"))!);
}

/** The files that npm would publish, from the root of the repository. */
export async function packedFiles(): Promise<string[]> {
  const listed = execFileSync("tar", ["-tzf", await pack()], { encoding: "utf8", maxBuffer: 1 << 26 });
  return listed.split(/\r?\n/).flatMap(line => /^package\/(.+)$/.exec(line)?.[1] ?? []);
}

/** Puts the packed library into a new folder, with links to the packages that it needs. Returns that folder. */
export async function installPacked(): Promise<string> {
  const tarball = await pack();
  const folder = mkdtempSync(join(tmpdir(), "ketbook-packed-"));
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
