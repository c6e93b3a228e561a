import fc from "fast-check";
import { expect, test } from "vitest";
import { wilsonInterval } from "../../src/results/index.ts";
import { meanInterval } from "../../src/results/interval.ts";

test("agrees with published values", () => {
  const { low, high } = wilsonInterval(81, 263);
  expect(low).toBeCloseTo(0.2553, 4);
  expect(high).toBeCloseTo(0.3662, 4);
  expect(wilsonInterval(0, 20).high).toBeCloseTo(0.1611, 4);
  expect(wilsonInterval(15, 148).low).toBeCloseTo(0.0624, 4);
});

test("keeps within 0 and 1, and around the share that was seen", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 1e6 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (shots, share) => {
        const count = Math.round(shots * share);
        const { low, high } = wilsonInterval(count, shots);
        expect(low).toBeGreaterThanOrEqual(0);
        expect(high).toBeLessThanOrEqual(1);
        expect(low).toBeLessThanOrEqual(count / shots);
        expect(high).toBeGreaterThanOrEqual(count / shots);
      },
    ),
  );
});

test("says nothing when there are no shots", () => {
  expect(wilsonInterval(0, 0)).toEqual({ low: 0, high: 1 });
});

test("covers rare outcomes as it promises", () => {
  const shots = 1000;
  const p = 0.001;
  let covered = 0;
  let probability = (1 - p) ** shots;
  for (let count = 0; count <= 60; count++) {
    const { low, high } = wilsonInterval(count, shots);
    if (low <= p && p <= high) covered += probability;
    probability *= ((shots - count) / (count + 1)) * (p / (1 - p));
  }
  expect(covered).toBeGreaterThan(0.9);
});

test("the interval of a mean is Wilson's where there are two values, whatever they are", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 500 }).chain(n => fc.tuple(fc.integer({ min: 0, max: n }), fc.constant(n))),
      fc.double({ min: -5, max: 5, noNaN: true }),
      fc.double({ min: 0.1, max: 5, noNaN: true }),
      ([count, size], middle, reach) => {
        const p = count / size;
        const mean = middle + reach * (2 * p - 1);
        const { low, high } = meanInterval({
          mean,
          variance: 4 * reach ** 2 * p * (1 - p),
          middle,
          reach,
          size,
        });
        const wilson = wilsonInterval(count, size);
        expect(low).toBeCloseTo(middle + reach * (2 * wilson.low - 1), 9);
        expect(high).toBeCloseTo(middle + reach * (2 * wilson.high - 1), 9);
      },
    ),
  );
});
