import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { NotebookError } from "./errors.ts";

/** An installed tslab. */
export interface Tslab {
  version: string;
  /** The script that starts its kernel. */
  entry: string;
  /** Its package.json, from which its own dependencies resolve. */
  manifest: string;
}

/** The ZeroMQ binding, as tslab brings it. */
export type ZeroMq = typeof import("zeromq");

/**
 * Finds the tslab that is nearest to a folder: installed there or above, otherwise near the working folder,
 * otherwise beside Ketbook itself. Throws a {@link NotebookError} that says how to get it.
 */
export function findTslab(folder: string): Tslab {
  for (const base of [folder, process.cwd(), dirname(fileURLToPath(import.meta.url))]) {
    const manifest = resolveFrom(base);
    if (manifest === undefined) continue;
    const { version, bin } = JSON.parse(readFileSync(manifest, "utf8"));
    return { version, manifest, entry: join(dirname(manifest), bin.tslab) };
  }
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

function resolveFrom(folder: string): string | undefined {
  try {
    return createRequire(join(folder, "notebook.js")).resolve("tslab/package.json");
  } catch {
    return undefined;
  }
}
