import type { Circuit } from "../../circuit/circuit.ts";
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

export function circuitText({ parts }: Circuit): string {
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
