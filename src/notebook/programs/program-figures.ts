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

/** Turns an error about a program into a `KetbookError` whose message begins with what was asked for. */
export function naming<T>(asked: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!isProgramProblem(error)) throw error;
    throw new KetbookError(`${asked}: ${error.message}`, { cause: error });
  }
}

/** Returns undefined where the work fails: unknown facts about somebody's program are not an error. */
export function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

/** Returns the source of a program that can be compiled; undefined for other formats, and for what is not text. */
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
