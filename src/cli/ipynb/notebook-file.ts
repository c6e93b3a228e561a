import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { type Notebook, NotebookError, type ParseOptions, parseNotebook } from "../../ipynb/index.ts";

const MAX_BYTES = 200_000_000;

/** Reads a notebook file. Throws a {@link NotebookError} that says what is wrong with it. */
export function readNotebook(path: string, options: ParseOptions = {}): Notebook {
  const size = statSync(path, { throwIfNoEntry: false })?.size;
  if (size === undefined) throw new NotebookError(`There is no notebook at ${path}.`);
  if (size > MAX_BYTES) throw new NotebookError(`${path} is too large: ${size} bytes, at most ${MAX_BYTES}.`);
  try {
    return parseNotebook(readFileSync(path, "utf8"), options);
  } catch (error) {
    if (error instanceof NotebookError) throw new NotebookError(`${path}: ${error.message}`);
    throw new NotebookError(`${path} can't be read: ${(error as Error).message}`);
  }
}

export function writeWhole(path: string, text: string): void {
  const draft = `${path}.${process.pid}.part`;
  try {
    writeFileSync(draft, text);
    renameSync(draft, path);
  } finally {
    rmSync(draft, { force: true });
  }
}
