/** The text of a program. */
export interface SourceProgram {
  format: "qasm3" | "qasm2";
  data: string;
}
