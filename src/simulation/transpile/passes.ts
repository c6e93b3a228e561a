import { multiply } from "../linear-algebra/matrix.ts";
import { AXIS, axesOf } from "./axis.ts";
import { collectBlocks } from "./blocks.ts";
import { mapBodies, type Operation } from "./operation.ts";
import { gatherPairs } from "./reorder.ts";
import { SWAP_MATRIX } from "./route-operations.ts";
import { numCxOf } from "./weyl.ts";
import { mirrored, weylOf } from "./weyl-cache.ts";

/** Cancels and joins gates through what commutes with them, also in statements, until nothing more is found. */
export function simplify(operations: readonly Operation[], numQubits: number): readonly Operation[] {
  return mapBodies(operations, list => {
    let current = collectBlocks(list);
    for (let round = 0; round < MAX_ROUNDS; round++) {
      const next = collectBlocks(gatherPairs(current, numQubits));
      const isSettled = next.length >= current.length;
      current = next;
      if (isSettled) break;
    }
    return current;
  });
}

const MAX_ROUNDS = 5;

/** Leaves out diagonal gates after which their qubits are measured and not used again before that. */
export function withoutDiagonalsBeforeMeasurement(operations: readonly Operation[]): Operation[] {
  const measured = new Set<number>();
  const kept: Operation[] = [];
  for (const operation of operations.toReversed()) {
    const { kind, qubits } = operation;
    const isDiagonal =
      (kind === "one-qubit" || kind === "two-qubit") &&
      axesOf(operation).every(axis => axis === AXIS.z || axis === AXIS.any);
    if (isDiagonal && qubits.every(qubit => measured.has(qubit))) continue;
    if (kind === "measure" || kind === "reset") measured.add(qubits[0]!);
    else if (kind !== "barrier") for (const qubit of qubits) measured.delete(qubit);
    kept.push(operation);
  }
  return kept.reverse();
}

/**
 * Replaces gates that need fewer native ones with a swap after them, and exchanges the qubits in what follows. Returns where
 * each qubit is in the end.
 */
export function elideSwaps(
  operations: readonly Operation[],
  numQubits: number,
): { readonly operations: readonly Operation[]; readonly finalPlaces: readonly number[] } {
  const places = Array.from({ length: numQubits }, (_, i) => i);
  const moved = operations.map(operation => {
    const placed = relabelled(operation, places);
    if (placed.kind !== "two-qubit") return placed;
    const { coordinates } = weylOf(placed.matrix);
    if (numCxOf(mirrored(coordinates)) >= numCxOf(coordinates)) return placed;
    const [a, b] = operation.qubits as readonly [number, number];
    [places[a], places[b]] = [places[b]!, places[a]!];
    return { ...placed, matrix: multiply(SWAP_MATRIX, placed.matrix) };
  });
  return { operations: moved, finalPlaces: places };
}

function relabelled(operation: Operation, places: readonly number[]): Operation {
  const qubits = operation.qubits.map(qubit => places[qubit]!);
  if (operation.kind !== "statement") return { ...operation, qubits } as Operation;
  const bodies = operation.bodies.map(body => body.map(inner => relabelled(inner, places)));
  return { ...operation, qubits, bodies };
}
