import { type Distribution, sortedOutcomes, totalOf } from "./distribution.ts";
import { type Accuracy, type Interval, intervalRule } from "./interval.ts";

/** An outcome as a row of a table. */
export type OutcomeRow = {
  /** The outcome as the service writes it, such as `00 101`. */
  outcome: string;
  /** Count of the outcome. */
  count: number;
  /** Its share of the shots. */
  probability: number;
  /** Lower end of the interval of the probability, which contains it in at least 95 % of all cases. */
  low: number;
  /** Upper end of that interval. */
  high: number;
};

/** Makes a row of every outcome, in their order; without a count for probabilities, without an interval for exact ones. */
export function outcomeRows(
  values: Distribution,
  accuracy: Accuracy,
): (OutcomeRow | (Pick<OutcomeRow, "outcome" | "probability"> & Partial<Interval>))[] {
  const shots = totalOf(values);
  const intervalOf = intervalRule(shots, accuracy);
  return sortedOutcomes(values).map(outcome => {
    const value = values[outcome]!;
    const interval = intervalOf?.(value);
    if (accuracy.exact) return { outcome, probability: value, ...interval };
    return { outcome, count: value, probability: shots > 0 ? value / shots : 0, ...interval! };
  });
}
