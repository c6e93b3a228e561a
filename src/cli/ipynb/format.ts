/** The Jupyter notebook format, version 4.5, as far as executing one needs it. Texts are joined strings here. */
export interface Notebook {
  cells: Cell[];
  metadata: Record<string, unknown>;
}

/** A piece of program. */
export interface CodeCell {
  type: "code";
  id: string;
  metadata: Record<string, unknown>;
  source: string;
  outputs: Output[];
  executionCount: number | null;
}

/** A piece of prose. */
export interface TextCell {
  type: "markdown" | "raw";
  id: string;
  metadata: Record<string, unknown>;
  source: string;
  attachments?: Record<string, unknown>;
}

/** One cell of a notebook. */
export type Cell = CodeCell | TextCell;

/** Text that a program wrote. */
export interface StreamOutput {
  output_type: "stream";
  name: "stdout" | "stderr";
  text: string;
}

/** Something that a program showed, in several representations. */
export interface DisplayOutput {
  output_type: "display_data";
  data: Record<string, unknown>;
  metadata: Record<string, unknown>;
}

/** The value of a cell, in several representations. */
export interface ResultOutput {
  output_type: "execute_result";
  data: Record<string, unknown>;
  metadata: Record<string, unknown>;
  execution_count: number | null;
}

/** Why a cell failed. */
export interface ErrorOutput {
  output_type: "error";
  ename: string;
  evalue: string;
  traceback: string[];
}

/** One output of a cell. */
export type Output = StreamOutput | DisplayOutput | ResultOutput | ErrorOutput;
