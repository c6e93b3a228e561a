import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { OLDEST_NODE } from "../../src/node-version.ts";
import { buildOnce } from "../browser/build-once.ts";

/** Installs packages into a folder, as a user does who allows the install scripts of those that have one. */
export function npmInstall(folder: string, ...packages: string[]): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), '{ "allowScripts": { "zeromq": true } }');
  execFileSync("npm", ["install", "--no-audit", "--no-fund", ...packages], { cwd: folder, stdio: "pipe" });
}

const isWindows = process.platform === "win32";
const program = isWindows ? "package/bin/node.exe" : "package/bin/node";

/**
 * Gets the program of a version of Node into a folder, from the package that npm's `node` installs. Returns its path, or
 * undefined, saying why on standard error, where there is none for this platform. Where `CI` is set nothing may be missing,
 * and it throws.
 */
export function installNode(folder: string, version: string): Promise<string | undefined> {
  return unlessMissing(version, async () => unpackNode(join(folder, version), version));
}

/** Gets the program of the oldest Node that is supported, once for all tests. It is returned and missed like others. */
export function oldestNode(): Promise<string | undefined> {
  const version = `${OLDEST_NODE}.0`;
  return unlessMissing(version, async () => {
    const draft = async (into: string) => unpackNode(into, version);
    return join(await buildOnce(`node-${version}`, [], draft), program);
  });
}

async function unlessMissing(version: string, get: () => Promise<string>): Promise<string | undefined> {
  try {
    return await get();
  } catch (error) {
    if (process.env.CI) throw error;
    process.stderr.write(`Node ${version} can't be installed; tests with it are skipped. ${error}\n`);
    return undefined;
  }
}

function unpackNode(into: string, version: string): string {
  const name = `node-${isWindows ? "win" : process.platform}-${process.arch}`;
  mkdirSync(into, { recursive: true });
  const options = ["pack", "--silent", "--pack-destination", into, `${name}@${version}`];
  const file = execFileSync("npm", options, { stdio: "pipe", encoding: "utf8" }).trim();
  execFileSync("tar", ["-xzf", file, program], { cwd: into, stdio: "pipe" });
  rmSync(join(into, file));
  return join(into, program);
}
