import {
  add,
  type Distribution,
  freezeWithOutcomes,
  type MutableDistribution,
  outcomesOf,
  put,
  totalOf,
  valueAt,
} from "./distribution.ts";
import { type Accuracy, type Interval, intervalRule } from "./interval.ts";
import { compareOutcomes } from "./outcome.ts";
import { topOutcomes } from "./top.ts";

/** The outcomes that are likeliest over several distributions together, each of which weighs the same. */
export function likeliestOutcomes(all: readonly Distribution[], n: number): string[] {
  const shares: MutableDistribution = {};
  for (const values of all) {
    const total = totalOf(values);
    if (total > 0) for (const outcome of outcomesOf(values)) add(shares, outcome, values[outcome]! / total);
  }
  return topOutcomes(shares, n).top.map(({ outcome }) => outcome);
}

/**
 * Lists the outcomes of several distributions together, in ascending order; `undefined` when there are more than `max`.
 */
export function unionOfOutcomes(all: readonly Distribution[], max: number): string[] | undefined {
  const union = new Set<string>();
  for (const values of all)
    for (const outcome of outcomesOf(values)) if (union.add(outcome).size > max) return undefined;
  return [...union].sort(compareOutcomes);
}

/** Returns the values of these outcomes, 0 for those that a distribution lacks. */
export function withOutcomes(values: Distribution, outcomes: readonly string[]): Distribution {
  const listed: MutableDistribution = {};
  for (const outcome of outcomes) put(listed, outcome, valueAt(values, outcome));
  return freezeWithOutcomes(outcomes, listed);
}

/** The share of one outcome, seen or not, with its interval; an exact one is its own interval. */
export function shareOf(
  values: Distribution,
  outcome: string,
  accuracy: Accuracy,
): { probability: number } & Interval {
  const [value, total] = [valueAt(values, outcome), totalOf(values)];
  const probability = accuracy.exact ? value : total > 0 ? value / total : 0;
  const { low, high } = intervalRule(total, accuracy)?.(value) ?? { low: value, high: value };
  return { probability, low, high };
}
