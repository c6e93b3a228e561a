import { type Operation, visitAll } from "./operation.ts";
import type { Interactions } from "./perfect-layout.ts";
import type { Basis } from "./target.ts";
import { numNativeOf } from "./two-qubit-synthesis.ts";
import { weylOf } from "./weyl.ts";

/** Physical qubit of each program qubit, and the inverse. Unused physical qubits have numbers too. */
export class Layout {
  readonly toPhysical: Int32Array;
  readonly toVirtual: Int32Array;

  /** Makes a layout of the physical qubit of each virtual one; all of the device's have to be in it. */
  constructor(toPhysical: ArrayLike<number>) {
    this.toPhysical = Int32Array.from(toPhysical);
    this.toVirtual = new Int32Array(toPhysical.length);
    this.toPhysical.forEach((physical, virtual) => {
      this.toVirtual[physical] = virtual;
    });
  }

  /** Returns a layout that begins with the given qubits; the unused ones follow in their order. */
  static starting(physical: readonly number[], numQubits: number): Layout {
    const used = new Set(physical);
    const rest = Array.from({ length: numQubits }, (_, i) => i).filter(i => !used.has(i));
    return new Layout([...physical, ...rest]);
  }

  /** Returns an independent copy. */
  copy(): Layout {
    return new Layout(this.toPhysical);
  }

  /** Exchanges what is on two physical qubits. */
  swap(a: number, b: number): void {
    const [p, q] = [this.toVirtual[a]!, this.toVirtual[b]!];
    this.toVirtual[a] = q;
    this.toVirtual[b] = p;
    this.toPhysical[p] = b;
    this.toPhysical[q] = a;
  }
}

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
