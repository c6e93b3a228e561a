import type { IAttachments } from "@jupyterlab/nbformat";
import { type Cell, type JsonObject, type Notebook, NotebookError, type Output } from "./format.ts";
import { outputOf } from "./outputs.ts";

const CELL_ID = /^[\w-]{1,64}$/;
const LANGUAGES = ["typescript", "javascript"];

export interface ParseOptions {
  /** Whether outputs of an earlier execution are kept; default: false. */
  outputs?: boolean;
}

/**
 * Reads the text of a version 4 notebook in TypeScript or JavaScript. Outputs of an earlier execution are left
 * behind unless requested, and cells without a valid id get one.
 */
export function parseNotebook(text: string, { outputs = false }: ParseOptions = {}): Notebook {
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
  const language = languageOf(metadata);
  if (language !== undefined && !LANGUAGES.includes(language))
    throw new NotebookError(
      `This notebook is in ${language}; only TypeScript and JavaScript can be executed.`,
    );
  const ids = new Set<string>();
  return { cells: root.cells.map((cell, index) => readCell(cell, index + 1, ids, outputs)), metadata };
}

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

function readCell(cell: unknown, number: number, ids: Set<string>, outputs: boolean): Cell {
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
  if (cell_type === "code") {
    const kept =
      outputs && Array.isArray(cell.outputs) ? cell.outputs.flatMap(output => readOutput(output) ?? []) : [];
    const { execution_count: count } = cell;
    return {
      cell_type,
      ...common,
      outputs: kept,
      execution_count: outputs && typeof count === "number" ? count : null,
    };
  }
  return {
    cell_type,
    ...common,
    ...(isJsonObject(cell.attachments) && { attachments: cell.attachments as IAttachments }),
  };
}

/** An output with joined strings; undefined for one that is none. */
function readOutput(output: unknown): Output | undefined {
  if (!isJsonObject(output)) return undefined;
  const { output_type: type, data, text } = output;
  const isRich = type === "display_data" || type === "execute_result";
  if (isRich && !isJsonObject(data)) return undefined;
  const bundle = Object.entries(isJsonObject(data) ? data : {}).map(([mime, value]) => [mime, joined(value)]);
  return outputOf(String(type), { ...output, text: joined(text) ?? "", data: Object.fromEntries(bundle) });
}

/** A text that may be given as lines; anything else stays as it is. */
const joined = (value: unknown) =>
  Array.isArray(value) && value.every(line => typeof line === "string") ? value.join("") : value;

function readText(source: unknown, number: number): string {
  const text = joined(source);
  if (typeof text === "string") return text;
  throw new NotebookError(`The source of cell ${number} is not text.`);
}

function uniqueId(id: unknown, ids: Set<string>): string {
  let unique = typeof id === "string" && CELL_ID.test(id) && !ids.has(id) ? id : undefined;
  while (unique === undefined || ids.has(unique)) unique = crypto.randomUUID().slice(0, 8);
  ids.add(unique);
  return unique;
}

function languageOf({ language_info: info, kernelspec: spec }: JsonObject): string | undefined {
  const name = isJsonObject(info) && info.name ? info.name : isJsonObject(spec) ? spec.language : undefined;
  return typeof name === "string" ? name.toLowerCase() : undefined;
}

function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
