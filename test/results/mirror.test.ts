import fc from "fast-check";
import { expect, test } from "vitest";
import { areReversedCounts } from "../../src/results/index.ts";

const turned = (values: { [outcome: string]: number }) =>
  Object.fromEntries(
    Object.entries(values).map(([outcome, value]) => [[...outcome].reverse().join(""), value]),
  );

test("a few shots of a deterministic program decide, noise or not", () => {
  expect(areReversedCounts({ "01": 5 }, { "01": 1 })).toBe(false);
  expect(areReversedCounts({ "10": 5 }, { "01": 1 })).toBe(true);
  expect(areReversedCounts({ "10": 80, "00": 15, "11": 5 }, { "01": 1 })).toBe(true);
});

test("too few shots, a symmetric program, and counts of something else do not", () => {
  expect(areReversedCounts({ "01": 3 }, { "01": 1 })).toBeUndefined();
  expect(areReversedCounts({ "00": 503, "11": 497 }, { "00": 0.5, "11": 0.5 })).toBeUndefined();
  expect(areReversedCounts({ "000": 900, "001": 100 }, { "011": 1 })).toBeUndefined();
});

test("a slight difference is not taken for the order of bits, be it ever so significant", () => {
  const exact = { "00": 0.5, "01": 0.24, "10": 0.26 };
  expect(areReversedCounts({ "00": 500_000, "01": 260_000, "10": 240_000 }, exact)).toBeUndefined();
});

test("mirrored counts always lead to the opposite verdict", () => {
  const outcomes = fc.dictionary(
    fc.string({ unit: fc.constantFrom("0", "1"), minLength: 3, maxLength: 3 }),
    fc.integer({ min: 1, max: 2000 }),
    { minKeys: 1 },
  );
  fc.assert(
    fc.property(outcomes, outcomes, (counts, exact) => {
      const verdict = areReversedCounts(counts, exact);
      expect(areReversedCounts(turned(counts), exact)).toBe(verdict === undefined ? undefined : !verdict);
    }),
  );
});
