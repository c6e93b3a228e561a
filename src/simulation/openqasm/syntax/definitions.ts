import { DiagnosticError } from "../diagnostics/diagnostic.ts";
import { DEFAULT_COMPILE_LIMITS } from "./limits.ts";
import { parse } from "./parse.ts";
import type { SourceProgram } from "./source.ts";
import { TokenStream } from "./token-stream.ts";

/**
 * Returns the text of the gates and subroutines that a program in OpenQASM 3 or 2 defines, as they are written and in
 * their order, each on lines of its own: without header, includes, declarations and statements.
 * Throws a ProgramError where the program cannot be read.
 */
export function definitionsOf(source: string): string {
  return parse({ format: formatOf(source), data: source })
    .statements.filter(({ kind }) => kind === "gate" || kind === "def")
    .map(({ at, end }) => source.slice(at, end))
    .join("\n");
}

/** Returns the format that the first line of a program names; OpenQASM 3 where it names none. */
function formatOf(source: string): SourceProgram["format"] {
  const tokens = new TokenStream(source, DEFAULT_COMPILE_LIMITS);
  try {
    return tokens.accept("OPENQASM") && tokens.peek().text.startsWith("2") ? "qasm2" : "qasm3";
  } catch (error) {
    if (!(error instanceof DiagnosticError)) throw error;
    return "qasm3";
  }
}
