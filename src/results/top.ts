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

/** Outcomes that are collected before the likeliest of them are chosen, besides twice those that are asked for. */
const surplus = 1000;

/**
 * Finds the `n` likeliest outcomes of those collected so far, again and again, so 2^20 outcomes are never sorted.
 *
 * @param zeros - Whether outcomes of value 0 count too. Default: false.
 */
export function topOutcomes(values: Distribution, n: number, zeros = false): TopOutcomes {
  const limit = Math.max(0, Math.floor(n));
  const top: Outcome[] = [];
  let [total, outcomes, smallest, least] = [0, 0, 0, Number.NEGATIVE_INFINITY];
  const choose = () => {
    top.sort((a, b) => b.value - a.value || compareOutcomes(a.outcome, b.outcome)).splice(limit);
    least = top.at(-1)?.value ?? Number.POSITIVE_INFINITY;
  };
  for (const outcome of outcomesOf(values)) {
    const value = values[outcome]!;
    if (!(value > 0 || value < 0 || zeros)) continue;
    total += value;
    outcomes++;
    smallest = Math.min(smallest, value);
    if (value >= least) top.push({ outcome, value });
    if (top.length > 2 * limit + surplus) choose();
  }
  choose();
  const left = outcomes - top.length;
  const value = left === 0 ? 0 : total - top.reduce((sum, one) => sum + one.value, 0);
  return {
    top,
    rest: { outcomes: left, value: smallest < 0 ? value : Math.max(0, value) },
    outcomes,
    total,
  };
}
