import { DiagnosticError } from "../diagnostics/diagnostic.ts";
import { DEFAULT_COMPILE_LIMITS } from "./limits.ts";
import { parse } from "./parse.ts";
import type { SourceProgram } from "./source.ts";
import { TokenStream } from "./token-stream.ts";

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
