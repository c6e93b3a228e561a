import { createRequire } from "node:module";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { nearestTslab, type Tslab } from "../../kernels/tslab/locate.ts";
import { NotebookError } from "./errors.ts";

/** The ZeroMQ binding, as tslab brings it. */
export type ZeroMq = typeof import("zeromq");

/**
 * Finds the tslab that is nearest to a folder: installed there or above, otherwise near the working folder,
 * otherwise beside Ketbook itself. Throws a {@link NotebookError} that says how to get it.
 */
export function findTslab(folder: string): Tslab {
  const tslab = nearestTslab([folder, process.cwd(), dirname(fileURLToPath(import.meta.url))]);
  if (tslab) return tslab;
  throw new NotebookError(`tslab, the TypeScript kernel, is not installed near ${folder}: npm install tslab`);
}

/** Loads the ZeroMQ binding of that tslab. Throws a {@link NotebookError} that says how to mend it. */
export function loadZeroMq(tslab: Tslab): ZeroMq {
  try {
    return createRequire(tslab.manifest)("zeromq");
  } catch (error) {
    const [reason] = (error as Error).message.split("\n");
    throw new NotebookError(
      `zeromq, which comes with tslab, does not load (${reason}). Install it again with its install script ` +
        "allowed: npm rebuild zeromq",
    );
  }
}
