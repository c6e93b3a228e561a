import fc from "fast-check";
import { Result } from "../../src/notebook/results/result.ts";

/** Numbers of outcomes. */
export type Values = { [outcome: string]: number };

/** A result of counts. */
export const counted = (measurementCounts: Values, more: object = {}): Result =>
  Result.from({ resultData: { measurementCounts, ...more } });

/** A result of exact probabilities. */
export const exactResult = (measurementProbabilities: Values): Result =>
  Result.from({ resultData: { measurementProbabilities } });

/** The title of the axis of outcomes of a result's histogram. */
export const axisOf = (result: Result): string =>
  (result.histogram().spec.encoding as { x: { axis: { title: string } } }).x.axis.title;

/** Counts of bit strings that all have one width. */
export const counts = fc
  .integer({ min: 1, max: 7 })
  .chain(width =>
    fc.dictionary(
      fc.string({ unit: fc.constantFrom("0", "1"), minLength: width, maxLength: width }),
      fc.integer({ min: 1, max: 500 }),
      { minKeys: 1 },
    ),
  );

/** The width of the bit strings of some counts. */
export const widthOf = (values: Values): number => Object.keys(values)[0]!.length;
