import { DEFAULT_COMPILE_LIMITS } from "./limits.ts";
import { parse } from "./parse.ts";

/**
 * Gives the text of the gates and subroutines that a program in OpenQASM 3 or 2 defines, as they are written and in
 * their order, each on lines of its own: without header, includes, declarations and statements.
 * Throws a ProgramError where the program cannot be read.
 */
export function definitionsOf(source: string): string {
  const format = /^\s*(?:(?:\/\/[^\n]*\n|\/\*[^]*?\*\/)\s*)*OPENQASM\s+2\b/.test(source) ? "qasm2" : "qasm3";
  return parse({ format, data: source }, DEFAULT_COMPILE_LIMITS)
    .statements.filter(({ kind }) => kind === "gate" || kind === "def")
    .map(({ at, end }) => source.slice(at, end))
    .join("\n");
}
