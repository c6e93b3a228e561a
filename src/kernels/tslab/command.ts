import { fileURLToPath } from "node:url";
import type { Tslab } from "./locate.ts";

/** How the kernel is to be started. */
export interface LaunchOptions {
  /** The file that says where to listen; Jupyter puts it in the place of `{connection_file}`. */
  connectionFile: string;
  /** The tslab to run in a folder that has none of its own. */
  tslab: Tslab;
  javascript?: boolean | undefined;
  /** Makes the library known to the cells without an import. */
  preload?: boolean | undefined;
  /** Ends the kernel, with everything that it started, when its standard input closes. */
  tied?: boolean | undefined;
}

const LAUNCHER = new URL(
  import.meta.url.endsWith(".ts") ? "./launch.ts" : "./tslab-launch.js",
  import.meta.url,
);

/** The command that starts Ketbook's kernel on this Node. */
export function launchCommand({ connectionFile, tslab, javascript, preload, tied }: LaunchOptions): string[] {
  return [
    process.execPath,
    fileURLToPath(LAUNCHER),
    "--connection",
    connectionFile,
    "--tslab",
    tslab.manifest,
    ...(javascript ? ["--js"] : []),
    ...(preload ? ["--preload"] : []),
    ...(tied ? ["--tied"] : []),
  ];
}
