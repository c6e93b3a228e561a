import { describe, expect, test } from "vitest";
import { layoutOf, locate } from "../../src/results/index.ts";

const registers = [
  { name: "c", size: 2 },
  { name: "a", size: 1 },
];

describe("the layout of outcomes", () => {
  test("is that of the declared registers where they agree", () => {
    expect(layoutOf({ "0 11": 1 }, registers)).toMatchObject({
      registers,
      bits: [0, 1, 2],
      offsets: [3, 2, 0],
    });
    expect(layoutOf({ "0 1": 1 }, registers, [1, 2])).toMatchObject({ registers, bits: [1, 2] });
  });

  test("is read from the spaces where they don't", () => {
    const nameless = [
      { name: "", size: 3 },
      { name: "", size: 1 },
    ];
    expect(layoutOf({ "0 111": 1 }, registers)?.registers).toEqual(nameless);
    expect(layoutOf({ "0 111": 1 }, registers, [0, 1, 2, 9])?.registers).toEqual(nameless);
    expect(layoutOf({ "0": 1 }, [{ name: "c", size: 2 ** 52 }])?.bits).toEqual([0]);
  });

  test("is unknown when outcomes have different shapes", () => {
    expect(layoutOf({ "00": 1, "000": 1 })).toBeUndefined();
    expect(layoutOf({ "0 0": 1, "000": 1 })).toBeUndefined();
    expect(layoutOf({ "😀": 1 })).toBeUndefined();
  });

  test("has no bits when there are no outcomes", () => {
    expect(layoutOf({}, registers)?.bits).toEqual([]);
  });
});

test("a bit of the program is found in its register", () => {
  expect(locate(registers, 1)).toEqual({ register: 0, index: 1 });
  expect(locate(registers, 2)).toEqual({ register: 1, index: 0 });
});
