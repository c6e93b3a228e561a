import { KetbookError } from "../../client/index.ts";
import type { RecordedProgram } from "../../contract/index.ts";
import {
  compile,
  inputDeclarationsOf,
  ProgramError,
  type ProgramFigures,
  programFigures,
  SimulationError,
  type SourceProgram,
} from "../../simulation/index.ts";

export const isProgramProblem = (error: unknown): error is ProgramError | SimulationError =>
  error instanceof ProgramError || error instanceof SimulationError;

type ErrorKind = abstract new (...args: never[]) => Error;

/** Turns an error, by default about a program, into a `KetbookError` whose message begins with what was asked for. */
export function naming<T>(
  asked: string,
  work: () => T,
  kinds: readonly ErrorKind[] = [ProgramError, SimulationError],
): T {
  try {
    return work();
  } catch (cause) {
    if (!kinds.some(kind => cause instanceof kind)) throw cause;
    throw new KetbookError(`${asked}: ${(cause as Error).message}`, { cause });
  }
}

export function unlessProblem<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (isProgramProblem(error)) return undefined;
    throw error;
  }
}

/** Returns the source of a program that can be compiled; undefined for other formats and for data that is not text. */
export function sourceOf({ format, data, files }: RecordedProgram): SourceProgram | undefined {
  const isKnown = format === "qasm3" || format === "qasm2" || format === "qir.ll";
  return isKnown && typeof data === "string" ? { format, data, files } : undefined;
}

/** Returns the figures of a program, in which inputs that are angles may be open. */
export function figuresOf({ format, ...source }: SourceProgram): ProgramFigures {
  const inputs = format === "qir.ll" ? [] : inputDeclarationsOf({ ...source, format });
  const angles = inputs.filter(({ type }) => type === "float" || type === "angle");
  const given = Object.fromEntries(angles.map(({ name }) => [name, 1]));
  return programFigures(compile({ ...source, format }, { openInputs: true, inputs: given }));
}
