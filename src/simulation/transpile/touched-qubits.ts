import type { CircuitParts } from "../circuit/circuit.ts";
import { type Operation, onPlaces, visitAll } from "./operation.ts";
import { readOperations } from "./read.ts";

/** A program's use of the qubits that need a place on a device. */
interface PlacedProgram {
  readonly operations: readonly Operation[];
  /** The number of each of these qubits in the program, ascending. */
  readonly qubits: readonly number[];
}

/**
 * Reads a program for a device of so many qubits. Where it declares more, those that it only delays, or names in
 * barriers, are left out, and the others are numbered anew.
 */
export function readForWidth(parts: CircuitParts, numQubits: number): PlacedProgram {
  const all = Array.from({ length: parts.numQubits }, (_, i) => i);
  if (all.length <= numQubits) return { operations: readOperations(parts, all), qubits: all };
  const qubits = touchedBy(readOperations(parts, []));
  const places = new Map(qubits.map((qubit, place) => [qubit, place]));
  return { operations: onPlaces(readOperations(parts, qubits), qubit => places.get(qubit)), qubits };
}

/** Lists the qubits that operations act on, ascending. */
function touchedBy(operations: readonly Operation[]): readonly number[] {
  const touched = new Set<number>();
  visitAll(operations, ({ kind, qubits }) => {
    if (kind !== "barrier" && kind !== "statement") for (const qubit of qubits) touched.add(qubit);
  });
  return [...touched].sort((a, b) => a - b);
}
