import { add, type Distribution, outcomesOf, type Tally, totalOf, valueAt } from "./distribution.ts";
import { type Interval, wilsonInterval } from "./interval.ts";
import { topOutcomes } from "./top.ts";

/** The outcomes that are likeliest over several distributions together, each of which weighs the same. */
export function likeliestOutcomes(all: readonly Distribution[], n: number): string[] {
  const shares: Tally = {};
  for (const values of all) {
    const total = totalOf(values);
    if (total > 0) for (const outcome of outcomesOf(values)) add(shares, outcome, values[outcome]! / total);
  }
  return topOutcomes(shares, n).top.map(({ outcome }) => outcome);
}

/** The share of one outcome, seen or not, with its 95 % Wilson interval; an exact one is its own interval. */
export function shareOf(
  values: Distribution,
  outcome: string,
  exact: boolean,
): { probability: number } & Interval {
  const [value, total] = [valueAt(values, outcome), totalOf(values)];
  if (exact) return { probability: value, low: value, high: value };
  return { probability: total > 0 ? value / total : 0, ...wilsonInterval(value, total) };
}
