import type { RecordedProgram } from "../../contract/program.ts";
import { compile, ProgramError } from "../../simulation/index.ts";
import type { Inputs } from "../programs/inputs.ts";
import { CompileError } from "./failure.ts";

/** Maximum characters of all programs that are compiled before they are submitted; the service checks longer ones. */
const MAX_LENGTH = 200_000;

/**
 * Compiles the programs of a run whose formats and texts are known.
 *
 * @throws CompileError for the first program that does not compile, as one whose inputs have no values.
 */
export function checkPrograms(programs: readonly RecordedProgram[], inputs: Inputs = {}): void {
  let length = 0;
  programs.forEach(({ format, data, files }, index) => {
    if (typeof data !== "string" || (format !== "qasm3" && format !== "qasm2" && format !== "qir.ll")) return;
    length += data.length;
    if (length > MAX_LENGTH) return;
    try {
      compile({ format, data, files }, { inputs });
    } catch (error) {
      if (!(error instanceof ProgramError)) throw error;
      const reason = programs.length > 1 ? `program ${index}: ${error.message}` : error.message;
      throw new CompileError(reason, programs, error);
    }
  });
}
