import type { Circuit } from "../../circuit/circuit.ts";
import type { Gate } from "../../circuit/gate.ts";
import type { InputValue } from "../expressions/inputs.ts";
import { type CompileLimits, DEFAULT_COMPILE_LIMITS } from "../syntax/limits.ts";
import { atEnd, reading } from "../syntax/parse.ts";
import type { SourceProgram } from "../syntax/source.ts";
import { GateLines } from "./gate-line.ts";
import { Lowering } from "./lowering.ts";

/** What a program is compiled with: limits, and the values of its inputs. */
export interface CompileOptions extends Partial<CompileLimits> {
  /** The value of each `input` variable of the program; others are ignored. */
  inputs?: Readonly<Record<string, InputValue>>;
  /** Whether inputs may lack a value, for a circuit that is drawn and not run. Default: false. */
  openInputs?: boolean;
}

/**
 * Compiles a program to a circuit: reads, checks and lowers it statement by statement.
 * Throws a ProgramError with everything that is wrong with it.
 */
export function compile(
  program: SourceProgram,
  { inputs, openInputs, ...limits }: CompileOptions = {},
): Circuit {
  const { lowering } = compiled(program, { ...DEFAULT_COMPILE_LIMITS, ...limits }, [], {
    inputs,
    openInputs,
  });
  return lowering.finish(program, inputs);
}

/** Gives the gates that a text of nothing but definitions defines, with other gates at hand. */
export function gatesIn(source: string, known: readonly Gate[]): Gate[] {
  const { lowering, defined } = compiled({ format: "qasm3", data: source }, DEFAULT_COMPILE_LIMITS, known);
  return defined.map(name => lowering.gateNamed(name)!);
}

function compiled(
  program: SourceProgram,
  limits: CompileLimits,
  known: readonly Gate[],
  { inputs, openInputs }: Pick<CompileOptions, "inputs" | "openInputs"> = {},
) {
  return reading(program, limits, open => {
    const isVersion2 = program.format === "qasm2";
    const lowering = new Lowering(
      program.data,
      open.diagnostics,
      isVersion2,
      limits,
      known,
      inputs,
      openInputs,
    );
    const gateLines = new GateLines(open.tokens, lowering);
    const defined: string[] = [];
    for (;;) {
      gateLines.read();
      if (atEnd(open)) return { lowering, defined };
      const statement = open.parser.statement();
      if (statement?.kind === "gate") defined.push(statement.name.name);
      if (statement) lowering.statement(statement);
    }
  });
}
