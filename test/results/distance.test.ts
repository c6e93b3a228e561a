import fc from "fast-check";
import { expect, test } from "vitest";
import { hellingerDistance, probabilitiesOf, totalVariation } from "../../src/results/index.ts";

test("equal distributions are 0 apart, disjoint ones 1", () => {
  expect(totalVariation({ "0": 0.5, "1": 0.5 }, { "1": 0.5, "0": 0.5 })).toBe(0);
  expect(totalVariation({ "0": 1 }, { "1": 1 })).toBe(1);
  expect(hellingerDistance({ "0": 1 }, { "0": 1 })).toBe(0);
  expect(hellingerDistance({ "0": 1 }, { "1": 1 })).toBe(1);
});

test("both agree with worked examples", () => {
  expect(totalVariation({ "0": 0.5, "1": 0.5 }, { "0": 0.75, "1": 0.25 })).toBeCloseTo(0.25, 12);
  expect(hellingerDistance({ "0": 0.36, "1": 0.64 }, { "0": 1 })).toBeCloseTo(Math.sqrt(0.4), 12);
});

test("the two bound each other: H² ≤ TV ≤ √2 H", () => {
  const counts = fc.dictionary(fc.constantFrom("00", "01", "10", "11"), fc.integer({ min: 1, max: 99 }), {
    minKeys: 1,
  });
  fc.assert(
    fc.property(counts, counts, (a, b) => {
      const [p, q] = [probabilitiesOf(a), probabilitiesOf(b)];
      const [far, hellinger] = [totalVariation(p, q), hellingerDistance(p, q)];
      expect(hellinger ** 2).toBeLessThanOrEqual(far + 1e-12);
      expect(far).toBeLessThanOrEqual(Math.SQRT2 * hellinger + 1e-12);
    }),
  );
});
