import type { Circuit, CircuitParts } from "../../circuit/circuit.ts";
import { withTimingMarkers } from "../../circuit/timing-markers.ts";
import { SimulationError } from "../../errors.ts";
import { residualCircuit } from "../../specialize/residual.ts";
import { traceOf } from "../../specialize/trace.ts";
import type { InputValue } from "../expressions/inputs.ts";
import { parse } from "../syntax/parse.ts";
import { CircuitNames } from "./circuit-names.ts";
import { StatementWriter } from "./circuit-statements.ts";
import { block } from "./expression-text.ts";

/**
 * Returns a circuit as OpenQASM 3, statement by statement: loops, branches and the definitions of gates are kept, and
 * nothing is computed or simplified. The bodies of subroutines stand in the place of their calls. Compiled again, the
 * program does the same.
 *
 * Throws a SimulationError for programs that OpenQASM can't express, such as a subroutine that calls itself.
 */
export const printCircuit = (circuit: Circuit): string => `OPENQASM 3.0;\n${circuitText(circuit)}`;

function circuitText({ parts }: Circuit): string {
  const names = new CircuitNames(parts);
  const writer = new StatementWriter(parts, names);
  const body = writer.body(parts.body);
  const own = [...names.local, ...body];
  const hasVariables = names.local.some(declaration => !declaration.startsWith("let "));
  const statements = [
    'include "stdgates.inc";',
    ...writer.gates.definitions,
    ...names.global,
    ...(hasVariables ? [block(own)] : own),
  ];
  return `${statements.join("\n")}\n`;
}

/**
 * Returns a circuit as OpenQASM 3: statement by statement, or where OpenQASM has no words for one, with all that is known
 * before the run computed. Throws a SimulationError where neither can be written.
 */
export function printProgram(circuit: Circuit): string {
  try {
    return printCircuit(circuit);
  } catch (error) {
    if (!(error instanceof SimulationError)) throw error;
    return printCircuit(residualCircuit(circuit.parts, traceOf(circuit.parts)));
  }
}

/** Comments of a compiled program. */
export interface CompiledNotes {
  /** The method that simulates it, such as `statevector`. */
  method: string;
  /** Reason for the method. */
  reason?: string;
}

/**
 * Returns a compiled program as OpenQASM 3, with method, depth and gate counts in comments. What is known before the
 * run is written out: subroutines and definitions inlined, expressions computed, gates decomposed into those that the
 * simulator applies. A circuit whose control flow depends on measured values is written statement by statement.
 * Compiled again, it prepares the same state.
 */
export function printCompiled(circuit: Circuit, { method, reason }: CompiledNotes): string {
  const { parts } = circuit;
  const counts = Object.entries(circuit.gateCounts()).sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
  const total = counts.reduce((sum, [, count]) => sum + count, 0);
  const size = `${counted(circuit.numQubits, "qubit")}, ${counted(circuit.numClbits, "bit")}`;
  const notes = [
    `Method: ${method}${reason ? `. ${reason}` : ""}`,
    `${size}, depth ${circuit.depth()}, ${counted(total, "operation")}`,
    ...(counts.length > 0 ? [counts.map(([name, count]) => `${name} ${count}`).join(", ")] : []),
    ...parts.notes.map(({ message }) => message),
  ].map(note => `// ${note.replace(/[\p{Cc}\u2028\u2029]/gu, " ")}\n`);
  return `OPENQASM 3.0;\n${notes.join("")}${writtenOut(circuit)}`;
}

/** Writes out what is left once all that is known before the run is computed, or where that leaves choices, the statements. */
function writtenOut(circuit: Circuit): string {
  const { parts } = circuit;
  const { source } = parts;
  try {
    const marked = withTimingMarkers(parts);
    const blocks = traceOf(marked);
    if (blocks.length === 1) return circuitText(residualCircuit(marked, blocks));
  } catch (error) {
    if (!(error instanceof SimulationError)) throw error;
  }
  try {
    if (source?.format === "qir.ll") return circuitText(residualCircuit(parts, traceOf(parts)));
    return circuitText(circuit);
  } catch (error) {
    if (!(error instanceof SimulationError)) throw error;
    const isUnchanged = source?.format === "qasm3" && !source.isTransformed;
    return `${isUnchanged ? sourceText(source) : `// ${error.message}`}\n`;
  }
}

const counted = (count: number, thing: string) =>
  `${count.toLocaleString("en-US")} ${thing}${count === 1 ? "" : "s"}`;

/** Returns a program without its version, with the files that it includes, and its inputs as variables with their values. */
function sourceText({ data, files = {}, inputs }: NonNullable<CircuitParts["source"]>): string {
  let [text, end] = ["", 0];
  for (const node of parse({ format: "qasm3", data }).statements) {
    let replaced: string | undefined;
    if (node.kind === "include" && Object.hasOwn(files, node.file))
      replaced = sourceText({ format: "qasm3", data: files[node.file]!, files, inputs });
    else if (node.kind === "classical" && node.modifier === "input") {
      const { type, name } = node;
      const isBits = type.name === "bit";
      const value = literalOf(inputs[name.name] as InputValue, isBits && type.width !== null);
      const word = isBits || type.array ? "" : "const ";
      replaced = `${word}${data.slice(type.at, name.end)} = ${value};`;
    }
    if (replaced === undefined) continue;
    text += data.slice(end, node.at) + replaced;
    end = node.end;
  }
  return (text + data.slice(end)).replace(/^\s*OPENQASM\s[^;]*;\s*/m, "").trimEnd();
}

function literalOf(given: InputValue, isBits: boolean): string {
  if (Array.isArray(given)) return `{${given.map(item => literalOf(item, isBits)).join(", ")}}`;
  if (isBits && typeof given === "string") return `"${given}"`;
  return typeof given === "string" ? `(${given})` : String(given);
}
