import { type Distribution, sortedOutcomes, totalOf } from "./distribution.ts";
import { wilsonInterval } from "./interval.ts";

/** An outcome as a row of a table. */
export type OutcomeRow = {
  /** The outcome as the service writes it, such as `00 101`. */
  outcome: string;
  /** How often it was seen. */
  count: number;
  /** Its share of the shots. */
  probability: number;
  /** Lower end of the 95 % Wilson interval of the probability. */
  low: number;
  /** Upper end of that interval. */
  high: number;
};

/** Makes a row of every outcome, in their order; of exact probabilities, with the outcome and its probability alone. */
export function outcomeRows(
  values: Distribution,
  exact: boolean,
): (OutcomeRow | Pick<OutcomeRow, "outcome" | "probability">)[] {
  const shots = totalOf(values);
  return sortedOutcomes(values).map(outcome => {
    const value = values[outcome]!;
    if (exact) return { outcome, probability: value };
    const probability = shots > 0 ? value / shots : 0;
    return { outcome, count: value, probability, ...wilsonInterval(value, shots) };
  });
}
