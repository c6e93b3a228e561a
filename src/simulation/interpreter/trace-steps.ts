import type { CircuitParts } from "../circuit/circuit.ts";
import { NO_BIT, OPERATION } from "../circuit/operations.ts";
import type { TraceStep } from "./trace-block.ts";

/** A step of one operation. */
export type SingleStep =
  | Exclude<TraceStep, { readonly kind: "operations" }>
  | { readonly kind: "barrier"; readonly qubits: readonly number[] };

/** Calls back for each operation of a step, in their order. */
export function visitSteps(step: TraceStep, parts: CircuitParts, visit: (single: SingleStep) => void): void {
  if (step.kind !== "operations") {
    visit(step);
    return;
  }
  const { kinds, gates, operands, operandStarts, params, paramStarts } = parts.operations;
  for (let i = step.start; i < step.end; i++) {
    const places = Array.from(operands.subarray(operandStarts[i]!, operandStarts[i + 1]!));
    switch (kinds[i]) {
      case OPERATION.gate: {
        const given = Array.from(params.subarray(paramStarts[i]!, paramStarts[i + 1]!));
        visit({ kind: "gate", gate: parts.gates[gates[i]!]!, params: given, qubits: places });
        break;
      }
      case OPERATION.measure:
        visit({ kind: "measure", qubit: places[0]!, bit: places[1] === NO_BIT ? null : places[1]! });
        break;
      case OPERATION.reset:
        visit({ kind: "reset", qubit: places[0]! });
        break;
      case OPERATION.barrier:
        visit({ kind: "barrier", qubits: places });
    }
  }
}
