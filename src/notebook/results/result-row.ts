import type { OutcomeRow, Solution } from "../../results/index.ts";

/**
 * A row of a result: of an outcome, `{ outcome, count, probability, low, high }`, or `{ outcome, probability }` when it
 * is exact; of an annealer, a solution.
 */
export interface ResultRow extends Partial<OutcomeRow>, Partial<Solution> {}

/** A row of several results. */
export interface ResultsRow extends ResultRow {
  /** Place of the result's program in its batch, from 0. */
  program: number;
}
