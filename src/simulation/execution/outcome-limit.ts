import { SimulationError } from "../errors.ts";

/** Maximum number of outcomes of a distribution that is listed. */
const MAX_OUTCOMES = 2 ** 20;

/** Throws a {@link SimulationError} where a program has more outcomes than can be listed. */
export function checkOutcomeCount(count: number): void {
  if (count > MAX_OUTCOMES)
    throw new SimulationError(
      `The program has more than ${MAX_OUTCOMES.toLocaleString("en-US")} outcomes, too many to list; ask for shots instead.`,
    );
}
