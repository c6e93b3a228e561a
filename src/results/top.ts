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

/**
 * Finds the `n` likeliest outcomes. Only values are sorted, and of outcomes those that may be among the `n`.
 *
 * @param zeros - Whether outcomes of value 0 count too. Default: false.
 */
export function topOutcomes(values: Distribution, n: number, zeros = false): TopOutcomes {
  const limit = Math.max(0, Math.floor(n));
  const kept = outcomesOf(values).filter(outcome => zeros || values[outcome]! > 0 || values[outcome]! < 0);
  const amounts = Float64Array.from(kept, outcome => values[outcome]!).sort();
  const least = amounts.at(-Math.max(1, limit)) ?? Number.NEGATIVE_INFINITY;
  const top = kept
    .filter(outcome => values[outcome]! >= least)
    .map((outcome): Outcome => ({ outcome, value: values[outcome]! }))
    .sort((a, b) => b.value - a.value || compareOutcomes(a.outcome, b.outcome))
    .slice(0, limit);
  const total = amounts.reduce((sum, value) => sum + value, 0);
  const left = kept.length - top.length;
  const value = left === 0 ? 0 : top.reduce((rest, one) => rest - one.value, total);
  return {
    top,
    rest: { outcomes: left, value: amounts[0]! < 0 ? value : Math.max(0, value) },
    outcomes: kept.length,
    total,
  };
}
