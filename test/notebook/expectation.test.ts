import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { KetbookError } from "../../src/client/errors/index.ts";
import { bundleOf } from "./bundle.ts";
import { counted, counts, exactResult, widthOf } from "./counts.ts";

describe("expectation", () => {
  const asked = counts.chain(values =>
    fc.tuple(
      fc.constant(values),
      fc.string({ unit: fc.constantFrom("I", "Z"), minLength: widthOf(values), maxLength: widthOf(values) }),
    ),
  );

  test("is the mean over all shots, one by one, within its interval, and close to the usual error", () => {
    fc.assert(
      fc.property(asked, ([values, observable]) => {
        const shots = Object.entries(values).flatMap(([outcome, count]) => {
          const ones = [...outcome].filter((bit, index) => observable[index] === "Z" && bit === "1");
          return Array<number>(count).fill(ones.length % 2 ? -1 : 1);
        });
        const mean = shots.reduce((sum, shot) => sum + shot, 0) / shots.length;
        const variance = shots.reduce((sum, shot) => sum + (shot - mean) ** 2, 0) / shots.length;
        const { value, standardError, low, high } = counted(values).expectation(observable);
        expect(value).toBeCloseTo(mean, 12);
        const n = shots.length;
        if (!observable.includes("Z")) {
          expect([standardError, low, high]).toEqual([0, 1, 1]);
          return;
        }
        expect(standardError).toBeCloseTo(Math.sqrt(variance / n + 1 / n ** 2) / (1 + 1 / n), 9);
        expect(low).toBeGreaterThanOrEqual(-1);
        expect(low).toBeLessThanOrEqual(value);
        expect(high).toBeGreaterThanOrEqual(value);
        expect(high - low).toBeGreaterThan(0);
      }),
    );
  });

  test("of a Bell pair's ZZ is 1, with no error when it is exact", () => {
    const bell = exactResult({ "00": 0.5, "11": 0.5 });
    expect({ ...bell.expectation("ZZ") }).toEqual({ value: 1, standardError: 0, low: 1, high: 1, shots: 0 });
    expect({ ...bell.expectation("IZ") }).toEqual({ value: 0, standardError: 0, low: 0, high: 0, shots: 0 });
    expect(String(bell.expectation("ZZ"))).toBe("1 (exact)");
    expect(counted({ "1 0": 4 }).expectation("Z I").value).toBe(-1);
  });

  test("of shots that all agree is not certain, and says so", () => {
    const certain = counted({ "00": 100 }).expectation("ZZ");
    expect(certain).toMatchObject({ value: 1, high: 1, shots: 100 });
    expect(certain.low).toBeCloseTo(2 * 0.025 ** (1 / 100) - 1, 9);
    expect(certain.standardError).toBeCloseTo(1 / 101, 12);
    expect(bundleOf(certain)["text/plain"]).toBe("1.00 [0.93, 1.00] (at least 95%, 100 shots)");
    expect(`${counted({ "0": 1 }).expectation("Z")}`).toBe("1.00 [-0.95, 1.00] (at least 95%, 1 shot)");
    expect(counted({ "1": 7 }).expectation("Z").high).toBeGreaterThan(-1);
  });

  test("of a sum is that of each shot's value, and takes the shots' own variance", () => {
    const values = counted({ "00": 40, "01": 30, "10": 20, "11": 10 });
    const sum = values.expectation("0.5*ZI - ZZ + 2");
    expect(sum.value).toBeCloseTo(0.5 * 0.4 - 0 + 2, 12);
    expect(values.expectation({ ZI: 0.5, "Z0 Z1": -1, II: 2 })).toEqual(sum);
    const shots = [1.5, 3.5, 2.5, 0.5].flatMap((value, index) => Array<number>((4 - index) * 10).fill(value));
    const variance = shots.reduce((total, shot) => total + (shot - sum.value) ** 2, 0) / 100;
    expect(sum.standardError).toBeCloseTo(Math.sqrt(variance / 100 + 1.5 ** 2 / 1e4) / 1.01, 12);
    expect(sum.low).toBeGreaterThan(0.5);
    expect(counted({ "00": 9 }).expectation("ZI + IZ")).toMatchObject({ value: 2, high: 2 });
  });

  test("numbers bits as the program does, in a marginal too", () => {
    const three = counted({ "011": 3, "001": 1 });
    expect(three.expectation("Z0 Z2").value).toBe(-1);
    expect(three.marginal([1, 2]).expectation("Z1").value).toBe(-0.5);
    expect(three.marginal([1, 2]).expectation("IZ").value).toBe(-0.5);
    expect(() => three.marginal([1, 2]).expectation("Z0")).toThrow("there is no bit 0");
  });

  test("takes X and Y where they were measured, and says which rotation is unavailable where not", () => {
    const result = counted({ "00": 1 });
    expect(result.expectation("XY", { basis: "XY" }).value).toBe(1);
    expect(result.expectation("ZX - Z1", { basis: "X0" }).value).toBe(0);
    expect(() => result.expectation("XZ")).toThrow(
      /expectation\("XZ"\): X can't be read.*bit 1 was measured in Z.*\(h\).*\{ basis: "XZ" \}/,
    );
    expect(() => result.expectation("YZ")).toThrow("sdg, then h");
    expect(() => result.expectation("ZZ", { basis: "ZX" })).toThrow("bit 0 was measured in X");
    expect(() => result.expectation("XX + ZZ", { basis: "XX" })).toThrow("No one measurement gives both");
    expect(() => result.expectation("ZZ", { bases: "ZZ" } as object)).toThrow('Did you mean "basis"?');
  });

  test("refuses other letters, widths, alphabets and sums", () => {
    const result = counted({ "00": 1 });
    expect(() => result.expectation("zz")).toThrow(
      '"z" is not an observable. Write I, X, Y or Z, in capitals',
    );
    expect(() => result.expectation("Z")).toThrow("1 letters don't fit outcomes of 2 bits");
    expect(() => result.expectation("ZZ0")).toThrow("number each letter");
    expect(() => result.expectation("Z0 Z0")).toThrow("names bit 0 twice");
    expect(() => result.expectation("ZZ -")).toThrow("lacks a Pauli string");
    expect(() => result.expectation("1e999 ZZ")).toThrow("too large");
    expect(() => result.expectation({ ZZ: Number.NaN })).toThrow('coefficient of "ZZ" must be a number');
    expect(() => result.expectation({})).toThrow("Name an observable");
    expect(() => result.expectation(null as never)).toThrow("Name an observable");
    expect(() => counted({ gr: 1 }).expectation("ZI")).toThrow('"gr" is not a bit string');
    expect(() => counted({}).expectation("")).toThrow(KetbookError);
  });
});
