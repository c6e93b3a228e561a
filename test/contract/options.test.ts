import { describe, expect, test } from "vitest";
import {
  anyValue,
  checkOptions,
  finiteNumber,
  flag,
  list,
  nearestName,
  oneOf,
  stringValue,
  wholeNumber,
} from "../../src/contract/options.ts";

const checks = {
  top: wholeNumber(1),
  sort: anyValue,
  width: finiteNumber,
  as: oneOf("counts", "probabilities"),
  logarithmic: flag,
  title: stringValue,
  qubits: list,
};
const check = (options: object) => () =>
  checkOptions(options as { [name in keyof typeof checks]?: unknown }, checks);

describe("checkOptions", () => {
  test("lets through what exists, what is undefined, and nothing at all", () => {
    check({ top: 3, sort: "x", width: 1.5, as: "counts", logarithmic: true, title: "", qubits: [] })();
    check({ top: undefined })();
    checkOptions(undefined, checks);
  });

  test.each([
    [{ tpo: 3 }, 'Unknown option "tpo". Did you mean "top"?'],
    [{ Logarithmic: true }, 'Did you mean "logarithmic"?'],
    [
      { colour: "red" },
      'Unknown option "colour". Options: top, sort, width, as, logarithmic, title, qubits.',
    ],
    [{ toString: 1 }, 'Unknown option "toString"'],
    [{ top: -1 }, "top must be a whole number, 1 or more, not -1."],
    [{ top: "3" }, 'top must be a whole number, 1 or more, not "3".'],
    [{ width: Number.NaN }, "width must be a number, not NaN."],
    [{ as: "count" }, 'as must be "counts" or "probabilities", not "count".'],
    [{ logarithmic: 1 }, "logarithmic must be true or false, not 1."],
    [{ qubits: {} }, "qubits must be a list, not an object."],
    [{ title: null }, "title must be a string, not null."],
    [[], "Options must be an object such as { top: … }."],
  ])("refuses %j by name", (options, message) => {
    expect(check(options)).toThrow(RangeError);
    expect(check(options)).toThrow(message);
  });
});

test("the nearest name is found through a slip of the hand, and none for another word", () => {
  expect(nearestName("sead", ["seed", "memory"])).toBe("seed");
  expect(nearestName("memroy", ["seed", "memory"])).toBe("memory");
  expect(nearestName("shots", ["seed", "memory"])).toBeUndefined();
  expect(nearestName("x".repeat(100_000), ["seed"])).toBeUndefined();
});
