/** Problem in an OpenQASM program. Lines and columns are counted from 1. */
export interface ProgramDiagnostic {
  line: number;
  column: number;
  length?: number;
  message: string;
  hint?: string;
}

const VERSION_2 = /^\s*OPENQASM\s+2/m;

/** Returns the errors of a program; none if it compiles. */
export async function diagnoseProgram(source: string): Promise<readonly ProgramDiagnostic[]> {
  const { compile, ProgramError } = await import("../simulation/index.ts");
  try {
    compile({ format: VERSION_2.test(source) ? "qasm2" : "qasm3", data: source }, { openInputs: true });
    return [];
  } catch (error) {
    if (error instanceof ProgramError) return error.diagnostics;
    throw error;
  }
}
