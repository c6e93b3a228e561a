import { rethrowAsKetbookError } from "../../client/rethrow.ts";
import type { ObservableExpectation } from "../../contract/result.ts";
import { type Observable, simulatedExpectation } from "../../results/index.ts";
import type { Inputs } from "../programs/inputs.ts";
import type { ExpectationRow } from "./expectation-list.ts";
import { inputColumns } from "./result-row.ts";

/** A result whose simulator may have computed expectation values. */
interface Simulated {
  readonly parameters: Inputs;
  /** @internal */
  readonly simulatedExpectations: readonly ObservableExpectation[];
}

/** Returns the name of an observable. */
export const observableName = (observable: Observable): string =>
  typeof observable === "string" ? observable : JSON.stringify(observable);

/** The expectation values that simulators computed, with the values of each program's inputs. */
export function expectationRows(results: Iterable<Simulated>): ExpectationRow[] {
  return Array.from(results, ({ parameters, simulatedExpectations }, program) =>
    simulatedExpectations.map(({ observable, variance, ...mean }) => ({
      program,
      ...inputColumns(parameters),
      observable: observableName(observable),
      ...rethrowAsKetbookError("expectations", () => ({
        ...simulatedExpectation(observable, { ...mean, variance }),
        ...mean,
      })),
    })),
  ).flat();
}
