import fc from "fast-check";
import { expect, test } from "vitest";
import { distancesOf, probabilitiesOf } from "../../src/results/index.ts";

const counts = fc.dictionary(
  fc.constantFrom("00", "01", "10", "11", "__proto__", "constructor"),
  fc.integer({ min: 0, max: 99 }),
  { minKeys: 1 },
);

test("equal distributions are 0 apart, disjoint ones 1", () => {
  expect(distancesOf({ "0": 5, "1": 5 }, { "1": 7, "0": 7 })).toEqual({
    totalVariation: 0,
    hellinger: 0,
    fidelity: 1,
  });
  const far = { totalVariation: 1, hellinger: 1, fidelity: 0 };
  expect(distancesOf({ "0": 1 }, { "1": 1 })).toEqual(far);
  expect(distancesOf({ "0": 1 }, {})).toEqual(far);
  expect(distancesOf({}, {}).totalVariation).toBe(0);
});

test("they agree with worked examples", () => {
  expect(distancesOf({ "0": 1, "1": 1 }, { "0": 3, "1": 1 }).totalVariation).toBeCloseTo(0.25, 12);
  const { hellinger, fidelity } = distancesOf({ "0": 0.36, "1": 0.64 }, { "0": 1 });
  expect(hellinger).toBeCloseTo(Math.sqrt(0.4), 12);
  expect(fidelity).toBeCloseTo(0.36, 12);
});

test("counts are as far apart as their shares, and zeros make no difference", () => {
  fc.assert(
    fc.property(counts, counts, (a, b) => {
      const [far, shares] = [distancesOf(a, b), distancesOf(probabilitiesOf(a), probabilitiesOf(b))];
      expect(far.totalVariation).toBeCloseTo(shares.totalVariation, 12);
      expect(far.fidelity).toBeCloseTo(shares.fidelity, 12);
      const seen = Object.fromEntries(Object.entries(b).filter(([, count]) => count > 0));
      expect(distancesOf(a, seen).totalVariation).toBeCloseTo(far.totalVariation, 12);
    }),
  );
});

test("the two distances are metrics from 0 to 1", () => {
  fc.assert(
    fc.property(counts, counts, counts, (a, b, c) => {
      const [ab, ba, bc, ac] = [distancesOf(a, b), distancesOf(b, a), distancesOf(b, c), distancesOf(a, c)];
      for (const name of ["totalVariation", "hellinger"] as const) {
        expect(ab[name]).toBeGreaterThanOrEqual(0);
        expect(ab[name]).toBeLessThanOrEqual(1);
        expect(ab[name]).toBeCloseTo(ba[name], 12);
        expect(ac[name]).toBeLessThanOrEqual(ab[name] + bc[name] + 1e-9);
        expect(distancesOf(a, a)[name]).toBe(0);
      }
    }),
  );
});

test("they bound each other, H² ≤ TV ≤ √2 H, and fidelity is (1 − H²)²", () => {
  fc.assert(
    fc.property(counts, counts, (a, b) => {
      const { totalVariation, hellinger, fidelity } = distancesOf(a, b);
      expect(hellinger ** 2).toBeLessThanOrEqual(totalVariation + 1e-12);
      expect(totalVariation).toBeLessThanOrEqual(Math.SQRT2 * hellinger + 1e-12);
      expect(fidelity).toBeCloseTo((1 - hellinger ** 2) ** 2, 12);
    }),
  );
});
