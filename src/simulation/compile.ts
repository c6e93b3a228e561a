import type { Circuit } from "./circuit/circuit.ts";
import { type CompileOptions, compile as compileQasm } from "./openqasm/lowering/compile.ts";
import type { SourceProgram as QasmProgram } from "./openqasm/syntax/source.ts";
import { compileQir } from "./qir/compile.ts";

/** The text of a program: OpenQASM 3 or 2, or QIR in LLVM's text form. */
export interface SourceProgram {
  format: QasmProgram["format"] | "qir.ll";
  data: string;
}

/**
 * Compiles a program to a circuit: reads, checks and lowers it.
 * Throws a ProgramError with everything that is wrong with it.
 */
export function compile({ format, data }: SourceProgram, options: CompileOptions = {}): Circuit {
  return format === "qir.ll" ? compileQir(data, options) : compileQasm({ format, data }, options);
}
