import { describe, expect, test } from "vitest";
import {
  compareOutcomes,
  layoutOf,
  numberedCounts,
  numberOf,
  outcomesOf,
  probabilitiesOf,
  totalOf,
  widthOf,
  withZeros,
} from "../../src/results/index.ts";

describe("counts", () => {
  test("hold outcomes with the names of inherited members", () => {
    const counts = JSON.parse('{"__proto__": 2, "constructor": 1}');
    expect(totalOf(counts)).toBe(3);
    expect(Object.keys(probabilitiesOf(counts))).toEqual(["__proto__", "constructor"]);
  });

  test("are divided by their total, and give nothing for nothing", () => {
    expect(probabilitiesOf({ "0": 1, "1": 3 })).toEqual({ "0": 0.25, "1": 0.75 });
    expect(Object.keys(probabilitiesOf({}))).toEqual([]);
  });

  test("are listed anew until they are frozen", () => {
    const counts: { [outcome: string]: number } = { a: 1 };
    expect([outcomesOf(counts).length, totalOf(counts)]).toEqual([1, 1]);
    counts.b = 2;
    expect([outcomesOf(counts).length, totalOf(counts)]).toEqual([2, 3]);
    Object.freeze(counts);
    expect(outcomesOf(counts)).toBe(outcomesOf(counts));
    expect([totalOf(counts), totalOf(counts)]).toEqual([3, 3]);
  });

  test("count the bits of several registers without the space", () => {
    expect(widthOf("00 101")).toBe(5);
  });
});

describe("numbered outcomes", () => {
  test("read the leftmost bit as the highest, beyond 53 bits too", () => {
    expect(numberOf("110")).toBe(6);
    expect(numberOf("1 10")).toBe(6);
    expect(numberOf("1".repeat(53))).toBe(Number.MAX_SAFE_INTEGER);
    expect(numberOf("1".repeat(54))).toBe(2n ** 54n - 1n);
    expect(numberOf("gr")).toBeUndefined();
  });

  test("rename counts, adding those of the same number, and refuse what is no bit string", () => {
    expect(numberedCounts({ "10": 4, "11": 1 }, 10)).toEqual({ "2": 4, "3": 1 });
    expect(numberedCounts({ "1111 1010": 4, "11111010": 1 }, 16)).toEqual({ "0xfa": 5 });
    expect(() => numberedCounts({ gr: 1 }, 10)).toThrow(/"gr" is not a bit string/);
  });
});

describe("withZeros", () => {
  const listed = (counts: { [outcome: string]: number }) => withZeros(counts, layoutOf(counts)!);

  test("lists every outcome, registers apart", () => {
    expect(listed({ "11": 7 })).toEqual({ "00": 0, "01": 0, "10": 0, "11": 7 });
    expect(listed({ "1 1": 7 })).toEqual({ "0 0": 0, "0 1": 0, "1 0": 0, "1 1": 7 });
    expect(listed({})).toEqual({});
  });

  test("lists them in the order of their numbers, as names of members can't be", () => {
    expect(outcomesOf(listed({ "11": 7 }))).toEqual(["00", "01", "10", "11"]);
  });

  test("refuses registers too wide to list, and other alphabets", () => {
    expect(() => listed({ ["0".repeat(21)]: 1 })).toThrow(/too many to list/);
    expect(() => listed({ gr: 1 })).toThrow(/not a bit string/);
  });
});

test("outcomes are ordered as a person counts", () => {
  expect(["10", "1", "00", "gr", "0"].toSorted(compareOutcomes)).toEqual(["0", "1", "00", "10", "gr"]);
});
