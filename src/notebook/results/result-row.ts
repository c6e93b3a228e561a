import type { OutcomeRow, Solution } from "../../results/index.ts";
import type { Inputs, InputValue } from "../programs/inputs.ts";

/**
 * A row of a result: of an outcome, `{ outcome, count, probability, low, high }`, or `{ outcome, probability }` when it
 * is exact; of an annealer, a solution.
 */
export interface ResultRow extends Partial<OutcomeRow>, Partial<Solution> {}

/** A row of several results: where it is from, the values of the program's inputs by name, and the result's own row. */
export interface ResultsRow extends ResultRow {
  /** Place of the result's program in its batch, from 0. */
  program: number;
  /** The value of an input; of one that has the name of another column, as `input.count`. */
  [input: string]: unknown;
}

const columns = new Set(
  "program outcome count probability low high value standardError shots spin energy occurrences time constraint".split(
    " ",
  ),
);

/** The values of a program's inputs as columns of a row, none of which has the name of another column. */
export function inputColumns(inputs: Inputs): { [column: string]: InputValue } {
  return Object.fromEntries(
    Object.entries(inputs).map(([name, value]) => [columns.has(name) ? `input.${name}` : name, value]),
  );
}
