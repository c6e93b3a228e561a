import { matrixOf } from "./gate-operations.ts";
import type { Layout } from "./layout.ts";
import type { Operation, StatementOperation } from "./operation.ts";
import { type RoutingProblem, routingProblem } from "./routing-problem.ts";
import { route } from "./sabre.ts";
import { nativeGate, type Target } from "./target.ts";

export const SWAP_MATRIX = matrixOf(nativeGate("swap"), []);

/**
 * Returns operations on physical qubits, with swaps if needed. A loop, and each path through a branch, ends in its
 * initial layout. Changes the layout to the one at the end. `loop` is the layout in which the loop around the operations
 * begins and ends, and `wanted` one that is brought back after them.
 */
export function routeOperations(
  problem: RoutingProblem,
  layout: Layout,
  numUsed: number,
  target: Target,
  random: () => number,
  { loop, wanted }: { loop: Layout | null; wanted: Layout | null } = { loop: null, wanted: null },
): Operation[] {
  const out: Operation[] = [];
  const swap = (a: number, b: number) =>
    out.push({ kind: "two-qubit", qubits: [a, b], matrix: SWAP_MATRIX, name: "swap" });
  /** Adds swaps that bring back a layout. */
  const restore = (to: Layout) => {
    for (const [a, b] of restoreLayout(layout, to, numUsed, target)) swap(a, b);
  };
  const addStatement = (operation: StatementOperation, qubits: readonly number[]) => {
    if (isJump(operation) && loop) restore(loop);
    const inner = operation.statement.kind === "while" ? layout : loop;
    const touched = new Set(isJump(operation) ? layout.toVirtual.keys() : qubits);
    const bodies = operation.bodies.map(body => {
      const [start, around] = [layout.copy(), inner?.copy() ?? null];
      const own = routingProblem(body, target.numQubits);
      const ends = { loop: around, wanted: isJump(body.at(-1)) ? null : layout };
      const routed = routeOperations(own, start, numUsed, target, random, ends);
      for (const qubit of routed.flatMap(({ qubits: on }) => on)) touched.add(qubit);
      return routed;
    });
    out.push({ ...operation, qubits: [...touched], bodies });
  };
  route(problem, layout, target, random, {
    swap,
    operation: operation => {
      const qubits = operation.qubits.map(qubit => layout.toPhysical[qubit]!);
      if (operation.kind === "statement") addStatement(operation, qubits);
      else out.push({ ...operation, qubits } as Operation);
    },
  });
  if (wanted) restore(wanted);
  return out;
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
    // An unused qubit clears a place where none of the program belongs, before the place is closed.
    const nearestUnused = () =>
      [...breadthFirst(at, neighbours, fixed).keys()].find(place => layout.toVirtual[place]! >= numUsed)!;
    let from = virtual < numUsed ? layout.toPhysical[virtual]! : nearestUnused();
    for (const next of pathBetween(from, at, neighbours, fixed)) {
      swap(from, next);
      from = next;
    }
    fixed.add(at);
  }
  return swaps;
}

/** Lists qubits so that those which follow one are connected without it. */
function leavesFirst(neighbours: readonly (readonly number[])[]): number[] {
  const order = new Set<number>();
  neighbours.forEach((_, start) => {
    for (const at of breadthFirst(start, neighbours, order).keys()) order.add(at);
  });
  return [...order].reverse();
}

/** Returns the qubits after the first on a shortest way that avoids some. */
function pathBetween(
  from: number,
  to: number,
  neighbours: readonly (readonly number[])[],
  avoided: ReadonlySet<number>,
): number[] {
  const before = breadthFirst(from, neighbours, avoided);
  const path: number[] = [];
  for (let at = to; at !== from; at = before.get(at)!) path.unshift(at);
  return path;
}

/** Returns the qubits that are reached without some, the nearest first, each with the one before it on the way. */
function breadthFirst(
  start: number,
  neighbours: readonly (readonly number[])[],
  avoided: ReadonlySet<number>,
): Map<number, number> {
  const before = new Map([[start, start]]);
  for (const at of before.keys())
    for (const next of neighbours[at]!) if (!before.has(next) && !avoided.has(next)) before.set(next, at);
  return before;
}
