import type { Basis } from "./basis.ts";
import { type Operation, visitAll } from "./operation.ts";
import type { Interactions } from "./perfect-layout.ts";
import { numNativeOf } from "./two-qubit-synthesis.ts";
import { weylOf } from "./weyl-cache.ts";

/** Counts what operations do to each qubit, and which pairs they act on; the body of a loop counts once. */
export function interactionsOf(
  operations: readonly Operation[],
  numQubits: number,
  { twoQubit }: Basis,
): Interactions {
  const partners = Array.from({ length: numQubits }, () => new Map<number, number>());
  const pulses = new Array<number>(numQubits).fill(0);
  const measurements = new Array<number>(numQubits).fill(0);
  const join = (a: number, b: number, count: number) => {
    partners[a]!.set(b, (partners[a]!.get(b) ?? 0) + count);
    partners[b]!.set(a, (partners[b]!.get(a) ?? 0) + count);
  };
  visitAll(operations, operation => {
    const { kind, qubits } = operation;
    if (kind === "two-qubit")
      join(qubits[0]!, qubits[1]!, numNativeOf(weylOf(operation.matrix).coordinates, twoQubit));
    else if (kind === "native" && qubits.length === 2) join(qubits[0]!, qubits[1]!, 1);
    else if (kind === "one-qubit" || kind === "native") pulses[qubits[0]!]!++;
    else if (kind === "measure") measurements[qubits[0]!]!++;
  });
  return { numQubits, partners, pulses, measurements };
}
