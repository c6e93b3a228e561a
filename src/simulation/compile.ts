import type { Circuit } from "./circuit/circuit.ts";
import { type CompileOptions, compile as compileQasm } from "./openqasm/lowering/compile.ts";
import type { SourceProgram as QasmProgram } from "./openqasm/syntax/source.ts";
import { compileQir } from "./qir/compile.ts";
import type { SourceFiles } from "./source-text.ts";

/** The text of a program: OpenQASM 3 or 2, or QIR in LLVM's text form. */
export interface SourceProgram {
  format: QasmProgram["format"] | "qir.ll";
  data: string;
  /** The texts of the files that a program in OpenQASM may include, by their names; they come before the library's. */
  files?: SourceFiles;
}

/**
 * Compiles a program to a circuit: reads, checks and lowers it. What the language leaves open: an `int`, `uint` or `angle`
 * without a width has 64 bits; `pow(k) @` with a `k` that is no whole number is the principal power of the whole gate,
 * whatever it is made of: each eigenphase of its unitary, taken in (-π, π], times `k`.
 * Throws a ProgramError with everything that is wrong with it.
 */
export function compile({ format, ...source }: SourceProgram, options: CompileOptions = {}): Circuit {
  return format === "qir.ll" ? compileQir(source.data, options) : compileQasm({ format, ...source }, options);
}
