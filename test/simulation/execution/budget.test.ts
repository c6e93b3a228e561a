import { expect, test } from "vitest";
import { AttemptExceededError } from "../../../src/simulation/errors.ts";
import { limitAttempt, startBudget } from "../../../src/simulation/execution/limits.ts";
import { LimitExceededError } from "../../../src/simulation/index.ts";

/** Returns the error of a run that is out of time, as it is told at a place of its program. */
function stopped(reached: number): string {
  const meter = startBudget({ maxOperations: 100, maxMilliseconds: 2000, startTime: -5000, reached });
  meter.spend(0);
  try {
    meter.work(2 ** 21, 0);
  } catch (error) {
    if (error instanceof LimitExceededError) return error.within("4:1", undefined).message;
  }
  return "";
}

test("a run that is out of time says how far it was, or the attempt that had come farther", () => {
  expect(stopped(0)).toBe(
    "4:1: The program was stopped after 2 s, 0 operations into its run. It had come to this operation.",
  );
  expect(stopped(8123)).toBe(
    "The program was stopped after 2 s, 8,123 operations into its run with the method that came the farthest.",
  );
});

test("an attempt goes on for as long as it is given more, and is asked after how many operations", () => {
  const meter = startBudget({ maxOperations: 100, maxMilliseconds: 60_000 });
  const asked: number[] = [];
  const limited = limitAttempt(meter, {
    microseconds: 100,
    cost: { operation: 10, number: 1 },
    extend(operations) {
      asked.push(operations);
      return asked.length < 3 ? 100 * 2 ** asked.length : 0;
    },
  });
  const spendAll = () => {
    for (;;) limited.spend(15);
  };
  expect(spendAll).toThrow(AttemptExceededError);
  expect(asked).toEqual([5, 9, 17]);
});
