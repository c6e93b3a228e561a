import type { Circuit } from "../../circuit/circuit.ts";
import { CircuitNames } from "./circuit-names.ts";
import { StatementWriter } from "./circuit-statements.ts";
import { print } from "./printer.ts";
import { statementNode } from "./syntax-nodes.ts";

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
  const hasLocals = names.local.some(({ kind }) => kind === "classical");
  const own = [...names.local, ...body];
  return print({
    version: null,
    statements: [
      statementNode({ kind: "include", file: "stdgates.inc" }),
      ...writer.gates.definitions,
      ...names.global,
      ...(hasLocals ? [statementNode({ kind: "block", body: own })] : own),
    ],
  });
}
