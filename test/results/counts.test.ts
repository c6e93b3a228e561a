import { describe, expect, test } from "vitest";
import {
  bitStringOf,
  compareOutcomes,
  decimalCounts,
  decimalOf,
  normalizeCounts,
  probabilitiesOf,
  registerWidth,
  totalOf,
  widthOf,
  withZeros,
} from "../../src/results/index.ts";

describe("counts", () => {
  test("leaves out what was never seen and keeps any alphabet", () => {
    expect(normalizeCounts({ grr: 3, gge: 0, "00 1": 2 })).toEqual({ grr: 3, "00 1": 2 });
  });

  test("names the outcome whose count makes no sense", () => {
    expect(() => normalizeCounts({ "01": -1 })).toThrow(/"01" is -1/);
    expect(() => normalizeCounts({ "01": Number.NaN })).toThrow(RangeError);
  });

  test("holds outcomes with the names of inherited members", () => {
    const counts = normalizeCounts(JSON.parse('{"__proto__": 2, "constructor": 1}'));
    expect(totalOf(counts)).toBe(3);
    expect(Object.keys(probabilitiesOf(counts))).toEqual(["__proto__", "constructor"]);
  });

  test("divides by the total, and gives nothing for nothing", () => {
    expect(probabilitiesOf({ "0": 1, "1": 3 })).toEqual({ "0": 0.25, "1": 0.75 });
    expect(Object.keys(probabilitiesOf({}))).toEqual([]);
  });

  test("counts the bits of several registers without the space", () => {
    expect(widthOf("00 101")).toBe(5);
    expect(registerWidth({ "0": 1, "00 101": 1 })).toBe(5);
    expect(registerWidth({})).toBe(0);
  });
});

describe("decimal outcomes", () => {
  test("read the leftmost bit as the highest, beyond 64 bits too", () => {
    expect(decimalOf("110")).toBe(6n);
    expect(decimalOf("1 10")).toBe(6n);
    expect(decimalOf(`1${"0".repeat(100)}`)).toBe(2n ** 100n);
    expect(decimalOf("gr")).toBeUndefined();
    expect(bitStringOf(6, 5)).toBe("00110");
  });

  test("rename counts, and refuse what is no bit string", () => {
    expect(decimalCounts({ "10": 4, "11": 1 })).toEqual({ "2": 4, "3": 1 });
    expect(() => decimalCounts({ gr: 1 })).toThrow(/"gr" is not a bit string/);
  });
});

describe("withZeros", () => {
  test("lists every outcome of the register", () => {
    expect(withZeros({ "11": 7 })).toEqual({ "00": 0, "01": 0, "10": 0, "11": 7 });
  });

  test("refuses registers too wide to list, and outcomes of another width", () => {
    expect(() => withZeros({}, 21)).toThrow(/too many to list/);
    expect(() => withZeros({ "1": 1 }, 2)).toThrow(/not a string of 2 bits/);
  });
});

test("outcomes are ordered as a person counts", () => {
  expect(["10", "1", "00", "gr", "0"].toSorted(compareOutcomes)).toEqual(["0", "1", "00", "10", "gr"]);
});
