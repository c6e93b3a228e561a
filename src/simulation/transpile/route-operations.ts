import { matrixOf } from "./gate-operations.ts";
import type { Layout } from "./layout.ts";
import type { Operation, StatementOperation } from "./operation.ts";
import { type RoutingProblem, routingProblem } from "./routing-problem.ts";
import { route } from "./sabre.ts";
import { nativeGate, type Target } from "./target.ts";

export const SWAP_MATRIX = matrixOf(nativeGate("swap"), []);

/**
 * Returns operations on physical qubits, with swaps if needed. A loop, and each path through a branch, ends in its
 * initial layout. Changes the layout to the one at the end.
 */
export function routeOperations(
  problem: RoutingProblem,
  layout: Layout,
  numUsed: number,
  target: Target,
  random: () => number,
): Operation[] {
  return new OperationRouter(layout, numUsed, target, random, null).route(problem);
}

class OperationRouter {
  readonly #layout: Layout;
  readonly #numUsed: number;
  readonly #target: Target;
  readonly #random: () => number;
  /** The layout in which the loop around the operations begins and ends. */
  readonly #loop: Layout | null;
  readonly #out: Operation[] = [];

  constructor(layout: Layout, numUsed: number, target: Target, random: () => number, loop: Layout | null) {
    this.#layout = layout;
    this.#numUsed = numUsed;
    this.#target = target;
    this.#random = random;
    this.#loop = loop;
  }

  route(problem: RoutingProblem): Operation[] {
    route(problem, this.#layout, this.#target, this.#random, {
      operation: operation => this.#operation(operation),
      swap: (a, b) => this.#swap(a, b),
    });
    return this.#out;
  }

  /** Adds swaps that bring back a layout. */
  restore(wanted: Layout): void {
    for (const [a, b] of restoreLayout(this.#layout, wanted, this.#numUsed, this.#target)) this.#swap(a, b);
  }

  #swap(a: number, b: number): void {
    this.#out.push({ kind: "two-qubit", qubits: [a, b], matrix: SWAP_MATRIX, name: "swap" });
  }

  #operation(operation: Operation): void {
    const qubits = operation.qubits.map(qubit => this.#layout.toPhysical[qubit]!);
    if (operation.kind === "statement") this.#statement(operation, qubits);
    else this.#out.push({ ...operation, qubits } as Operation);
  }

  #statement(operation: StatementOperation, qubits: readonly number[]): void {
    const { kind } = operation.statement;
    if (isJump(operation) && this.#loop) this.restore(this.#loop);
    const loop = kind === "while" ? this.#layout : this.#loop;
    const touched = new Set(isJump(operation) ? this.#layout.toVirtual.keys() : qubits);
    const bodies = operation.bodies.map(body => {
      const [start, around] = [this.#layout.copy(), loop?.copy() ?? null];
      const router = new OperationRouter(start, this.#numUsed, this.#target, this.#random, around);
      const routed = router.route(routingProblem(body, this.#target.numQubits));
      if (!isJump(body.at(-1))) router.restore(this.#layout);
      for (const { qubits: own } of routed) for (const qubit of own) touched.add(qubit);
      return routed;
    });
    this.#out.push({ ...operation, qubits: [...touched], bodies });
  }
}

/** Whether what follows an operation is not done. */
const isJump = (operation: Operation | undefined): boolean =>
  operation?.kind === "statement" && ["break", "continue"].includes(operation.statement.kind);

type Swap = readonly [number, number];

/**
 * Returns swaps of coupled qubits after which the first qubits of a layout, so many as the program has, are where another
 * layout has them. Changes the layout to the other one.
 */
export function restoreLayout(
  layout: Layout,
  wanted: Layout,
  numUsed: number,
  target: Target,
): readonly Swap[] {
  const { distances, numQubits, couplings, neighbours } = target;
  const swaps: Swap[] = [];
  const swap = (a: number, b: number) => {
    layout.swap(a, b);
    swaps.push([a, b]);
  };
  const gain = (from: number, to: number): number => {
    const virtual = layout.toVirtual[from]!;
    if (virtual >= numUsed) return 0;
    const home = wanted.toPhysical[virtual]! * numQubits;
    return distances[home + from]! - distances[home + to]!;
  };
  for (;;) {
    let best: Swap | null = null;
    let most = 0;
    for (const { qubits } of couplings) {
      const [a, b] = qubits;
      const total = gain(a, b) + gain(b, a);
      if (total > most) [best, most] = [qubits, total];
    }
    if (!best) break;
    swap(best[0], best[1]);
  }
  const fixed = new Set<number>();
  for (const at of leavesFirst(neighbours)) {
    const virtual = wanted.toVirtual[at]!;
    if (virtual < numUsed) {
      for (const next of pathBetween(layout.toPhysical[virtual]!, at, neighbours, fixed))
        swap(layout.toPhysical[virtual]!, next);
    }
    fixed.add(at);
  }
  return swaps;
}

/** Lists qubits so that those which follow one are connected without it. */
function leavesFirst(neighbours: readonly (readonly number[])[]): number[] {
  const seen = new Set<number>();
  const order: number[] = [];
  for (let start = 0; start < neighbours.length; start++) {
    if (seen.has(start)) continue;
    seen.add(start);
    const queue = [start];
    for (const at of queue)
      for (const next of neighbours[at]!)
        if (!seen.has(next)) {
          seen.add(next);
          queue.push(next);
        }
    order.push(...queue);
  }
  return order.reverse();
}

/** Returns the qubits after the first on a shortest way that avoids some. */
function pathBetween(
  from: number,
  to: number,
  neighbours: readonly (readonly number[])[],
  avoided: ReadonlySet<number>,
): number[] {
  const before = new Map([[from, from]]);
  const queue = [from];
  for (const at of queue) {
    if (at === to) break;
    for (const next of neighbours[at]!)
      if (!before.has(next) && !avoided.has(next)) {
        before.set(next, at);
        queue.push(next);
      }
  }
  const path: number[] = [];
  for (let at = to; at !== from; at = before.get(at)!) path.unshift(at);
  return path;
}
