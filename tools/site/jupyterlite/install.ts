import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Installs the packages of a folder as its lock names them, where that has not been done yet. */
export function installPackages(folder: string): void {
  const lock = readFileSync(join(folder, "package-lock.json"), "utf8");
  const stamp = join(folder, "node_modules/.installed-lock.json");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === lock) return;
  const npm = process.env.npm_execpath;
  const args = ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline", "--loglevel=error"];
  const options = { cwd: folder, stdio: ["ignore", "ignore", "inherit"] as ["ignore", "ignore", "inherit"] };
  if (npm) execFileSync(process.execPath, [npm, ...args], options);
  else execFileSync("npm", args, { ...options, shell: process.platform === "win32" });
  writeFileSync(stamp, lock);
}
