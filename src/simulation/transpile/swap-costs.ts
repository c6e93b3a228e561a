import type { Operation } from "./operation.ts";
import type { Target } from "./target.ts";
import { numNativeOf } from "./two-qubit-synthesis.ts";
import type { WeylCoordinates } from "./weyl.ts";
import { mirrored, weylOf } from "./weyl-cache.ts";

const SWAP_COST = 3;

/** Cost of a swap after earlier gates: less than three if the last gate of both qubits was a common one. */
export class SwapCosts {
  readonly #target: Target;
  /** The physical qubit with which each had its last gate, that gate's coordinates, and what a swap adds to it. */
  readonly #partners: Int32Array;
  readonly #coordinates: (WeylCoordinates | null)[];
  readonly #added: Int8Array;

  constructor(target: Target) {
    this.#target = target;
    this.#partners = new Int32Array(target.numQubits).fill(-1);
    this.#coordinates = new Array<null>(target.numQubits).fill(null);
    this.#added = new Int8Array(target.numQubits);
  }

  /** Returns the native gates that a swap adds. */
  costOf(a: number, b: number): number {
    return this.#partners[a] === b && this.#partners[b] === a ? this.#added[a]! : SWAP_COST;
  }

  /** Takes note of an operation. */
  remember(operation: Operation, toPhysical: Int32Array): void {
    if (operation.kind === "one-qubit") return;
    if (operation.kind !== "two-qubit") {
      for (const qubit of operation.qubits) this.#partners[toPhysical[qubit]!] = -1;
      return;
    }
    const [first, second] = operation.qubits;
    const [a, b] = [toPhysical[first]!, toPhysical[second]!];
    const isSame = this.#partners[a] === b && this.#partners[b] === a;
    this.#set(a, b, isSame ? null : weylOf(operation.matrix).coordinates);
  }

  /** Takes note of a swap. */
  swap(a: number, b: number): void {
    const isSame = this.#partners[a] === b && this.#partners[b] === a;
    const coordinates = isSame ? this.#coordinates[a]! : null;
    this.#set(a, b, coordinates && mirrored(coordinates));
  }

  #set(a: number, b: number, coordinates: WeylCoordinates | null): void {
    const { twoQubit } = this.#target.basis;
    const added = coordinates
      ? numNativeOf(mirrored(coordinates), twoQubit) - numNativeOf(coordinates, twoQubit)
      : SWAP_COST;
    this.#partners[a] = b;
    this.#partners[b] = a;
    this.#coordinates[a] = this.#coordinates[b] = coordinates;
    this.#added[a] = this.#added[b] = added;
  }
}
