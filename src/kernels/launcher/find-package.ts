import { existsSync, readFileSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { LIBRARY } from "../library-name.ts";

export interface Package {
  folder: string;
  version: string;
  /** The oldest Node that it runs on, as major and minor version. */
  oldest: [number, number];
}

/** The file that starts a package's kernel. */
export const kernelIn = (folder: string): string => join(folder, "dist", "kernel.js");

/** Finds Ketbook in a folder, in the folders above, and where it was installed from. */
export function nearestPackage(from: string, installed: string): Package | undefined {
  for (let folder = from; ; folder = dirname(folder)) {
    const found = packageIn(join(folder, "node_modules", LIBRARY)) || packageIn(folder);
    if (found) return found;
    if (dirname(folder) === folder) return packageIn(installed);
  }
}

function packageIn(folder: string): Package | undefined {
  try {
    const { name, version, engines } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    if (name !== LIBRARY || !existsSync(kernelIn(folder))) return undefined;
    const [, major, minor] = /(\d+)\.(\d+)/.exec(String(engines?.node)) || ["", "0", "0"];
    return { folder: realpathSync(folder), version, oldest: [Number(major), Number(minor)] };
  } catch {
    return undefined;
  }
}

export function supports({ oldest: [major, minor] }: Package, version: string): boolean {
  const [own = 0, next = 0] = version.replace(/^v/, "").split(".").map(Number);
  return own > major || (own === major && next >= minor);
}
