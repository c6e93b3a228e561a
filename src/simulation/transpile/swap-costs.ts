import type { Layout } from "./layout.ts";
import type { Operation } from "./operation.ts";
import type { RoutingProblem } from "./routing-problem.ts";
import type { Target } from "./target.ts";
import { numNativeOf } from "./two-qubit-synthesis.ts";
import { mirrored, type WeylCoordinates, weylOf } from "./weyl.ts";

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

/** Operations on two qubits, and how far apart these are on the device under a layout that changes. */
export class PairDistances {
  #operations: readonly number[] = [];
  readonly #operationsOf: readonly number[][];
  readonly #problem: RoutingProblem;
  readonly #layout: Layout;
  readonly #target: Target;

  constructor(problem: RoutingProblem, layout: Layout, target: Target) {
    this.#problem = problem;
    this.#layout = layout;
    this.#target = target;
    this.#operationsOf = Array.from({ length: problem.numWires }, () => []);
  }

  /** The operations, by their places in the problem. */
  get operations(): readonly number[] {
    return this.#operations;
  }

  replace(operations: readonly number[]): void {
    this.#operations = operations;
    for (const list of this.#operationsOf) if (list.length > 0) list.length = 0;
    for (const operation of operations) {
      this.#operationsOf[this.#problem.firstQubits[operation]!]!.push(operation);
      this.#operationsOf[this.#problem.secondQubits[operation]!]!.push(operation);
    }
  }

  /** Returns the distance between the qubits of an operation; 1 where they are coupled. */
  distanceOf(operation: number): number {
    const { toPhysical } = this.#layout;
    const a = toPhysical[this.#problem.firstQubits[operation]!]!;
    const b = toPhysical[this.#problem.secondQubits[operation]!]!;
    return this.#target.distances[a * this.#target.numQubits + b]!;
  }

  sum(): number {
    let sum = 0;
    for (const operation of this.#operations) sum += this.distanceOf(operation);
    return sum;
  }

  /** Returns by how much the sum changes when virtual qubits `p` and `q`, at physical ones `a` and `b`, are swapped. */
  change(p: number, q: number, a: number, b: number): number {
    return this.#changeOf(p, q, a, b) + this.#changeOf(q, p, b, a);
  }

  #changeOf(own: number, other: number, from: number, to: number): number {
    const { distances, numQubits } = this.#target;
    const { toPhysical } = this.#layout;
    const { firstQubits, secondQubits } = this.#problem;
    const list = this.#operationsOf[own]!;
    let change = 0;
    for (let i = 0; i < list.length; i++) {
      const operation = list[i]!;
      const first = firstQubits[operation]!;
      const partner = first === own ? secondQubits[operation]! : first;
      if (partner === other) continue;
      const at = toPhysical[partner]!;
      change += distances[to * numQubits + at]! - distances[from * numQubits + at]!;
    }
    return change;
  }
}
