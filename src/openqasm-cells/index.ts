import { type CellLanguage, excerpt, type Failure, LIBRARY } from "../kernels/cells/index.ts";
import type { ProgramError } from "../simulation/index.ts";

const PROGRAM = /^\s*(?:\/\/[^\n]*\n\s*|\/\*[\s\S]*?\*\/\s*)*OPENQASM\b(?:\s+(2)\b)?/;
const NAME_LINE = /^[ \t]*\/\/[ \t]*name:[ \t]*(\S*)[ \t]*$/m;
const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;
const DEFAULT_NAME = "program";

/** Whether a cell is an OpenQASM program. */
export const isProgram = (code: string): boolean => PROGRAM.test(code);

/**
 * Meaning of a cell with an OpenQASM program: a cell that binds the program to a name and shows its circuit;
 * or what is wrong with the program.
 */
export async function programOf(
  code: string,
  javascript: boolean,
): Promise<{ source: string } | { failure: Failure }> {
  const name = NAME_LINE.exec(code)?.[1] ?? DEFAULT_NAME;
  if (!isVariableName(name)) return { failure: nameFailure(code, name) };
  const fault = await faultOf(code);
  return fault ? { failure: programFailure(code, fault) } : { source: bindingCell(name, code, javascript) };
}

/** Returns the errors of a program; none if it compiles. */
export const diagnoseProgram = async (source: string): Promise<ProgramError["diagnostics"]> =>
  (await faultOf(source))?.diagnostics ?? [];

/** Compiles a program. Returns its fault; undefined if it compiles. */
async function faultOf(source: string): Promise<ProgramError | undefined> {
  const { compile, ProgramError: Fault } = await import("../simulation/index.ts");
  const format = PROGRAM.exec(source)?.[1] ? "qasm2" : "qasm3";
  try {
    compile({ format, data: source }, { openInputs: true });
    return undefined;
  } catch (error) {
    if (error instanceof Fault) return error;
    throw error;
  }
}

function bindingCell(name: string, code: string, javascript: boolean): string {
  const library = `require("${LIBRARY}")`;
  const typed = javascript ? library : `(${library} as typeof import("${LIBRARY}"))`;
  const text = JSON.stringify([code]);
  return `const ${name} = ${typed}.qasm(Object.assign(${text}, { raw: ${text} }));\n${name}`;
}

function programFailure(code: string, { message, diagnostics }: ProgramError): Failure {
  const marks = diagnostics.map(({ line, column, length = 1, message: sentence, hint }) => ({
    line,
    column: column - 1,
    length,
    notes: hint ? [sentence, hint] : [sentence],
  }));
  const count = diagnostics.length === 1 ? "" : ` (and ${diagnostics.length - 1} more)`;
  return failureOf(code, `${message}${count}`, marks);
}

const failureOf = (code: string, evalue: string, marks: Parameters<typeof excerpt>[1]): Failure => ({
  ename: "ProgramError",
  evalue,
  traceback: [`ProgramError: ${evalue}`, "", ...excerpt(code, marks)],
});

function nameFailure(code: string, name: string): Failure {
  const line = code.slice(0, NAME_LINE.exec(code)?.index).split("\n").length;
  const sentence = `${JSON.stringify(name)} can't name a variable: write letters, digits and _, such as // name: bell`;
  return failureOf(code, `line ${line}: ${sentence}`, [{ line, column: 0, notes: [sentence] }]);
}

function isVariableName(name: string): boolean {
  if (!IDENTIFIER.test(name)) return false;
  try {
    // The pattern leaves nothing but a name, and nothing is called.
    new Function(`"use strict"; const ${name} = 0;`);
    return true;
  } catch {
    return false;
  }
}

const openqasm: CellLanguage = {
  tag: "qasm",
  claims: isProgram,
  cellOf: programOf,
  complete: async (code, offset) => (await import("./names.ts")).completeProgram(code, offset),
  describe: async (code, offset) => (await import("./names.ts")).describeInProgram(code, offset),
};

/** The languages that the library brings to a kernel. */
export const languages: readonly CellLanguage[] = [openqasm];
