import type { SourceFiles } from "../../source-text.ts";

export interface SourceProgram {
  format: "qasm3" | "qasm2";
  data: string;
  /** The texts of the files that it may include, by their names. */
  files?: SourceFiles;
}
