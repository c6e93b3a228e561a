import { compile, type Diagnostic, type InputValue, ProgramError } from "../../../src/simulation/index.ts";

export function diagnose(
  data: string,
  format: "qasm3" | "qasm2" = "qasm3",
  inputs: Readonly<Record<string, InputValue>> = {},
): readonly Diagnostic[] {
  try {
    compile({ format, data }, { inputs });
  } catch (error) {
    if (error instanceof ProgramError) return error.diagnostics;
    throw error;
  }
  return [];
}

export const places = (list: readonly Diagnostic[]) => list.map(({ line, column }) => `${line}:${column}`);
