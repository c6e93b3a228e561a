import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Installs packages into a folder, as a user does who allows the install scripts of those that have one. */
export function npmInstall(folder: string, ...packages: string[]): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), '{ "allowScripts": { "node": true, "zeromq": true } }');
  execFileSync("npm", ["install", ...packages], { cwd: folder, stdio: "pipe" });
}

/**
 * Installs a version of Node into a folder. Returns the path of its program, or undefined, saying why on standard
 * error, where there is none for this platform. Where `CI` is set nothing may be missing, and it throws.
 */
export function installNode(folder: string, version: string): string | undefined {
  try {
    npmInstall(join(folder, version), `node@${version}`);
    return join(folder, version, "node_modules/node/bin", process.platform === "win32" ? "node.exe" : "node");
  } catch (error) {
    if (process.env.CI) throw error;
    process.stderr.write(`Node ${version} can't be installed; tests with it are skipped. ${error}\n`);
    return undefined;
  }
}
