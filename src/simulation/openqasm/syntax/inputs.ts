import { parse } from "./parse.ts";
import type { SourceProgram } from "./source.ts";

/** The declaration of an `input` variable, as it is written. */
export interface InputDeclaration {
  name: string;
  /** Name of the type, such as `float`, `bit` or `array`. */
  type: string;
  /** Offsets of the statement in the program's text: the first character, and the one after the last. */
  start: number;
  end: number;
  /** The text of the type, such as `angle[8]`. */
  typeText: string;
}

/**
 * Finds the `input` variables that a program in OpenQASM declares, in their order.
 * Throws a ProgramError where the program cannot be read.
 */
export function inputDeclarationsOf(program: SourceProgram): InputDeclaration[] {
  return parse(program).statements.flatMap(statement => {
    if (statement.kind !== "classical" || statement.modifier !== "input") return [];
    const { at, end, name, type } = statement;
    const typeText = program.data.slice(type.at, name.at).trim();
    return [{ name: name.name, type: type.array ? "array" : type.name, start: at, end, typeText }];
  });
}

/** The comment after a constant that stands where a program declared an input. */
export const BOUND_INPUT = "/* input */";

/** A constant that stands where a program declared an input, as it is written. */
export interface BoundInput {
  name: string;
  /** Name of the type, such as `float`, `bit` or `array`. */
  type: string;
  /** The text of its value, such as `pi / 4`. */
  valueText: string;
}

/**
 * Finds the constants that stand where a program in OpenQASM declared inputs, in their order.
 * Throws a ProgramError where the program cannot be read.
 */
export function boundInputsOf(program: SourceProgram): BoundInput[] {
  if (!program.data.includes(BOUND_INPUT)) return [];
  return parse(program).statements.flatMap(statement => {
    if (
      statement.kind !== "classical" ||
      !program.data.slice(statement.end).trimStart().startsWith(BOUND_INPUT)
    )
      return [];
    const { end, name, type } = statement;
    const valueText = program.data
      .slice(name.end, end)
      .replace(/^\s*=|;$/g, "")
      .trim();
    return [{ name: name.name, type: type.array ? "array" : type.name, valueText }];
  });
}
