import type { CircuitParts } from "./circuit-parts.ts";
import type { Gate } from "./gate.ts";
import { libraryGateOf } from "./library-gate.ts";
import { operationAt } from "./operations.ts";
import { visitCalls } from "./primitives.ts";
import { type StructuredBody, structuredBodyOf } from "./structured-body.ts";

/**
 * Calls back for each operation, the bodies of blocks once, with the qubits and bits that it touches, the bits that its
 * blocks depend on among them, and its gate where that is known.
 */
export function visitOperations(
  parts: CircuitParts,
  visit: (name: string, qubits: ArrayLike<number>, bits: ArrayLike<number>, gate?: Gate) => void,
): void {
  const walk = (nodes: StructuredBody, known: readonly number[]): void => {
    for (const node of nodes) {
      if (node.kind === "block") walk(node.body, node.bits.length > 0 ? [...known, ...node.bits] : known);
      else if (node.kind === "dynamic")
        visit(node.name, node.qubits, [...known, ...node.bits], node.call?.gate);
      else if (node.kind === "operations")
        for (let i = node.start; i < node.end; i++) {
          const operation = operationAt(parts, i);
          const qubits = "qubit" in operation ? [operation.qubit] : operation.qubits;
          if (operation.kind === "gate") visit(operation.gate.name, qubits, known, operation.gate);
          else {
            const isKept = operation.kind === "measure" && operation.bit !== null;
            visit(operation.kind, qubits, isKept ? [...known, operation.bit] : known);
          }
        }
    }
  };
  walk(structuredBodyOf(parts), []);
}

/** Returns the length of the longest chain of operations that share a qubit or bit. */
export function depthOf(parts: CircuitParts): number {
  const qubitDepth = new Uint32Array(parts.numQubits);
  const bitDepth = new Uint32Array(parts.numBits);
  let deepest = 0;
  const visit = (name: string, qubits: ArrayLike<number>, bits: ArrayLike<number>) => {
    let depth = 0;
    for (let i = 0; i < qubits.length; i++) depth = Math.max(depth, qubitDepth[qubits[i]!]!);
    for (let i = 0; i < bits.length; i++) depth = Math.max(depth, bitDepth[bits[i]!]!);
    if (name !== "barrier" && qubits.length + bits.length > 0) depth++;
    for (let i = 0; i < qubits.length; i++) qubitDepth[qubits[i]!] = depth;
    for (let i = 0; i < bits.length; i++) bitDepth[bits[i]!] = depth;
    deepest = Math.max(deepest, depth);
  };
  visitOperations(parts, visit);
  return deepest;
}

/** Counts the operations by name, barriers left out. */
export function gateCountsOf(parts: CircuitParts): Record<string, number> {
  const counts = new Map<string, number>();
  const visit = (name: string) => {
    if (name !== "barrier") counts.set(name, (counts.get(name) ?? 0) + 1);
  };
  visitOperations(parts, visit);
  return Object.fromEntries(counts);
}

/** Counts the gates on two qubits. A gate that the program defines counts as its parts. */
export function twoQubitGateCount({ parts }: { readonly parts: CircuitParts }): number {
  const known = new Map<Gate, number>();
  let count = 0;
  const visit = (name: string, qubits: ArrayLike<number>, _: ArrayLike<number>, gate?: Gate) => {
    if (["barrier", "measure", "reset"].includes(name) || qubits.length < 2) return;
    if (!gate) count += twoQubitGatesOf(qubits.length, false);
    else {
      const own = known.get(gate) ?? twoQubitGatesIn(gate);
      known.set(gate, own);
      count += own;
    }
  };
  visitOperations(parts, visit);
  return count;
}

function twoQubitGatesIn(gate: Gate): number {
  let count = 0;
  const given = new Array<number>(gate.numParams).fill(1);
  visitCalls(gate, given, [...Array(gate.numQubits).keys()], (call, values, on) => {
    if (call.kind === "composite" && libraryGateOf(call, values) === undefined) return true;
    count += twoQubitGatesOf(on.length, call.kind === "swap");
    return false;
  });
  return count;
}

/** Returns the two-qubit gates that a gate comes to: those of a network of parities, with two more for the swap of two qubits. */
export function twoQubitGatesOf(numQubits: number, isSwap: boolean): number {
  if (numQubits <= 2) return numQubits === 2 ? 1 : 0;
  return 2 ** numQubits - 2 + (isSwap ? 2 : 0);
}
