import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { visitBitStrings } from "../../../src/simulation/sampling/bit-strings.ts";
import { orderedUniforms, permutation } from "../../../src/simulation/sampling/ordered.ts";
import { drawIndices } from "../../../src/simulation/sampling/outcomes.ts";
import { philox } from "../../../src/simulation/sampling/philox.ts";

describe("random numbers", () => {
  test("are those of the published test vector of Philox4x32-10", () => {
    const expected = ((0x6627e8d5 >>> 6) * 2 ** 27 + (0xe169c58d >>> 5)) / 2 ** 53;
    expect(philox(0).uniform(0, 0, 0)).toBe(expected);
  });

  test("lie in [0, 1) and are spread evenly", () => {
    const bins = new Array<number>(16).fill(0);
    for (let i = 0; i < 16_000; i++) bins[Math.floor(philox(9).uniform(i, 0, 5) * 16)]!++;
    const chiSquare = bins.reduce((sum, count) => sum + (count - 1000) ** 2 / 1000, 0);
    expect(chiSquare).toBeLessThan(37.7);
  });

  test("come in ascending order with the mean of uniform ones", () => {
    const uniforms = orderedUniforms(10_000, philox(1), 0, 2);
    expect(uniforms).toEqual(uniforms.toSorted());
    expect(uniforms.reduce((sum, x) => sum + x) / 10_000).toBeCloseTo(0.5, 1);
    expect(uniforms[0]).toBeGreaterThanOrEqual(0);
    expect(uniforms.at(-1)).toBeLessThan(1);
  });

  test("make permutations", () => {
    const order = permutation(1000, philox(1), 0, 3);
    expect(order.toSorted()).toEqual(Uint32Array.from({ length: 1000 }, (_, i) => i));
    expect(order.slice(0, 10)).not.toEqual(order.toSorted().slice(0, 10));
  });
});

describe("drawing basis states", () => {
  test("takes the state whose share of the probability holds the number, across blocks", () => {
    const size = 2 ** 14;
    const re = new Float64Array(size);
    for (const place of [3, 5000, 16_383]) re[place] = 1;
    const planes = { re, im: new Float64Array(size), size };
    const uniforms = Float64Array.of(0, 0.3, 0.34, 0.66, 0.67, 0.9999999);
    expect([...drawIndices(planes, uniforms)]).toEqual([3, 3, 5000, 5000, 16_383, 16_383]);
  });
});

test("columns of bits become strings, for any number of columns and strings", () => {
  const column = fc.option(fc.array(fc.nat({ max: 2 ** 32 - 1 }), { minLength: 4, maxLength: 4 }), {
    freq: 5,
  });
  fc.assert(
    fc.property(fc.array(column, { minLength: 1, maxLength: 13 }), fc.nat({ max: 128 }), (words, count) => {
      const found: string[] = [];
      const columns = words.map(list => list && Uint32Array.from(list));
      visitBitStrings(columns, count, (text, i) => {
        found[i] = text;
      });
      const expected = Array.from({ length: count }, (_, i) =>
        columns.map(list => (list ? (list[i >> 5]! >>> (i & 31)) & 1 : " ")).join(""),
      );
      expect(found).toEqual(expected);
    }),
  );
});
