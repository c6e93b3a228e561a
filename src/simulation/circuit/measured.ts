import { SimulationError } from "../errors.ts";
import type { CircuitBuilder } from "./builder.ts";
import type { Circuit } from "./circuit.ts";
import type { CircuitParts } from "./circuit-parts.ts";
import { OPERATION, operationAt } from "./operations.ts";
import { STDGATES } from "./standard.ts";
import { replaceGates } from "./transform.ts";

/** A gate of the standard library on some qubits. */
export interface LibraryCall {
  readonly gate: string;
  readonly qubits: readonly number[];
}

/**
 * Returns a circuit that ends in other measurements: those that end the program are left out, gates of the standard library
 * follow, and each listed qubit is measured into the bit of its place in a new register, the last one. All measurements
 * begin together.
 * Throws a {@link SimulationError} for a qubit that the program lacks.
 */
export function measuredAfter(
  circuit: Circuit,
  gates: readonly LibraryCall[],
  qubits: readonly number[],
  register: string,
): Circuit {
  const { parts } = circuit;
  const lacking = qubits.find(qubit => !(qubit < parts.numQubits));
  if (lacking !== undefined)
    throw new SimulationError(`There is no qubit ${lacking}: the program has ${parts.numQubits}.`);
  const ending = finalMeasurements(parts);
  return replaceGates(circuit, {
    known: call => [call],
    drops: operation => ending.has(operation),
    end: builder => addEnd(builder, gates, qubits, register),
  });
}

function addEnd(
  builder: CircuitBuilder,
  gates: readonly LibraryCall[],
  qubits: readonly number[],
  register: string,
): void {
  const offset = builder.numBits;
  builder.classical.push({ name: register, offset, width: qubits.length });
  builder.numBits += qubits.length;
  for (const { gate, qubits: operands } of gates) {
    const found = STDGATES.find(({ name }) => name === gate);
    if (!found) throw new SimulationError(`The standard library has no gate ${gate}.`);
    builder.addOperation(OPERATION.gate, operands, builder.gateIndex(found));
  }
  builder.addOperation(OPERATION.barrier, qubits);
  qubits.forEach((qubit, place) => {
    builder.addOperation(OPERATION.measure, [qubit, offset + place]);
  });
}

/** Finds the measurements, and the barriers, that nothing follows on their qubits. */
function finalMeasurements(parts: CircuitParts): Set<number> {
  const found = new Set<number>();
  const used = new Set<number>();
  for (const statement of parts.body.toReversed()) {
    if (statement.kind !== "operations") return found;
    for (let i = statement.end - 1; i >= statement.start; i--) {
      const operation = operationAt(parts, i);
      const qubits = "qubit" in operation ? [operation.qubit] : operation.qubits;
      const canEnd = operation.kind === "measure" || operation.kind === "barrier";
      if (canEnd && !qubits.some(qubit => used.has(qubit))) found.add(i);
      else for (const qubit of qubits) used.add(qubit);
    }
  }
  return found;
}
