import { fileURLToPath } from "node:url";

export interface LaunchOptions {
  /** The file that says where to listen; Jupyter puts it in the place of `{connection_file}`. */
  connectionFile: string;
  javascript?: boolean | undefined;
  /** Makes the library known to the cells without an import. */
  preload?: boolean | undefined;
  /** Has cells wait for the check of their types, however long that takes; default: 300 ms. */
  waitForTypes?: boolean | undefined;
  /** Ends the kernel, with everything that it started, when its standard input closes. */
  exitWithParent?: boolean | undefined;
}

const ENTRY = new URL(import.meta.url.endsWith(".ts") ? "./main.ts" : "./kernel.js", import.meta.url);

const FLAGS = {
  javascript: "--js",
  preload: "--preload",
  waitForTypes: "--wait-for-types",
  exitWithParent: "--exit-with-parent",
};

export function launchCommand({ connectionFile, ...options }: LaunchOptions): string[] {
  const names = Object.keys(FLAGS) as (keyof typeof FLAGS)[];
  const flags = names.filter(name => options[name]).map(name => FLAGS[name]);
  return [process.execPath, fileURLToPath(ENTRY), "--connection", connectionFile, ...flags];
}
