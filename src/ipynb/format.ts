import type * as nbformat from "@jupyterlab/nbformat";

export type JsonObject = nbformat.OutputMetadata;

/** A notebook of version 4.5 of the Jupyter format. Strings are joined here, which a file may hold as lines. */
export interface Notebook extends Pick<nbformat.INotebookContent, "metadata"> {
  cells: Cell[];
}

export interface CodeCell extends nbformat.ICodeCell {
  id: string;
  source: string;
  outputs: Output[];
}

interface TextCell {
  cell_type: "markdown" | "raw";
  id: string;
  metadata: JsonObject;
  source: string;
  attachments?: nbformat.IAttachments;
}

export type Cell = CodeCell | TextCell;

interface StreamOutput extends nbformat.IStream {
  text: string;
}

/** Something that a program displayed, or the value of its cell, as a mime bundle. */
export type RichOutput = nbformat.IDisplayData | nbformat.IExecuteResult;

export type ErrorOutput = nbformat.IError;

export type Output = StreamOutput | RichOutput | ErrorOutput;

/** A message of the Jupyter protocol, as far as a client reads it. */
export interface Message {
  type: string;
  /** Id of the request that this message answers. */
  parent: string | undefined;
  /** Content of the message; undefined if it is too large for a client. */
  content: Record<string, unknown> | undefined;
}

/** Error of a notebook that could not be executed at all: the problem, its place, and advice. */
export class NotebookError extends Error {
  override name = "NotebookError";
}

export const bundlesOf = ({ cells }: Notebook): RichOutput[] =>
  cells
    .flatMap(cell => (cell.cell_type === "code" ? cell.outputs : []))
    .filter((output): output is RichOutput => /^(?:display_data|execute_result)$/.test(output.output_type));
