import { excerpt, type Failure, LIBRARY } from "../kernels/cells/index.ts";

const PROGRAM = /^\s*(?:\/\/[^\n]*\n\s*|\/\*[\s\S]*?\*\/\s*)*OPENQASM\b(?:\s+(2)\b)?/;
const NAME_LINE = /^[ \t]*\/\/[ \t]*name:[ \t]*(\S*)[ \t]*$/m;
const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;
const DEFAULT_NAME = "program";

/** Whether a cell is an OpenQASM program. */
export function isProgram(code: string): boolean {
  return PROGRAM.test(code);
}

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
  const { compile, ProgramError } = await import("../simulation/index.ts");
  const format = PROGRAM.exec(code)?.[1] ? "qasm2" : "qasm3";
  try {
    compile({ format, data: code }, { openInputs: true });
  } catch (error) {
    if (error instanceof ProgramError) return { failure: programFailure(code, error) };
    throw error;
  }
  return { source: bindingCell(name, code, javascript) };
}

function bindingCell(name: string, code: string, javascript: boolean): string {
  const library = `require("${LIBRARY}")`;
  const typed = javascript ? library : `(${library} as typeof import("${LIBRARY}"))`;
  const text = JSON.stringify([code]);
  return `const ${name} = ${typed}.qasm(Object.assign(${text}, { raw: ${text} }));\n${name}`;
}

function programFailure(
  code: string,
  { message, diagnostics }: { message: string; diagnostics: readonly Diagnosed[] },
): Failure {
  const marks = diagnostics.map(({ line, column, length = 1, message: sentence, hint }) => ({
    line,
    column: column - 1,
    length,
    notes: hint ? [sentence, hint] : [sentence],
  }));
  const count = diagnostics.length === 1 ? "" : ` (and ${diagnostics.length - 1} more)`;
  const evalue = `${message}${count}`;
  return {
    ename: "ProgramError",
    evalue,
    traceback: [`ProgramError: ${evalue}`, "", ...excerpt(code, marks)],
  };
}

interface Diagnosed {
  line: number;
  column: number;
  length?: number;
  message: string;
  hint?: string;
}

function nameFailure(code: string, name: string): Failure {
  const line = code.slice(0, NAME_LINE.exec(code)?.index).split("\n").length;
  const sentence = `${JSON.stringify(name)} can't name a variable: write letters, digits and _, such as // name: bell`;
  const evalue = `line ${line}: ${sentence}`;
  const traceback = [
    `ProgramError: ${evalue}`,
    "",
    ...excerpt(code, [{ line, column: 0, notes: [sentence] }]),
  ];
  return { ename: "ProgramError", evalue, traceback };
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
