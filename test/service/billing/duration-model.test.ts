import fc from "fast-check";
import { expect, test } from "vitest";
import {
  type DurationModel,
  fitDurationModel,
  type ObservedRun,
  predictDuration,
  type RunSize,
} from "../../../src/service/billing/price.ts";

const size = fc.record({
  programs: fc.integer({ min: 1, max: 2000 }),
  shots: fc.integer({ min: 0, max: 100_000 }),
});
const observed: fc.Arbitrary<ObservedRun> = fc
  .tuple(size, fc.integer({ min: 0, max: 1e10 }))
  .map(([run, microseconds]) => ({ ...run, microseconds }));
const history = fc.array(observed, { minLength: 1, maxLength: 100 });

const taking = (model: DurationModel, run: RunSize): ObservedRun => ({
  ...run,
  microseconds: Math.round(predictDuration(model, run)),
});
/** Runs of every mixture of few and many programs and shots. */
const varied: RunSize[] = [1, 3, 40, 2000].flatMap(programs =>
  [10, 1000, 20_000].map(shots => ({ programs, shots })),
);

test("runs that follow a + b·programs + c·programs·shots are predicted, whatever a, b and c", () => {
  const model = fc.record({
    perRun: fc.double({ min: 1e3, max: 1e6, noNaN: true }),
    perProgram: fc.double({ min: 1e2, max: 1e5, noNaN: true }),
    perShot: fc.double({ min: 0.1, max: 100, noNaN: true }),
  });
  fc.assert(
    fc.property(model, truth => {
      const fitted = fitDurationModel(varied.map(run => taking(truth, run)));
      for (const run of [...varied, { programs: 500, shots: 300 }]) {
        expect(predictDuration(fitted, run) / predictDuration(truth, run)).toBeCloseTo(1, 1);
      }
    }),
  );
});

test("no term is negative or endless, so that more programs and more shots never take less", () => {
  fc.assert(
    fc.property(history, size, size, (runs, a, b) => {
      const model = fitDurationModel(runs);
      for (const term of Object.values(model)) {
        expect(Number.isFinite(term)).toBe(true);
        expect(term).toBeGreaterThanOrEqual(0);
      }
      const [less, more] = [
        { programs: Math.min(a.programs, b.programs), shots: Math.min(a.shots, b.shots) },
        { programs: Math.max(a.programs, b.programs), shots: Math.max(a.shots, b.shots) },
      ];
      expect(predictDuration(model, more)).toBeGreaterThanOrEqual(predictDuration(model, less));
    }),
  );
});

test("of runs of one size, a run of that size is what they took, and a longer batch at most so many times that", () => {
  const many = fc.integer({ min: 1, max: 100 });
  const took = fc.integer({ min: 1000, max: 1e9 });
  fc.assert(
    fc.property(size, took, many, many, (run, microseconds, count, times) => {
      const model = fitDurationModel(Array(count).fill({ ...run, microseconds }));
      expect(predictDuration(model, run) / microseconds).toBeCloseTo(1, 2);
      const batch = predictDuration(model, { ...run, programs: run.programs * times }) / microseconds;
      expect(batch).toBeGreaterThan(0.99);
      expect(batch).toBeLessThan(1.01 * times);
    }),
  );
});

test("runs of one size that take twice as long are predicted to take twice as long", () => {
  const took = fc.array(fc.integer({ min: 1000, max: 1e9 }), { minLength: 1, maxLength: 30 });
  fc.assert(
    fc.property(took, size, (durations, run) => {
      const [one, two] = [1, 2].map(times => {
        const runs = durations.map(microseconds => ({ ...run, microseconds: times * microseconds }));
        return predictDuration(fitDurationModel(runs), run);
      });
      expect(two! / one!).toBeCloseTo(2, 2);
    }),
  );
});

test("a few runs that took a hundred times as long move the prediction by less than a third", () => {
  const truth = { perRun: 2000, perProgram: 500, perShot: 0.4 };
  const runs = varied.map(run => taking(truth, run));
  const batch = { programs: 2000, shots: 1000 };
  for (const at of runs.keys()) {
    const disturbed = runs.with(at, { ...runs[at]!, microseconds: 100 * runs[at]!.microseconds });
    const ratio = predictDuration(fitDurationModel(disturbed), batch) / predictDuration(truth, batch);
    expect(Math.abs(ratio - 1)).toBeLessThan(1 / 3);
  }
});

test("newer runs count more than older ones", () => {
  const run = { programs: 1, shots: 100 };
  const [quick, slow] = [1000, 4000].map(microseconds => Array(20).fill({ ...run, microseconds }));
  expect(predictDuration(fitDurationModel([...quick!, ...slow!]), run)).toBeLessThan(1200);
  expect(predictDuration(fitDurationModel([...slow!, ...quick!]), run)).toBeGreaterThan(3300);
});

test("without runs nothing is predicted", () => {
  expect(fitDurationModel([])).toEqual({ perRun: 0, perProgram: 0, perShot: 0 });
});
