import { type Distribution, outcomesOf } from "../../results/index.ts";
import type { Result } from "./result.ts";

/** Whether a result has probabilities, and no counts. */
export const isExact = ({ counts, probabilities }: Result): boolean =>
  outcomesOf(counts).length === 0 && outcomesOf(probabilities).length > 0;

/** The counts of a result, or its exact probabilities. */
export const distributionOf = (result: Result): Distribution =>
  isExact(result) ? result.probabilities : result.counts;
