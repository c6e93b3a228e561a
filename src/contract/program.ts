/** Program formats that the service can run. */
export const PROGRAM_FORMATS = ["qasm3", "qasm2", "qir.ll"] as const;

/** A program as it is submitted. */
export interface Program {
  /** Name of the format, such as `qasm3` for OpenQASM 3. */
  format: string;
  /** The program's text. */
  data: string;
  /** The texts of the files that a program in OpenQASM may include, by their names; they come before the library's. */
  files?: { readonly [name: string]: string };
}

/** A program as a service keeps it. One that is no string, such as an analog Hamiltonian, is an object or a list. */
export interface RecordedProgram {
  /** Name of the format, such as `qasm3` for OpenQASM 3. */
  format: string;
  /** The program's text, or what stands in its place. */
  data: string | object;
  /** The texts of the files that a program in OpenQASM may include, by their names; they come before the library's. */
  files?: { readonly [name: string]: string };
}

/** A drawing of the circuits of a job in plain text. */
export interface ProgramAscii {
  /** Always `ascii`. */
  format: "ascii";
  /** A drawing for each program, in order. */
  circuits: { index: number; ascii: string }[];
}
