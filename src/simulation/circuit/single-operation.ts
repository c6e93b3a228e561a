import type { CircuitParts } from "./circuit-parts.ts";
import type { Gate } from "./gate.ts";
import { NO_BIT, OPERATION } from "./operations.ts";
import type { SourceRange } from "./statement.ts";

/** An operation on known qubits, and its place in the source. */
export type SingleOperation = { readonly range: SourceRange } & (
  | {
      readonly kind: "gate";
      readonly gate: Gate;
      readonly params: readonly number[];
      readonly qubits: readonly number[];
    }
  /** A measurement; `bit` is null if the outcome is not kept. */
  | { readonly kind: "measure"; readonly qubit: number; readonly bit: number | null }
  | { readonly kind: "reset"; readonly qubit: number }
  | { readonly kind: "barrier"; readonly qubits: readonly number[] }
);

/** Returns an operation of a circuit by its place among all. */
export function operationAt({ operations, gates }: CircuitParts, i: number): SingleOperation {
  const { kinds, operands, operandStarts, params, paramStarts, offsets, ends } = operations;
  const range: SourceRange = [offsets[i]!, ends[i]!];
  const qubits = Array.from(operands.subarray(operandStarts[i]!, operandStarts[i + 1]!));
  const [qubit, bit] = qubits as [number, number];
  switch (kinds[i]) {
    case OPERATION.measure:
      return { kind: "measure", qubit, bit: bit === NO_BIT ? null : bit, range };
    case OPERATION.reset:
      return { kind: "reset", qubit, range };
    case OPERATION.barrier:
      return { kind: "barrier", qubits, range };
    default: {
      const given = Array.from(params.subarray(paramStarts[i]!, paramStarts[i + 1]!));
      return { kind: "gate", gate: gates[operations.gates[i]!]!, params: given, qubits, range };
    }
  }
}
