import { existsSync } from "node:fs";
import { createRequire } from "node:module";

const require = createRequire(import.meta.url);

/** Where Debian's Chromium stands; `CHROMIUM` names another. */
export const chromiumPath = process.env.CHROMIUM ?? "/usr/bin/chromium";

const packages = ["@jupyterlab/rendermime", "@jupyterlab/vega5-extension", "playwright-core"];

function isInstalled(name: string): boolean {
  try {
    require.resolve(name);
    return true;
  } catch {
    return false;
  }
}

/** The file that stands for a package where it is installed. */
export const fileOf = (name: string) => require.resolve(name);

/** What keeps the tests in a browser from running, and how to mend it; nothing when they can run. */
export function obstacles(): string[] {
  const missing = packages.filter(name => !isInstalled(name));
  return [
    ...(missing.length > 0 ? [`npm install ${missing.join(" ")}`] : []),
    ...(existsSync(chromiumPath) ? [] : [`apt-get install chromium, or set CHROMIUM to its path`]),
  ];
}
