import type { Circuit } from "../../circuit/circuit.ts";
import type { Gate } from "../../circuit/gate.ts";
import { NATIVE } from "../../circuit/standard.ts";
import type { InputValue } from "../expressions/inputs.ts";
import { type CompileLimits, DEFAULT_COMPILE_LIMITS } from "../syntax/limits.ts";
import { atEnd, type Reading, reading } from "../syntax/parse.ts";
import type { SourceProgram } from "../syntax/source.ts";
import { BRAKET_ALIASES, BRAKET_GATES } from "./braket.ts";
import { GateFastPath } from "./gate-fast-path.ts";
import { Includes } from "./includes.ts";
import { Lowering } from "./lowering.ts";

/** Limits of compiling a program, and values of its inputs. */
export interface CompileOptions extends Partial<CompileLimits> {
  /** The value of each `input` variable of the program; others are ignored. */
  inputs?: Readonly<Record<string, InputValue>>;
  /** Whether inputs may lack a value, for a circuit that is drawn and not run. Default: false. */
  openInputs?: boolean;
  /** Whether all qubits are measured at the end of a program without variables. Default: false. */
  measuresAll?: boolean;
}

/**
 * Compiles a program to a circuit: reads, checks and lowers it statement by statement.
 * Throws a ProgramError with everything that is wrong with it.
 */
export function compile(program: SourceProgram, { measuresAll, ...options }: CompileOptions = {}): Circuit {
  return lower(program, options).finish(program, options.inputs, measuresAll);
}

function lower(
  program: SourceProgram,
  { inputs, openInputs, ...limits }: Omit<CompileOptions, "measuresAll">,
): Lowering {
  const allLimits = { ...DEFAULT_COMPILE_LIMITS, ...limits };
  return reading(program, allLimits, open => {
    const impliedGate = program.format === "qasm2" ? null : braketGate;
    const includes = new Includes(open, allLimits, file => lowerStatements(file, lowering));
    const lowering = new Lowering(open, includes, impliedGate, allLimits, inputs, openInputs);
    lowerStatements(open, lowering);
    return lowering;
  });
}

let braket: Lowering | undefined;

/** Returns the gate that a name stands for in Braket's dialect and in the library. */
function braketGate(name: string): Gate | undefined {
  braket ??= lower({ format: "qasm3", data: BRAKET_GATES }, {});
  const own = Object.hasOwn(BRAKET_ALIASES, name) ? BRAKET_ALIASES[name]! : name;
  return braket.gateNamed(own) ?? NATIVE.find(gate => gate.name === own);
}

function lowerStatements(open: Reading, lowering: Lowering): void {
  const fastPath = new GateFastPath(open.tokens, lowering);
  for (;;) {
    fastPath.read();
    if (atEnd(open)) return;
    const statement = open.parser.statement();
    if (statement) lowering.statement(statement);
  }
}
