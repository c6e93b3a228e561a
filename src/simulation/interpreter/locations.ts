import type { CircuitParts } from "../circuit/circuit.ts";
import { NOWHERE } from "../circuit/operations.ts";
import { EvaluationError, type LoopPlace, SimulationError } from "../errors.ts";
import { formatLocation, SourceText } from "../source-text.ts";
import type { OperationState } from "./execution-state.ts";
import type { LinkedProgram } from "./link.ts";

/** Returns `line:column` of an offset in the source of a circuit, after the file if it is an included one, or nothing where that is not known. */
export function locate({ source }: CircuitParts, offset: number | undefined): string {
  if (offset === undefined || offset === NOWHERE || !source) return "";
  return formatLocation(new SourceText(source.data, source.files).locate(offset));
}

/** Returns the location of the operation that is executed, where it is known. */
export function placeOf(
  { instruction, operation }: OperationState,
  { parts, instructions }: LinkedProgram,
): string {
  const stands = instructions.at(instruction)!;
  return locate(parts, stands.kind === "gate" ? stands.at : parts.operations.offsets[operation]);
}

/** Returns the innermost loop around an instruction that may run for ever, or the innermost one, where there is one. */
export function loopAround({ instructions, parts }: LinkedProgram, at: number): LoopPlace | undefined {
  let innermost: LoopPlace | undefined;
  for (let i = at; i < instructions.length; i++) {
    const instruction = instructions.at(i)!;
    if (instruction.kind !== "jump" || instruction.loop === undefined || instruction.target > at) continue;
    const isCounted = instruction.isCounted ?? false;
    if (!isCounted || !innermost) innermost = { place: locate(parts, instruction.loop), isCounted };
    if (!isCounted) break;
  }
  return innermost;
}

/** Turns what an expression has thrown into an error for the author of the program; anything else stays as it is. */
export function explained(error: unknown, parts: CircuitParts): unknown {
  if (!(error instanceof EvaluationError)) return error;
  const place = locate(parts, error.at);
  return new SimulationError(place ? `${place}: ${error.message}` : error.message);
}
