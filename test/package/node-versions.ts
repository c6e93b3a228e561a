import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Installs packages into a folder, as a user does who allows the install scripts of those that have one. */
export function npmInstall(folder: string, ...packages: string[]): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), '{ "allowScripts": { "zeromq": true } }');
  execFileSync("npm", ["install", "--no-audit", "--no-fund", ...packages], { cwd: folder, stdio: "pipe" });
}

/**
 * Gets the program of a version of Node into a folder, from the package that npm's `node` installs. Returns its path, or
 * undefined, saying why on standard error, where there is none for this platform. Where `CI` is set nothing may be missing,
 * and it throws.
 */
export function installNode(folder: string, version: string): string | undefined {
  const into = join(folder, version);
  const isWindows = process.platform === "win32";
  const name = `node-${isWindows ? "win" : process.platform}-${process.arch}`;
  const program = isWindows ? "package/bin/node.exe" : "package/bin/node";
  try {
    mkdirSync(into, { recursive: true });
    const options = ["pack", "--silent", "--pack-destination", into, `${name}@${version}`];
    const file = execFileSync("npm", options, { stdio: "pipe", encoding: "utf8" }).trim();
    execFileSync("tar", ["-xzf", file, program], { cwd: into, stdio: "pipe" });
    rmSync(join(into, file));
    return join(into, program);
  } catch (error) {
    if (process.env.CI) throw error;
    process.stderr.write(`Node ${version} can't be installed; tests with it are skipped. ${error}\n`);
    return undefined;
  }
}
