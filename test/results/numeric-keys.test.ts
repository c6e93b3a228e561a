import fc from "fast-check";
import { expect, test } from "vitest";
import { toBitStrings } from "../../src/results/index.ts";

const widths = fc.integer({ min: 2, max: 70 });
const numbers = widths.chain(width =>
  fc.tuple(
    fc.constant(width),
    fc.uniqueArray(fc.bigInt({ min: 0n, max: 2n ** BigInt(width) - 1n }), { minLength: 1 }),
  ),
);
const bits = (number: bigint, width: number) => number.toString(2).padStart(width, "0");
const counts = (keys: readonly string[]) => Object.fromEntries(keys.map((key, index) => [key, index + 1]));

test("hexadecimal keys of any width become bit strings", () => {
  fc.assert(
    fc.property(numbers, ([width, values]) => {
      const written = counts(values.map(value => `0x${value.toString(16)}`));
      expect(toBitStrings(written, width)).toEqual(counts(values.map(value => bits(value, width))));
    }),
  );
});

test("decimal keys become bit strings unless they may be bits themselves", () => {
  fc.assert(
    fc.property(numbers, ([width, values]) => {
      const keys = values.map(String);
      const unclear = keys.every(key => /^[01]+$/.test(key));
      const expected = unclear
        ? Object.keys(toBitStrings(counts(keys), width))
        : values.map(value => bits(value, width));
      expect(Object.keys(toBitStrings(counts(keys), width)).sort()).toEqual(expected.sort());
    }),
  );
});

test.each<[string, string[], number, string[]]>([
  ["decimals", ["0", "5"], 3, ["000", "101"]],
  [
    "bits without leading zeros, which no decimals of 2 bits can be",
    ["0", "1", "10", "11"],
    2,
    ["00", "01", "10", "11"],
  ],
  ["prefixed bits", ["0b0", "0b101"], 3, ["000", "101"]],
  ["bits of the width already", ["10", "11"], 2, ["10", "11"]],
  ["registers apart", ["1 0", "0 1"], 2, ["1 0", "0 1"]],
  ["bits of another width", ["0", "1"], 3, ["0", "1"]],
  ["what could be either", ["1", "10", "11"], 4, ["1", "10", "11"]],
  ["a number that does not fit", ["0", "9"], 3, ["0", "9"]],
  ["other alphabets", ["gr", "er"], 2, ["gr", "er"]],
  ["a mixture", ["0x1", "7"], 3, ["0x1", "7"]],
])("%s: %j of %i bits are %j", (_, keys, width, expected) => {
  expect(Object.keys(toBitStrings(counts(keys), width)).sort()).toEqual(expected.sort());
});

test("keys that name one number in two ways are added up", () => {
  expect(toBitStrings({ "0x1": 2, "0x01": 3 }, 2)).toEqual({ "01": 5 });
});
