import { randomBytes } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import type { IAttachments } from "@jupyterlab/nbformat";
import { NotebookError } from "./errors.ts";
import type { Cell, JsonObject, Notebook } from "./format.ts";

const MAX_BYTES = 200_000_000;
const CELL_ID = /^[\w-]{1,64}$/;
const LANGUAGES = ["typescript", "javascript"];

/** Reads a notebook file. Throws a {@link NotebookError} that says what is wrong with it. */
export function readNotebook(path: string): Notebook {
  const size = statSync(path, { throwIfNoEntry: false })?.size;
  if (size === undefined) throw new NotebookError(`There is no notebook at ${path}.`);
  if (size > MAX_BYTES) throw new NotebookError(`${path} is too large: ${size} bytes, at most ${MAX_BYTES}.`);
  try {
    return parseNotebook(readFileSync(path, "utf8"));
  } catch (error) {
    if (error instanceof NotebookError) throw new NotebookError(`${path}: ${error.message}`);
    throw new NotebookError(`${path} can't be read: ${(error as Error).message}`);
  }
}

/**
 * Reads the text of a version 4 notebook in TypeScript or JavaScript. Outputs of an earlier execution are left
 * behind, and cells without a valid id of their own get one.
 */
export function parseNotebook(text: string): Notebook {
  const root = parseJson(text);
  if (!isJsonObject(root) || typeof root.nbformat !== "number") {
    throw new NotebookError("This is not a Jupyter notebook: its `nbformat` is missing.");
  }
  if (root.nbformat !== 4) {
    throw new NotebookError(
      `This notebook is in format ${root.nbformat}; only version 4 is read. Open it in Jupyter and save it again.`,
    );
  }
  if (!Array.isArray(root.cells)) throw new NotebookError("This notebook has no list of cells.");
  const metadata = isJsonObject(root.metadata) ? root.metadata : {};
  refuseOtherLanguages(metadata);
  const ids = new Set<string>();
  return { cells: root.cells.map((cell, index) => readCell(cell, index + 1, ids)), metadata };
}

/** Whether the notebook says that its cells are JavaScript. */
export function isJavaScript(notebook: Notebook): boolean {
  return languageOf(notebook.metadata) === "javascript";
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new NotebookError(`This is not a notebook but broken JSON: ${(error as Error).message}.`);
  }
}

function readCell(cell: unknown, number: number, ids: Set<string>): Cell {
  if (!isJsonObject(cell)) throw new NotebookError(`Cell ${number} is not an object.`);
  const { cell_type } = cell;
  if (cell_type !== "code" && cell_type !== "markdown" && cell_type !== "raw") {
    throw new NotebookError(`Cell ${number} has the unknown type ${JSON.stringify(cell_type)}.`);
  }
  const common = {
    id: uniqueId(cell.id, ids),
    metadata: isJsonObject(cell.metadata) ? cell.metadata : {},
    source: readText(cell.source, number),
  };
  if (cell_type === "code") return { cell_type, ...common, outputs: [], execution_count: null };
  return {
    cell_type,
    ...common,
    ...(isJsonObject(cell.attachments) && { attachments: cell.attachments as IAttachments }),
  };
}

function readText(source: unknown, number: number): string {
  if (typeof source === "string") return source;
  if (Array.isArray(source) && source.every(line => typeof line === "string")) return source.join("");
  throw new NotebookError(`The source of cell ${number} is not text.`);
}

function uniqueId(id: unknown, ids: Set<string>): string {
  let unique = typeof id === "string" && CELL_ID.test(id) && !ids.has(id) ? id : undefined;
  while (unique === undefined || ids.has(unique)) unique = randomBytes(4).toString("hex");
  ids.add(unique);
  return unique;
}

function refuseOtherLanguages(metadata: JsonObject): void {
  const language = languageOf(metadata);
  if (language === undefined || LANGUAGES.includes(language)) return;
  throw new NotebookError(`This notebook is in ${language}; only TypeScript and JavaScript can be executed.`);
}

function languageOf({ language_info: info, kernelspec: spec }: JsonObject): string | undefined {
  const name = isJsonObject(info) && info.name ? info.name : isJsonObject(spec) ? spec.language : undefined;
  return typeof name === "string" ? name.toLowerCase() : undefined;
}

function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
