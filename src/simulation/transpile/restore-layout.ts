import type { Layout } from "./layout.ts";
import type { Target } from "./target.ts";

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
