import { type Distribution, outcomesOf } from "./distribution.ts";
import { compareOutcomes } from "./outcome.ts";

/** An outcome and its count or probability. */
export interface Outcome {
  outcome: string;
  value: number;
}

/** The likeliest outcomes, and what all others amount to. */
export interface TopOutcomes {
  /** In descending order of value; equal ones by outcome. */
  top: Outcome[];
  /** Number of outcomes not in `top`, and the sum of their values. */
  rest: { outcomes: number; value: number };
  /** Number of outcomes, without those of value 0 unless requested. */
  outcomes: number;
  total: number;
}

function comesBefore(a: Outcome, b: Outcome): boolean {
  return a.value > b.value || (a.value === b.value && compareOutcomes(a.outcome, b.outcome) < 0);
}

/** Lets the heap's root sink to its place; the root is the least of the kept outcomes. */
function sink(heap: Outcome[]): void {
  const root = heap[0]!;
  let hole = 0;
  for (let child = 1; child < heap.length; child = 2 * hole + 1) {
    if (child + 1 < heap.length && comesBefore(heap[child]!, heap[child + 1]!)) child++;
    if (!comesBefore(root, heap[child]!)) break;
    heap[hole] = heap[child]!;
    hole = child;
  }
  heap[hole] = root;
}

/**
 * Finds the `n` likeliest outcomes with a heap of `n`, so 2^20 outcomes are never sorted.
 *
 * @param zeros - Whether outcomes of value 0 count too. Default: false.
 */
export function topOutcomes(values: Distribution, n: number, zeros = false): TopOutcomes {
  const limit = Math.max(0, Math.floor(n));
  const heap: Outcome[] = [];
  let total = 0;
  let outcomes = 0;
  let hasNegative = false;
  for (const outcome of outcomesOf(values)) {
    const value = values[outcome]!;
    if (!(value > 0 || value < 0 || zeros)) continue;
    total += value;
    outcomes++;
    hasNegative ||= value < 0;
    if (heap.length < limit) {
      heap.push({ outcome, value });
      if (heap.length === limit) heap.sort((a, b) => (comesBefore(a, b) ? 1 : -1));
    } else if (limit > 0 && value >= heap[0]!.value && comesBefore({ outcome, value }, heap[0]!)) {
      heap[0] = { outcome, value };
      sink(heap);
    }
  }
  const top = heap.sort((a, b) => (comesBefore(a, b) ? -1 : 1));
  const shown = top.reduce((sum, { value }) => sum + value, 0);
  const left = outcomes - top.length;
  const value = left === 0 ? 0 : total - shown;
  return {
    top,
    rest: { outcomes: left, value: hasNegative ? value : Math.max(0, value) },
    outcomes,
    total,
  };
}
