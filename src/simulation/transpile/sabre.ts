import type { Layout } from "./layout.ts";
import type { Operation } from "./operation.ts";
import type { RoutingProblem } from "./routing-problem.ts";
import type { Target } from "./target.ts";
import { numNativeOf } from "./two-qubit-synthesis.ts";
import { mirrored, weylOf } from "./weyl-cache.ts";

/** What routing comes to: operations in an order in which they can be done, and swaps of physical qubits. */
export interface RoutingSink {
  /** Is called with an operation where it can be done. */
  operation(operation: Operation): void;
  /** Is called with a swap, after the layout has changed. */
  swap(a: number, b: number): void;
}

const EXTENDED_SIZE = 20;
const EXTENDED_WEIGHT = 0.5;
const DECAY = 0.001;
const DECAY_RESET = 5;
/** How much the native gates that a swap adds count, beside the distance that it saves. */
const COST_WEIGHT = 0.3;

/**
 * Routes operations by SABRE: where none of the front layer can be done, the swap is made after which the distances in
 * the front layer and, with less weight, those of what follows are least. The layout is changed to the one at the end.
 * A swap of qubits whose last gate was a common one costs what it adds to that gate. Returns the native gates that the
 * swaps add.
 */
export function route(
  problem: RoutingProblem,
  layout: Layout,
  target: Target,
  random: () => number,
  sink?: RoutingSink,
): number {
  return new Router(problem, layout, target, random, sink).run();
}

class Router {
  readonly #problem: RoutingProblem;
  readonly #layout: Layout;
  readonly #target: Target;
  readonly #random: () => number;
  readonly #sink: RoutingSink | undefined;
  readonly #pending: Int32Array;
  readonly #left: Int32Array;
  readonly #done: Uint8Array;
  readonly #ready: number[] = [];
  /** Two-qubit operations that only wait for their qubits to meet, by virtual qubit and all. */
  readonly #frontOf: number[][];
  #front: number[] = [];
  #extended: number[] = [];
  readonly #extendedOf: number[][];
  #nextPair = 0;
  readonly #decay: Float64Array;
  /** The native gates of the block that is last on each physical qubit: coordinates and partner. */
  readonly #lastPartner: Int32Array;
  readonly #lastBlock: (readonly number[] | null)[];
  #cost = 0;

  constructor(
    problem: RoutingProblem,
    layout: Layout,
    target: Target,
    random: () => number,
    sink: RoutingSink | undefined,
  ) {
    this.#problem = problem;
    this.#layout = layout;
    this.#target = target;
    this.#random = random;
    this.#sink = sink;
    this.#pending = Int32Array.from(problem.groupsOf, groups => groups.length);
    this.#left = Int32Array.from(problem.members, members => members.length);
    this.#done = new Uint8Array(problem.operations.length);
    this.#frontOf = Array.from({ length: problem.numWires }, () => []);
    this.#extendedOf = Array.from({ length: problem.numWires }, () => []);
    this.#decay = new Float64Array(target.numQubits).fill(1);
    this.#lastPartner = new Int32Array(target.numQubits).fill(-1);
    this.#lastBlock = new Array(target.numQubits).fill(null);
    problem.groupsOf.forEach((groups, i) => {
      if (groups.length === 0) this.#ready.push(i);
    });
    for (const group of problem.first) if (group >= 0) this.#begin(group);
  }

  run(): number {
    this.#advance();
    let sinceProgress = 0;
    let sinceReset = 0;
    const patience = 10 * this.#target.numQubits;
    while (this.#front.length > 0) {
      if (sinceProgress > patience) {
        this.#force();
        sinceProgress = 0;
      } else {
        const [a, b] = this.#bestSwap();
        this.#swap(a, b);
        this.#decay[a]! += DECAY;
        this.#decay[b]! += DECAY;
        sinceProgress++;
        if (++sinceReset >= DECAY_RESET) {
          this.#decay.fill(1);
          sinceReset = 0;
        }
      }
      if (this.#advance()) {
        this.#decay.fill(1);
        sinceProgress = 0;
        sinceReset = 0;
      }
    }
    return this.#cost;
  }

  #begin(group: number): void {
    for (const operation of this.#problem.members[group]!)
      if (--this.#pending[operation]! === 0) this.#ready.push(operation);
  }

  /** Does all that can be done. Returns whether there was any. */
  #advance(): boolean {
    const { operations } = this.#problem;
    let hasMoved = false;
    const still: number[] = [];
    for (const operation of this.#front)
      if (this.#isAdjacent(operation)) {
        this.#finish(operation);
        hasMoved = true;
      } else still.push(operation);
    for (let next = this.#ready.pop(); next !== undefined; next = this.#ready.pop()) {
      if (operations[next]!.kind === "two-qubit" && !this.#isAdjacent(next)) still.push(next);
      else this.#finish(next);
      hasMoved = true;
    }
    this.#front = still;
    if (hasMoved && still.length > 0) this.#lookAhead();
    return hasMoved;
  }

  #isAdjacent(operation: number): boolean {
    return this.#distanceOf(operation) === 1;
  }

  #distanceOf(operation: number): number {
    const { toPhysical } = this.#layout;
    const [a, b] = this.#problem.operations[operation]!.qubits as readonly [number, number];
    return this.#target.distances[toPhysical[a]! * this.#target.numQubits + toPhysical[b]!]!;
  }

  #finish(index: number): void {
    this.#done[index] = 1;
    const operation = this.#problem.operations[index]!;
    this.#sink?.operation(operation);
    if (operation.kind !== "one-qubit") this.#remember(operation);
    for (const group of this.#problem.groupsOf[index]!)
      if (--this.#left[group]! === 0) {
        const next = this.#problem.following[group]!;
        if (next >= 0) this.#begin(next);
      }
  }

  #remember(operation: Operation): void {
    const { toPhysical } = this.#layout;
    const [a = 0, b = 0] = operation.qubits.map(qubit => toPhysical[qubit]!);
    if (operation.kind !== "two-qubit") {
      for (const qubit of operation.qubits) this.#lastPartner[toPhysical[qubit]!] = -1;
      return;
    }
    const isSame = this.#lastPartner[a] === b && this.#lastPartner[b] === a;
    this.#lastPartner[a] = b;
    this.#lastPartner[b] = a;
    const block = isSame ? null : weylOf(operation.matrix).coordinates;
    this.#lastBlock[a] = block;
    this.#lastBlock[b] = block;
  }

  /** Returns the native gates that a swap adds. */
  #swapCost(a: number, b: number): number {
    const block = this.#lastPartner[a] === b && this.#lastPartner[b] === a ? this.#lastBlock[a] : null;
    if (!block) return 3;
    const { twoQubit } = this.#target.basis;
    const coordinates = block as readonly [number, number, number];
    return numNativeOf(mirrored(coordinates), twoQubit) - numNativeOf(coordinates, twoQubit);
  }

  #swap(a: number, b: number): void {
    this.#cost += this.#swapCost(a, b);
    const block = this.#lastPartner[a] === b && this.#lastPartner[b] === a ? this.#lastBlock[a] : null;
    this.#layout.swap(a, b);
    this.#sink?.swap(a, b);
    const after = block ? mirrored(block as readonly [number, number, number]) : null;
    this.#lastPartner[a] = b;
    this.#lastPartner[b] = a;
    this.#lastBlock[a] = after;
    this.#lastBlock[b] = after;
  }

  #lookAhead(): void {
    const { operations, pairs } = this.#problem;
    for (const list of this.#frontOf) list.length = 0;
    for (const list of this.#extendedOf) list.length = 0;
    for (const operation of this.#front)
      for (const qubit of operations[operation]!.qubits) this.#frontOf[qubit]!.push(operation);
    while (this.#nextPair < pairs.length && this.#done[pairs[this.#nextPair]!]) this.#nextPair++;
    const front = new Set(this.#front);
    this.#extended = [];
    for (let i = this.#nextPair; i < pairs.length && this.#extended.length < EXTENDED_SIZE; i++) {
      const operation = pairs[i]!;
      if (this.#done[operation] || front.has(operation)) continue;
      this.#extended.push(operation);
      for (const qubit of operations[operation]!.qubits) this.#extendedOf[qubit]!.push(operation);
    }
  }

  #bestSwap(): readonly [number, number] {
    const { toPhysical, toVirtual } = this.#layout;
    const { neighbours, numQubits } = this.#target;
    const seen = new Set<number>();
    let best: (readonly [number, number])[] = [];
    let least = Number.POSITIVE_INFINITY;
    const sums = [this.#front, this.#extended].map(list =>
      list.reduce((sum, operation) => sum + this.#distanceOf(operation), 0),
    ) as [number, number];
    for (const operation of this.#front)
      for (const virtual of this.#problem.operations[operation]!.qubits) {
        const a = toPhysical[virtual]!;
        for (const b of neighbours[a]!) {
          const key = a < b ? a * numQubits + b : b * numQubits + a;
          if (seen.has(key)) continue;
          seen.add(key);
          const [p, q] = [toVirtual[a]!, toVirtual[b]!];
          const front = sums[0] + this.#change(this.#frontOf, p, q, a, b);
          const extended = sums[1] + this.#change(this.#extendedOf, p, q, a, b);
          let score = front / this.#front.length;
          if (this.#extended.length > 0) score += (EXTENDED_WEIGHT * extended) / this.#extended.length;
          score += (COST_WEIGHT * this.#swapCost(a, b)) / 3 / this.#front.length;
          score *= Math.max(this.#decay[a]!, this.#decay[b]!);
          if (score < least - 1e-10) {
            least = score;
            best = [[a, b]];
          } else if (score <= least + 1e-10) best.push([a, b]);
        }
      }
    return best[Math.floor(this.#random() * best.length)]!;
  }

  /** Returns by how much the distances of listed operations change when two physical qubits are swapped. */
  #change(lists: readonly (readonly number[])[], p: number, q: number, a: number, b: number): number {
    const { distances, numQubits } = this.#target;
    const { toPhysical } = this.#layout;
    const { operations } = this.#problem;
    let change = 0;
    for (const [own, from, to, other] of [
      [p, a, b, q],
      [q, b, a, p],
    ] as const) {
      const list = lists[own];
      if (!list) continue;
      for (const operation of list) {
        const { qubits } = operations[operation]!;
        const partner = qubits[0] === own ? qubits[1]! : qubits[0]!;
        if (partner === other) continue;
        const at = toPhysical[partner]!;
        change += distances[to * numQubits + at]! - distances[from * numQubits + at]!;
      }
    }
    return change;
  }

  /** Brings the qubits of the closest operation of the front layer together. */
  #force(): void {
    const closest = this.#front.reduce((a, b) => (this.#distanceOf(b) < this.#distanceOf(a) ? b : a));
    const [first, second] = this.#problem.operations[closest]!.qubits as readonly [number, number];
    const { toPhysical } = this.#layout;
    const { distances, neighbours, numQubits } = this.#target;
    while (this.#distanceOf(closest) > 1) {
      const [from, to] = [toPhysical[first]!, toPhysical[second]!];
      const towards = (at: number) => distances[at * numQubits + to]!;
      this.#swap(from, neighbours[from]!.find(next => towards(next) < towards(from))!);
    }
  }
}
