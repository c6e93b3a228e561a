import type { Circuit } from "../circuit/circuit.ts";
import { applyClifford, type CliffordTarget } from "../circuit/clifford.ts";
import { isList, type OperandIndices } from "../circuit/expression.ts";
import type { Gate } from "../circuit/gate.ts";
import { OPERATION } from "../circuit/operations.ts";
import { everyStatement, type Statement } from "../circuit/statement.ts";
import { memoized } from "../memoized.ts";
import { measuresLast } from "../specialize/measurement-flow.ts";

/** Returns the number of operations; bodies of loops count once. */
export const operationCount = ({ parts }: Circuit): number =>
  Math.max(1, parts.operations.length + parts.body.length);

/** Whether a program uses qubits after it has measured them, or branches on an outcome. */
export const hasMidCircuitDependence = memoized(({ parts }: Circuit) => !measuresLast(parts));

/** Returns the number of qubits that operations act on, in words. */
export function describeQubits(circuit: Circuit): string {
  const count = activeQubitCount(circuit);
  return `${count} qubit${count === 1 ? "" : "s"}`;
}

/** Returns how many qubits operations act on; those that are computed may be any of their register. */
export const activeQubitCount = memoized(({ parts, numQubits }: Circuit): number => {
  const used = new Uint8Array(numQubits);
  let count = 0;
  const markOne = (qubit: number): void => {
    count += 1 - used[qubit]!;
    used[qubit] = 1;
  };
  const mark = (indices: OperandIndices): void => {
    if (isList(indices)) indices.forEach(markOne);
    else if (indices.kind === "members") mark(indices.base);
    else if (indices.kind === "joined") indices.parts.forEach(mark);
    else for (let qubit = 0; qubit < numQubits; qubit++) markOne(qubit);
  };
  const { kinds, operandStarts, operands } = parts.operations;
  everyStatement(parts.body, statement => {
    if (statement.kind === "operations")
      for (let i = statement.start; i < statement.end && count < numQubits; i++) {
        if (kinds[i] === OPERATION.barrier) continue;
        const first = operandStarts[i]!;
        const end = kinds[i] === OPERATION.measure ? first + 1 : operandStarts[i + 1]!;
        for (let at = first; at < end; at++) markOne(operands[at]!);
      }
    else if (statement.kind === "gate") statement.qubits.forEach(mark);
    else if (statement.kind === "measure" || statement.kind === "reset") mark(statement.qubits);
    return count < numQubits;
  });
  return count;
});

/** Clifford gates that nobody applies, where it is only of interest whether there are others. */
export const IGNORE_GATES: CliffordTarget = {
  h: () => {},
  s: () => {},
  x: () => {},
  z: () => {},
  cx: () => {},
  cz: () => {},
  swap: () => {},
};

/** Whether all gates of a circuit are known, and Clifford gates; angles that are multiples of π/2 are. */
export const isClifford = memoized(({ parts }: Circuit): boolean => {
  const { kinds, gates, operands, operandStarts, params, paramStarts } = parts.operations;
  const isKnown = new Uint8Array(parts.gates.length);
  for (let i = 0; i < parts.operations.length; i++) {
    if (kinds[i] !== OPERATION.gate || isKnown[gates[i]!]) continue;
    const gate = parts.gates[gates[i]!]!;
    if (gate.numParams === 0) isKnown[gates[i]!] = 1;
    if (!applyClifford(gate, params, paramStarts[i]!, operands, operandStarts[i]!, IGNORE_GATES))
      return false;
  }
  return everyStatement(
    parts.body,
    statement => statement.kind !== "gate" || isKnownClifford(parts.gates[statement.gate]!, statement),
  );
});

/** Whether a gate whose qubits are computed is itself known, with its parameters, and a Clifford gate. */
function isKnownClifford(gate: Gate, { modifiers, params }: Statement & { kind: "gate" }): boolean {
  const values = params.map(({ value }) => value);
  if (modifiers.length > 0 || values.includes(undefined)) return false;
  const qubits = Array.from({ length: gate.numQubits }, (_, i) => i);
  return applyClifford(gate, values as number[], 0, qubits, 0, IGNORE_GATES);
}
