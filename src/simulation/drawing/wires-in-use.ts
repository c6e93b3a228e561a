import type { CircuitParts } from "../circuit/circuit.ts";
import { NO_BIT, OPERATION } from "../circuit/operations.ts";
import type { StructuredBody } from "../circuit/structured-body.ts";

/** Which qubits and bits the operations of a circuit touch. */
export interface WiresInUse {
  /** Of each qubit 1 where something but a barrier acts on it. */
  readonly qubits: Uint8Array;
  readonly bits: Uint8Array;
  /** Whether a variable without bits is assigned. */
  readonly variables: boolean;
  /** Whether any qubit is touched. */
  readonly any: boolean;
}

/** Finds the wires that a circuit uses. */
export function wiresInUse(parts: CircuitParts, body: StructuredBody): WiresInUse {
  const qubits = new Uint8Array(parts.numQubits);
  const bits = new Uint8Array(parts.numBits);
  const registered = new Uint8Array(parts.numBits);
  for (const { offset, width } of parts.classical) registered.fill(1, offset, offset + width);
  let variables = false;
  const seen = new Set<readonly number[]>();
  const mark = (wires: Uint8Array, list: readonly number[]): void => {
    if (seen.has(list)) return;
    seen.add(list);
    for (const wire of list) wires[wire] = 1;
  };
  const { kinds, operands, operandStarts } = parts.operations;
  const walk = (nodes: StructuredBody): void => {
    for (const node of nodes) {
      if (node.kind === "operations") {
        for (let i = node.start; i < node.end; i++) {
          if (kinds[i] === OPERATION.barrier) continue;
          const [first, end] = [operandStarts[i]!, operandStarts[i + 1]!];
          const isMeasure = kinds[i] === OPERATION.measure;
          for (let at = first; at < (isMeasure ? first + 1 : end); at++) qubits[operands[at]!] = 1;
          if (isMeasure && operands[first + 1] !== NO_BIT) bits[operands[first + 1]!] = 1;
        }
        continue;
      }
      mark(bits, node.bits);
      if (node.kind === "block") walk(node.body);
      else mark(qubits, node.qubits);
      if (node.kind === "annotation" && node.qubits.length === 0 && !registered[node.bits[0] ?? -1])
        variables = true;
    }
  };
  walk(body);
  return { qubits, bits, variables, any: qubits.includes(1) };
}
