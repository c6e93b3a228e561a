import type * as nbformat from "@jupyterlab/nbformat";

/** A JSON object. */
export type JsonObject = nbformat.OutputMetadata;

/** A notebook of version 4.5 of the Jupyter format. Strings are joined here, which a file may hold as lines. */
export interface Notebook extends Pick<nbformat.INotebookContent, "metadata"> {
  cells: Cell[];
}

/** A piece of program. */
export interface CodeCell extends nbformat.ICodeCell {
  id: string;
  source: string;
  outputs: Output[];
}

/** A piece of prose. */
export interface TextCell {
  cell_type: "markdown" | "raw";
  id: string;
  metadata: JsonObject;
  source: string;
  attachments?: nbformat.IAttachments;
}

/** One cell of a notebook. */
export type Cell = CodeCell | TextCell;

/** Text written to a standard stream. */
export interface StreamOutput extends nbformat.IStream {
  text: string;
}

/** Something that a program displayed, or the value of its cell, as a mime bundle. */
export type RichOutput = nbformat.IDisplayData | nbformat.IExecuteResult;

/** Failure of a cell. */
export type ErrorOutput = nbformat.IError;

/** One output of a cell. */
export type Output = StreamOutput | RichOutput | ErrorOutput;
