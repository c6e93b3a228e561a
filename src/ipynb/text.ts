import type { ICell, INotebookContent, IOutput } from "@jupyterlab/nbformat";
import type { Cell, Notebook, Output } from "./format.ts";

/** The text of a notebook file in format 4.5, laid out as Jupyter does it. */
export function notebookText(notebook: Notebook): string {
  const file: INotebookContent = {
    cells: notebook.cells.map(fileCell),
    metadata: notebook.metadata,
    nbformat: 4,
    nbformat_minor: 5,
  };
  return `${JSON.stringify(file, undefined, 1)}\n`;
}

function fileCell(cell: Cell): ICell {
  const { cell_type, id, metadata } = cell;
  const common = { cell_type, id, metadata, source: lines(cell.source) };
  if (cell.cell_type !== "code")
    return { ...common, ...(cell.attachments && { attachments: cell.attachments }) };
  return { ...common, execution_count: cell.execution_count, outputs: cell.outputs.map(fileOutput) };
}

function fileOutput(output: Output): IOutput {
  if (output.output_type === "stream") return { ...output, text: lines(output.text) };
  if (output.output_type === "error") return output;
  const data = Object.entries(output.data).map(([mime, value]) => [mime, fileData(mime, value)]);
  return { ...output, data: Object.fromEntries(data) };
}

function fileData(mime: string, value: unknown): unknown {
  if (isJsonMime(mime)) return value;
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "");
  return mime.startsWith("text/") || mime === "image/svg+xml" ? lines(text) : text;
}

function isJsonMime(mime: string): boolean {
  return mime === "application/json" || (mime.startsWith("application/") && mime.endsWith("+json"));
}

function lines(text: string): string[] {
  return text === "" ? [] : text.split(/(?<=\n)/);
}
