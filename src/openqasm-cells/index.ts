import type { CellLanguage } from "../kernels/cells/index.ts";
import { isProgram, programOf } from "./program-cell.ts";

export { diagnoseProgram, type ProgramDiagnostic } from "./diagnostics.ts";
export { isProgram, programOf };

const openqasm: CellLanguage = {
  tag: "qasm",
  claims: isProgram,
  cellOf: programOf,
  complete: async (code, offset) => (await import("./names.ts")).completeProgram(code, offset),
  describe: async (code, offset) => (await import("./names.ts")).describeInProgram(code, offset),
};

/** The languages that the library brings to a kernel. */
export const languages: readonly CellLanguage[] = [openqasm];
