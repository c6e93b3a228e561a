import { KetbookError } from "../client/errors.ts";
import type { Program } from "../contract/program.ts";
import { QasmProgram } from "./program.ts";
import type { Results } from "./results.ts";
import { type Run, run } from "./run.ts";

/** Values for the `input` variables of a program, by name. */
export interface Inputs {
  [name: string]: number | boolean;
}

const declaration = /^([ \t]*)input\s+([^;]*?)\s+([\p{L}_][\p{L}\p{N}_]*)\s*;/gmu;

/**
 * Prepares a batch of one program with `input` variables, one run for each set of values:
 * `sweep(ansatz, [{ theta: 0 }, { theta: 0.1 }])`.
 *
 * @throws KetbookError when a set of values has another name than the program, or lacks one.
 */
export function sweep(program: string | Program, values: readonly Inputs[]): Run<Results> {
  const { data } = typeof program === "string" ? new QasmProgram(program) : program;
  const declared = Array.from(data.matchAll(declaration), ([, , , name = ""]) => name);
  return run(values.map((inputs, index) => new QasmProgram(bind(data, declared, inputs, index))));
}

function bind(data: string, declared: readonly string[], inputs: Inputs, index: number): string {
  for (const name of Object.keys(inputs)) {
    if (!declared.includes(name))
      throw new KetbookError(`sweep: the program has no "input … ${name};" (values ${index}).`);
  }
  return data.replace(declaration, (_, indent: string, type: string, name: string) => {
    const value = inputs[name];
    if (typeof value === "boolean" || Number.isFinite(value))
      return `${indent}const ${type} ${name} = ${value};`;
    throw new KetbookError(`sweep: values ${index} have no finite number for "${name}".`);
  });
}
