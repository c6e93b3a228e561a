import fc from "fast-check";
import { expect, test } from "vitest";
import { countInterval, intervalsOf, meanInterval } from "../../src/results/interval.ts";

test("agrees with published values of Clopper and Pearson", () => {
  const { low, high } = countInterval(81, 263);
  expect(low).toBeCloseTo(0.2527, 4);
  expect(high).toBeCloseTo(0.3676, 4);
  expect(countInterval(0, 20)).toEqual({ low: 0, high: expect.closeTo(0.1684, 4) });
  expect(countInterval(15, 148).low).toBeCloseTo(0.0578, 4);
  expect(countInterval(0, 0)).toEqual({ low: 0, high: 1 });
  expect(countInterval(5e6, 1e7).high - 0.5).toBeCloseTo((1.959964 * 0.5) / Math.sqrt(1e7), 6);
});

test("keeps within 0 and 1, and around the share that was seen", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 1e6 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (shots, share) => {
        const count = Math.round(shots * share);
        const { low, high } = countInterval(count, shots);
        expect(low).toBeGreaterThanOrEqual(0);
        expect(high).toBeLessThanOrEqual(1);
        expect(low).toBeLessThanOrEqual(count / shots);
        expect(high).toBeGreaterThanOrEqual(count / shots);
        expect(high).toBeGreaterThan(low);
      },
    ),
  );
});

test("contains the probability of every outcome that is seen in at least 95% of all runs, be it rare or frequent", () => {
  for (const shots of [20, 100, 1000, 4000])
    for (const p of [0.0001, 0.0005, 0.002, 0.005, 0.01, 0.03, 0.1, 0.3, 0.5, 0.7, 0.9, 0.99, 0.999]) {
      let [seen, covered] = [0, 0];
      let probability = (1 - p) ** shots;
      for (let count = 0; count < shots; ) {
        probability *= ((shots - count) / (count + 1)) * (p / (1 - p));
        count++;
        const { low, high } = countInterval(count, shots);
        seen += probability;
        if (low <= p && p <= high) covered += probability;
      }
      if (seen > 1e-6) expect(covered / seen, `${p} in ${shots} shots`).toBeGreaterThan(0.9499);
    }
});

test("the interval of a mean of two values is that of their probability, whatever the values are", () => {
  fc.assert(
    fc.property(
      fc
        .integer({ min: 1, max: 500 })
        .chain(n => fc.tuple(fc.integer({ min: 30, max: 530 }), fc.constant(n))),
      fc.double({ min: -5, max: 5, noNaN: true }),
      fc.double({ min: 0.1, max: 5, noNaN: true }),
      ([count, others], middle, reach) => {
        const size = count + others;
        const p = count / size;
        const mean = middle + reach * (2 * p - 1);
        const variance = 4 * reach ** 2 * p * (1 - p);
        const { low, high } = meanInterval({ mean, variance, middle, reach, size });
        const of = countInterval(count, size);
        expect(low).toBeCloseTo(middle + reach * (2 * of.low - 1), 7);
        expect(high).toBeCloseTo(middle + reach * (2 * of.high - 1), 7);
      },
    ),
  );
});

test("the interval of an approximate state contains every probability that its fidelity allows", () => {
  fc.assert(
    fc.property(
      fc.double({ min: 0, max: Math.PI / 2, noNaN: true }),
      fc.double({ min: -Math.PI / 2, max: Math.PI / 2, noNaN: true }),
      (angle, turn) => {
        const accuracy = { exact: true, fidelity: Math.cos(turn) ** 2 };
        const { "0": found } = intervalsOf({ "0": Math.cos(angle) ** 2 }, accuracy);
        const truth = Math.cos(angle + turn) ** 2;
        expect(found?.low ?? truth).toBeLessThan(truth + 1e-7);
        expect(found?.high ?? truth).toBeGreaterThan(truth - 1e-7);
      },
    ),
  );
  expect(intervalsOf({ "0": 1 }, { exact: true })).toEqual({});
});
