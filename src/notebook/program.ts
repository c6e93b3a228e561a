import { readFile } from "node:fs/promises";
import { KetbookError } from "../client/errors.ts";
import type { Program } from "../contract/program.ts";
import type { Form } from "../display/index.ts";
import { definitionsOf, ProgramError } from "../simulation/index.ts";
import { circuitForm } from "./circuit.ts";
import { Shown } from "./shown.ts";

/** An OpenQASM program. It shows itself as a circuit. */
export class QasmProgram extends Shown implements Program {
  /** `qasm3` or `qasm2`, as the program's first line says. */
  readonly format: string;
  /** The program's text. */
  readonly data: string;

  /** @internal */
  constructor(text: string) {
    super();
    this.data = text;
    this.format = /^\s*(?:\/\/[^\n]*\n\s*|\/\*[\s\S]*?\*\/\s*)*OPENQASM\s+2\b/.test(text) ? "qasm2" : "qasm3";
  }

  /** The program's text. */
  override toString(): string {
    return this.data;
  }

  /** @internal */
  protected override face(): Form {
    return circuitForm(this);
  }
}

/** Makes programs from templates and files. */
export interface Qasm {
  (
    template: TemplateStringsArray,
    ...values: (number | bigint | boolean | string | QasmProgram)[]
  ): QasmProgram;
  /** Reads a program from a file. */
  file(path: string): Promise<QasmProgram>;
}

/**
 * Makes an OpenQASM program from a template. Common indentation is removed; numbers and other text may be put in
 * with `${…}`, and of another program the gates and subroutines that it defines. Nothing else is checked until the
 * program is shown or run.
 *
 * @throws KetbookError when something else is put in, or a program that cannot be read.
 */
export const qasm: Qasm = Object.assign(
  (template: TemplateStringsArray, ...values: unknown[]) => {
    const text = template.raw.reduce((before, part, index) => before + insert(values[index - 1]) + part);
    return new QasmProgram(dedent(text));
  },
  { file: async (path: string) => new QasmProgram(await readFile(path, "utf8")) },
);

function insert(value: unknown): string {
  if (value instanceof QasmProgram) return definitions(value);
  const fine = Number.isFinite(value) || ["string", "boolean", "bigint"].includes(typeof value);
  if (fine) return String(value);
  throw new KetbookError(
    `qasm: cannot put ${String(value)} into a program; use a finite number or a string.`,
  );
}

function definitions(program: QasmProgram): string {
  try {
    return definitionsOf(program.data);
  } catch (error) {
    if (!(error instanceof ProgramError)) throw error;
    throw new KetbookError(`qasm: the program that is put in cannot be read: ${error.message}`, {
      cause: error,
    });
  }
}

function dedent(text: string): string {
  const lines = text
    .replace(/^[ \t]*\r?\n/, "")
    .trimEnd()
    .split("\n");
  const indents = lines.filter(line => line.trim() !== "").map(line => line.length - line.trimStart().length);
  const common = Math.min(...indents, Number.MAX_SAFE_INTEGER);
  return `${lines.map(line => line.slice(common)).join("\n")}\n`;
}
