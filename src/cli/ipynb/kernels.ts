import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { NotebookError } from "../../ipynb/errors.ts";
import { launchCommand } from "../../kernels/jupyter/command.ts";
import { nearestTslab, type Tslab } from "../../kernels/locate-tslab.ts";

/** A kernel that notebooks can be executed in: Ketbook's own, tslab as it is, or Deno. */
export type KernelName = (typeof KERNEL_NAMES)[number];

/** The kernels, Ketbook's own first. */
export const KERNEL_NAMES = ["ketbook", "tslab", "deno"] as const;

/** The ZeroMQ binding. */
export type ZeroMq = typeof import("zeromq");

/** Options for starting a kernel. */
export interface CommandOptions {
  /** The file that says where to listen; Jupyter puts it in the place of `{connection_file}`. */
  connectionFile: string;
  /** The folder of the notebook, near which other kernels are looked for. */
  folder: string;
  javascript?: boolean | undefined;
  /** Makes the library known to the cells without an import. Only Ketbook's kernel can. */
  preload?: boolean | undefined;
  /** Has cells of Ketbook's kernel wait for the check of their types, however long that takes. */
  waitForTypes?: boolean | undefined;
  /** Ends Ketbook's kernel, with everything that it started, when its standard input closes. */
  exitWithParent?: boolean | undefined;
}

/** The command that starts a kernel. Throws a {@link NotebookError} that says how to get it. */
export function kernelCommand(name: KernelName, options: CommandOptions): string[] {
  const { connectionFile, folder, javascript } = options;
  switch (name) {
    case "ketbook":
      return launchCommand(options);
    case "tslab": {
      const { entry } = findTslab(folder);
      return [
        process.execPath,
        entry,
        "kernel",
        "--config-path",
        connectionFile,
        ...(javascript ? ["--js"] : []),
      ];
    }
    case "deno":
      return [...findDeno(folder), "jupyter", "--kernel", "--conn", connectionFile];
  }
}

/**
 * Finds the tslab that is nearest to a folder: installed there or above, otherwise near the working folder,
 * otherwise beside Ketbook itself. Throws a {@link NotebookError} that says how to get it.
 */
export function findTslab(folder: string): Tslab {
  const tslab = nearestTslab(foldersNear(folder));
  if (tslab) return tslab;
  throw new NotebookError(`tslab is not installed near ${folder}: npm install tslab`);
}

/** Finds Deno near a folder, otherwise on the PATH. */
function findDeno(folder: string): string[] {
  for (const from of foldersNear(folder)) {
    try {
      const manifest = createRequire(join(from, "notebook.js")).resolve("deno/package.json");
      return [process.execPath, join(dirname(manifest), "bin.cjs")];
    } catch {
      // It is not installed there.
    }
  }
  return ["deno"];
}

const foldersNear = (folder: string): string[] => [
  folder,
  process.cwd(),
  dirname(fileURLToPath(import.meta.url)),
];

/** Loads the ZeroMQ binding. Throws a {@link NotebookError} that says how to mend it. */
export function loadZeroMq(from: string | URL = import.meta.url): ZeroMq {
  try {
    return createRequire(from)("zeromq");
  } catch (error) {
    const [reason] = (error as Error).message.split("\n");
    throw new NotebookError(
      `zeromq does not load (${reason}). Install it again with its install script allowed: npm rebuild zeromq`,
    );
  }
}
