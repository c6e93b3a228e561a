import type { Circuit } from "../circuit/circuit.ts";
import type { Gate } from "../circuit/gate.ts";
import { Diagnostics, Fault, ProgramError } from "./diagnostic.ts";
import { GateLines } from "./gate-line.ts";
import { type CompileLimits, DEFAULT_COMPILE_LIMITS } from "./limits.ts";
import { Lowering } from "./lowering.ts";
import { StatementParser } from "./statement-parser.ts";
import { describe } from "./token.ts";
import { TokenStream } from "./token-stream.ts";

/** The text of a program. */
export interface SourceProgram {
  format: "qasm3" | "qasm2";
  data: string;
}

/**
 * Compiles a program to a circuit: reads, checks and lowers it statement by statement.
 * Throws a {@link ProgramError} with everything that is wrong with it.
 */
export function compile(program: SourceProgram, limits: Partial<CompileLimits> = {}): Circuit {
  return compiled(program, { ...DEFAULT_COMPILE_LIMITS, ...limits }, []).lowering.finish();
}

/** Gives the gates that a text of nothing but definitions defines, with other gates at hand. */
export function gatesIn(source: string, known: readonly Gate[]): Gate[] {
  const { lowering, defined } = compiled({ format: "qasm3", data: source }, DEFAULT_COMPILE_LIMITS, known);
  return defined.map(name => lowering.gateNamed(name)!);
}

function compiled({ format, data }: SourceProgram, limits: CompileLimits, known: readonly Gate[]) {
  if (data.length > limits.maxSource)
    throw new ProgramError([
      {
        line: 1,
        column: 1,
        message: `The program has ${data.length.toLocaleString("en-US")} characters; at most ${limits.maxSource.toLocaleString("en-US")} are taken.`,
      },
    ]);
  const diagnostics = new Diagnostics(data);
  const tokens = new TokenStream(data, limits);
  const defined: string[] = [];
  try {
    const isVersion2 = version(tokens, format, diagnostics);
    const parser = new StatementParser(tokens, diagnostics, isVersion2);
    const lowering = new Lowering(data, diagnostics, isVersion2, limits, known);
    const gateLines = new GateLines(tokens, lowering);
    for (;;) {
      gateLines.read();
      if (atEnd(tokens, diagnostics)) break;
      const statement = parser.statement();
      if (statement?.kind === "gate") defined.push(statement.name.name);
      if (statement) lowering.statement(statement);
    }
    diagnostics.throwAny();
    return { lowering, defined };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    diagnostics.report(error);
    diagnostics.throwAny();
    throw error;
  }
}

function atEnd(tokens: TokenStream, diagnostics: Diagnostics): boolean {
  try {
    return tokens.peek().kind === "end";
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    diagnostics.report(error);
    return false;
  }
}

/** Reads the version statement, if there is one; answers whether the program is one of version 2. */
function version(tokens: TokenStream, format: SourceProgram["format"], diagnostics: Diagnostics): boolean {
  const isVersion2 = format === "qasm2";
  const first = tokens.peek();
  if (first.text !== "OPENQASM") return isVersion2;
  tokens.take();
  const number = tokens.take();
  const major = /^(\d+)(?:\.\d+)?$/.exec(number.text)?.[1];
  if (major !== "2" && major !== "3")
    throw new Fault(number.at, `There is no version ${describe(number)} of OpenQASM.`, {
      length: Math.max(1, number.end - number.at),
      hint: "Write `OPENQASM 3.0;` or `OPENQASM 2.0;`.",
      isFatal: true,
    });
  if (!tokens.accept(";"))
    diagnostics.report(new Fault(tokens.lastEnd, "`;` is missing behind the version.", { length: 1 }));
  if ((major === "2") !== isVersion2)
    throw new Fault(
      number.at,
      `The program says that it is OpenQASM ${number.text}, and was handed in as ${format}.`,
      {
        length: number.end - number.at,
        hint: `Hand it in with the format qasm${major}.`,
        isFatal: true,
      },
    );
  return isVersion2;
}
