import type { Circuit, CircuitParts } from "./circuit.ts";
import { NO_BIT, OPERATION } from "./operations.ts";
import { type StructuredBody, structuredBodyOf } from "./structured-body.ts";

/** Calls back for each operation, the bodies of blocks once, with the qubits and bits that it touches. */
export function visitOperations(
  parts: CircuitParts,
  visit: (name: string, qubits: ArrayLike<number>, bits: ArrayLike<number>) => void,
): void {
  const { operations, gates } = parts;
  const walk = (nodes: StructuredBody): void => {
    for (const node of nodes) {
      if (node.kind === "block") walk(node.body);
      else if (node.kind === "dynamic") visit(node.name, node.qubits, node.bits);
      else if (node.kind === "operations")
        for (let i = node.start; i < node.end; i++) {
          const operands = operations.operands.subarray(
            operations.operandStarts[i]!,
            operations.operandStarts[i + 1]!,
          );
          switch (operations.kinds[i]) {
            case OPERATION.gate:
              visit(gates[operations.gates[i]!]!.name, operands, []);
              break;
            case OPERATION.measure:
              visit("measure", operands.subarray(0, 1), operands[1] === NO_BIT ? [] : operands.subarray(1));
              break;
            case OPERATION.reset:
              visit("reset", operands, []);
              break;
            default:
              visit("barrier", operands, []);
          }
        }
    }
  };
  walk(structuredBodyOf(parts));
}

/** Returns the length of the longest chain of operations that share a qubit or bit. */
export function depthOf(parts: CircuitParts): number {
  const qubitDepth = new Uint32Array(parts.numQubits);
  const bitDepth = new Uint32Array(parts.numBits);
  let deepest = 0;
  visitOperations(parts, (name, qubits, bits) => {
    let depth = 0;
    for (let i = 0; i < qubits.length; i++) depth = Math.max(depth, qubitDepth[qubits[i]!]!);
    for (let i = 0; i < bits.length; i++) depth = Math.max(depth, bitDepth[bits[i]!]!);
    if (name !== "barrier" && qubits.length + bits.length > 0) depth++;
    for (let i = 0; i < qubits.length; i++) qubitDepth[qubits[i]!] = depth;
    for (let i = 0; i < bits.length; i++) bitDepth[bits[i]!] = depth;
    deepest = Math.max(deepest, depth);
  });
  return deepest;
}

/** Counts the operations by name, barriers left out. */
export function gateCountsOf(parts: CircuitParts): Record<string, number> {
  const counts = new Map<string, number>();
  visitOperations(parts, name => {
    if (name !== "barrier") counts.set(name, (counts.get(name) ?? 0) + 1);
  });
  return Object.fromEntries(counts);
}

/** Counts the gates on two qubits; the body of a loop counts once. */
export function twoQubitGateCount({ parts }: Circuit): number {
  let count = 0;
  visitOperations(parts, (name, qubits) => {
    if (qubits.length === 2 && !["barrier", "measure", "reset"].includes(name)) count++;
  });
  return count;
}
