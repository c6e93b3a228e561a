import fc from "fast-check";
import { expect, test } from "vitest";
import { compareOutcomes, topOutcomes } from "../../src/results/index.ts";

test("finds what a full sort would find", () => {
  const counts = fc.dictionary(fc.string({ maxLength: 6 }), fc.nat({ max: 9 }), { maxKeys: 60 });
  fc.assert(
    fc.property(counts, fc.nat({ max: 20 }), (values, n) => {
      const sorted = Object.entries(values)
        .filter(([, value]) => value > 0)
        .map(([outcome, value]) => ({ outcome, value }))
        .sort((a, b) => b.value - a.value || compareOutcomes(a.outcome, b.outcome));
      const found = topOutcomes(values, n);
      expect(found.top).toEqual(sorted.slice(0, n));
      expect(found.outcomes).toBe(sorted.length);
      expect(found.rest.outcomes).toBe(Math.max(0, sorted.length - n));
      expect(found.rest.value).toBe(sorted.slice(n).reduce((sum, { value }) => sum + value, 0));
    }),
  );
});

test("reads 2^17 outcomes without sorting them", () => {
  const values: { [outcome: string]: number } = {};
  for (let index = 0; index < 2 ** 17; index++)
    values[index.toString(2).padStart(17, "0")] = 1 + (index % 977);
  const start = performance.now();
  const { top, rest, outcomes } = topOutcomes(values, 32);
  const chosen = performance.now();
  Object.entries(values).sort(([, a], [, b]) => b - a);
  expect(chosen - start).toBeLessThan(performance.now() - chosen);
  expect(top).toHaveLength(32);
  expect(top.every(({ value }) => value === 977)).toBe(true);
  expect(rest.outcomes).toBe(outcomes - 32);
});
