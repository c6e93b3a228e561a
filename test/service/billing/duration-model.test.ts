import fc from "fast-check";
import { expect, test } from "vitest";
import { type ObservedRun, predictDuration, type RunSize } from "../../../src/service/billing/price.ts";

/** Runs of every mixture of few and many programs and shots. */
const varied: RunSize[] = [1, 3, 40, 2000].flatMap(programs =>
  [10, 1000, 20_000].map(shots => ({ programs, shots })),
);
const taking = (perTask: number, perShot: number): ObservedRun[] =>
  varied.map(run => ({ ...run, microseconds: perTask + perShot * run.programs * run.shots }));

test("runs that take a time for any, and a time for each shot, are predicted, whatever those are", () => {
  const perTask = fc.integer({ min: 0, max: 1e7 });
  const perShot = fc.double({ min: 0.1, max: 1000, noNaN: true });
  fc.assert(
    fc.property(perTask, perShot, (task, shot) => {
      const predicted = predictDuration(taking(task, shot), task, { programs: 500, shots: 300 });
      expect(predicted / (task + 150_000 * shot)).toBeCloseTo(1, 4);
    }),
  );
});

test("a few runs that took a hundred times as long do not move the prediction", () => {
  const runs = taking(2000, 250);
  const batch = { programs: 2000, shots: 1000 };
  const disturbed = runs.with(3, { ...runs[3]!, microseconds: 100 * runs[3]!.microseconds });
  expect(predictDuration(disturbed, 2000, batch)).toBeCloseTo(predictDuration(runs, 2000, batch));
});

test("without runs, only the time for any run is predicted", () => {
  expect(predictDuration([], 1000, { programs: 3, shots: 100 })).toBe(1000);
});
