import { KetbookError } from "../../client/index.ts";
import {
  compile,
  inputDeclarationsOf,
  ProgramError,
  type ProgramFigures,
  programFigures,
  SimulationError,
  type SourceProgram,
} from "../../simulation/index.ts";

/** Does what a method was asked for, which an error of the program names. */
export function naming<T>(asked: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof ProgramError || error instanceof SimulationError)) throw error;
    throw new KetbookError(`${asked}: ${error.message}`, { cause: error });
  }
}

/** Returns the figures of a program, in which inputs that are angles may be open. */
export function figuresOf({ format, ...source }: SourceProgram): ProgramFigures {
  const inputs = format === "qir.ll" ? [] : inputDeclarationsOf({ ...source, format });
  const angles = inputs.filter(({ type }) => type === "float" || type === "angle");
  const given = Object.fromEntries(angles.map(({ name }) => [name, 1]));
  return programFigures(compile({ ...source, format }, { openInputs: true, inputs: given }));
}
