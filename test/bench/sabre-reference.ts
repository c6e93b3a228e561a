import type { Target } from "../../src/simulation/index.ts";
import { randomNumbers, shuffled } from "../../src/simulation/transpile/layout.ts";
import type { Operation } from "../../src/simulation/transpile/operation.ts";
import { SWAP_MATRIX } from "../../src/simulation/transpile/route-operations.ts";

const SEEDS = 20;
const PASSES = 4;
const EXTENDED_SIZE = 20;
const EXTENDED_WEIGHT = 0.5;
const DECAY = 0.001;
const DECAY_RESET = 5;

/** Operations on physical qubits with swaps between them, and how many swaps there are. */
export interface Routed {
  readonly operations: readonly Operation[];
  readonly swaps: number;
}

/**
 * Routes operations without control flow by SABRE as its papers say it (arXiv:1809.02573, with the release valve of
 * arXiv:2409.08368), to compare the transpiler with: 20 random layouts, each improved by passes there and back, of which
 * the one with the fewest swaps counts. Gates keep their order on each qubit, and a swap is a swap.
 */
export function referenceSabre(operations: readonly Operation[], target: Target): Routed {
  let best: Routed | null = null;
  for (let seed = 0; seed < SEEDS; seed++) {
    const random = randomNumbers(seed);
    let layout = shuffled(target.numQubits, random);
    const backwards = operations.toReversed();
    for (let pass = 0; pass < PASSES; pass++) {
      layout = routeOnce(operations, layout, target, random).layout;
      layout = routeOnce(backwards, layout, target, random).layout;
    }
    const routed = routeOnce(operations, layout, target, random);
    if (!best || routed.swaps < best.swaps) best = routed;
  }
  return best!;
}

function routeOnce(
  operations: readonly Operation[],
  initialLayout: readonly number[],
  { neighbours, distances, numQubits }: Target,
  random: () => number,
): Routed & { readonly layout: number[] } {
  const { successors, pending } = dependenciesOf(operations);
  const layout = [...initialLayout];
  const occupant: number[] = [];
  layout.forEach((physical, virtual) => {
    occupant[physical] = virtual;
  });
  const out: Operation[] = [];
  const ready = operations.flatMap((_, i) => (pending[i] === 0 ? [i] : []));
  let front: number[] = [];
  const decay = new Float64Array(numQubits).fill(1);
  let [swaps, sinceProgress] = [0, 0];

  const distanceOf = (index: number): number => {
    const [a, b] = operations[index]!.qubits;
    return distances[layout[a!]! * numQubits + layout[b!]!]!;
  };
  const exchange = (a: number, b: number): void => {
    const [p, q] = [occupant[a]!, occupant[b]!];
    [occupant[a], occupant[b], layout[p], layout[q]] = [q, p, b, a];
  };
  const swap = (a: number, b: number): void => {
    exchange(a, b);
    out.push({ kind: "two-qubit", qubits: [a, b], matrix: SWAP_MATRIX, name: "swap" });
    swaps++;
  };
  const advance = (): void => {
    ready.push(...front);
    front = [];
    for (let index = ready.pop(); index !== undefined; index = ready.pop()) {
      const operation = operations[index]!;
      if (operation.kind === "two-qubit" && distanceOf(index) > 1) {
        front.push(index);
        continue;
      }
      out.push({ ...operation, qubits: operation.qubits.map(qubit => layout[qubit]!) } as Operation);
      for (const next of successors[index]!) if (--pending[next]! === 0) ready.push(next);
    }
  };
  const lookAhead = (): number[] => {
    const seen = new Set(front);
    const found: number[] = [];
    for (const index of seen) {
      if (found.length >= EXTENDED_SIZE) break;
      if (!front.includes(index) && operations[index]!.kind === "two-qubit") found.push(index);
      for (const next of successors[index]!) seen.add(next);
    }
    return found;
  };
  const mean = (list: readonly number[]): number =>
    list.length === 0 ? 0 : list.reduce((sum, index) => sum + distanceOf(index), 0) / list.length;

  for (advance(); front.length > 0; advance()) {
    const extended = lookAhead();
    decay.fill(1);
    sinceProgress = 0;
    while (front.every(index => distanceOf(index) > 1)) {
      if (sinceProgress++ > 10 * numQubits) {
        const [from, to] = operations[front[0]!]!.qubits.map(qubit => layout[qubit]!) as [number, number];
        const nearer = (at: number) => distances[at * numQubits + to]! < distances[from * numQubits + to]!;
        swap(from, neighbours[from]!.find(nearer)!);
        continue;
      }
      let [least, ties] = [Number.POSITIVE_INFINITY, 0];
      let chosen: readonly [number, number] = [-1, -1];
      for (const index of front)
        for (const virtual of operations[index]!.qubits)
          for (const b of neighbours[layout[virtual]!]!) {
            const a = layout[virtual]!;
            exchange(a, b);
            const score = Math.max(decay[a]!, decay[b]!) * (mean(front) + EXTENDED_WEIGHT * mean(extended));
            exchange(a, b);
            if (score < least - 1e-10) [least, ties, chosen] = [score, 1, [a, b]];
            else if (score < least + 1e-10 && random() * ++ties < 1) chosen = [a, b];
          }
      swap(...chosen);
      if (sinceProgress % DECAY_RESET === 0) decay.fill(1);
      else for (const qubit of chosen) decay[qubit]! += DECAY;
    }
  }
  return { operations: out, swaps, layout };
}

/** Returns the operations that follow each on its qubits, and how many come directly before. */
function dependenciesOf(operations: readonly Operation[]): {
  readonly successors: readonly (readonly number[])[];
  readonly pending: Int32Array;
} {
  const successors = operations.map((): number[] => []);
  const pending = new Int32Array(operations.length);
  const last = new Map<number, number>();
  operations.forEach(({ qubits }, i) => {
    for (const before of new Set(qubits.flatMap(qubit => last.get(qubit) ?? []))) {
      successors[before]!.push(i);
      pending[i]!++;
    }
    for (const qubit of qubits) last.set(qubit, i);
  });
  return { successors, pending };
}
