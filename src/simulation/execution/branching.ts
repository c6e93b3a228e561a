import type { Circuit } from "../circuit/circuit.ts";
import { OPERATION } from "../circuit/operations.ts";
import { type Outline, outlineOf } from "../circuit/outline.ts";

/** Tells whether a program goes on with qubits that it has measured, or depends on what it found. */
export function branches({ parts }: Circuit): boolean {
  const { kinds, operandStarts, operands } = parts.operations;
  const measured = new Uint8Array(parts.numQubits);
  const goesOn = (nodes: readonly Outline[]): boolean =>
    nodes.some(node => {
      if (node.kind === "block") return node.bits.length > 0 || goesOn(node.body);
      if (node.kind === "dynamic") return node.bits.length > 0;
      if (node.kind === "annotation") return false;
      for (let i = node.start; i < node.end; i++) {
        const first = operandStarts[i]!;
        if (kinds[i] === OPERATION.barrier) continue;
        const count = kinds[i] === OPERATION.measure ? 1 : operandStarts[i + 1]! - first;
        for (let at = first; at < first + count; at++) if (measured[operands[at]!]) return true;
        if (kinds[i] === OPERATION.measure) measured[operands[first]!] = 1;
      }
      return false;
    });
  return goesOn(outlineOf(parts));
}
