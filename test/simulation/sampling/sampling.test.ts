import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  bitStrings,
  countCodes,
  selectBits,
  wordsOf,
  writeCodesOfColumns,
} from "../../../src/simulation/sampling/codes.ts";
import {
  binomial,
  drawWeighted,
  orderedUniforms,
  permutation,
} from "../../../src/simulation/sampling/draws.ts";
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

describe("drawing places of a list", () => {
  test.each([
    [10, 400],
    [100_000, 20],
  ])("%i times follows its weights", (shots, runs) => {
    const weights = Float64Array.of(0, 0.1, 3, 0.5, 0, 1e-9, 4, 0);
    const totals = new Float64Array(weights.length);
    for (let run = 0; run < runs; run++) {
      const places = drawWeighted(weights, shots, philox(run), 0, 2);
      expect(places).toEqual(places.toSorted());
      for (const place of places) totals[place]!++;
    }
    const expected = weights.map(weight => (weight / 7.6) * runs * shots);
    const chiSquare = [1, 2, 3, 6].reduce(
      (sum, i) => sum + (totals[i]! - expected[i]!) ** 2 / expected[i]!,
      0,
    );
    expect(chiSquare).toBeLessThan(43);
    expect(totals[0]! + totals[4]! + totals[7]!).toBe(0);
  });
});

test("the largest uniform number draws as many successes as are likely at least once", () => {
  expect(binomial(10_000_000, 1e-7, () => 1 - 2 ** -53)).toBeLessThan(40);
});

test.each([
  [12, 0.3],
  [40, 0.93],
  [60, 0.4],
  [1000, 0.012],
])("successes of %i trials of probability %f are distributed binomially", (n, p) => {
  const draws = 40_000;
  const random = philox(3);
  let drawn = 0;
  const found = new Float64Array(n + 1);
  for (let i = 0; i < draws; i++) found[binomial(n, p, () => random.uniform(drawn++, 0, 0))]!++;
  let share = (1 - p) ** n;
  let [chiSquare, cells, rare, rareFound] = [0, 0, 0, 0];
  for (let k = 0; k <= n; k++) {
    if (share * draws < 10) {
      rare += share * draws;
      rareFound += found[k]!;
    } else {
      chiSquare += (found[k]! - share * draws) ** 2 / (share * draws);
      cells++;
    }
    share *= ((n - k) / (k + 1)) * (p / (1 - p));
  }
  if (rare > 0) chiSquare += (rareFound - rare) ** 2 / rare;
  expect(chiSquare).toBeLessThan(cells + 7 * Math.sqrt(2 * cells) + 20);
});

const columnsOf = (numBits: number, numShots: number) =>
  fc.array(
    fc.array(fc.nat({ max: 2 ** 32 - 1 }), {
      minLength: Math.ceil(numShots / 32),
      maxLength: Math.ceil(numShots / 32),
    }),
    { minLength: numBits, maxLength: numBits },
  );

test("columns of bits become codes, their counts and strings, for any number of bits", () => {
  const sizes = fc.tuple(fc.nat({ max: 80 }), fc.integer({ min: 1, max: 70 }));
  const given = sizes.chain(([bits, shots]) =>
    fc.tuple(
      fc.constant(shots),
      columnsOf(bits, shots),
      fc.array(fc.nat({ max: 2 }), { minLength: bits, maxLength: bits }),
    ),
  );
  fc.assert(
    fc.property(given, ([shots, lists, kinds]) => {
      const columns = lists.map((list, i) =>
        Uint32Array.from(list, word => (kinds[i] === 0 ? word : kinds[i] === 1 ? 0 : 0xffffffff)),
      );
      const words = wordsOf(columns.length);
      const codes = new Uint32Array(shots * words);
      const cut = Math.min(32, shots);
      writeCodesOfColumns(columns, { from: 0, to: cut }, codes, 0);
      writeCodesOfColumns(columns, { from: 32, to: shots }, codes, cut);
      const rows = Array.from({ length: shots }, (_, i) =>
        columns.map(column => (column[i >> 5]! >>> (i & 31)) & 1),
      );
      const blank = new Uint8Array(columns.length);
      expect(bitStrings(codes, blank, [...blank.keys()])).toEqual(rows.map(row => row.join("")));

      const varying = columns.map((_, bit) => rows.some(row => row[bit] !== rows[0]![bit]));
      const all = varying.filter(Boolean).length > 32;
      const shown = rows.map(row => row.filter((_, bit) => all || varying[bit]).join(""));
      const width = shown[0]!.length;
      const selected = selectBits(codes, columns.length).codes;
      const counted = countCodes(selected, wordsOf(width));
      const own = new Uint8Array(width);
      const keys = bitStrings(counted.codes, own, [...own.keys()]);
      expect(keys).toEqual([...new Set(shown)].sort());
      expect([...counted.counts]).toEqual(keys.map(key => shown.filter(each => each === key).length));
    }),
  );
});

test("many codes of several words are counted as few are", () => {
  const codes = Uint32Array.from(
    { length: 3 * 5000 },
    (_, i) => Math.floor(philox(7).uniform(i % 3000, i % 3, 1) * 2 ** 32) & 0x8421_0001,
  );
  const { codes: once, counts } = countCodes(codes, 3, new Uint32Array(5000).fill(2));
  const found = new Map<string, number>();
  for (let i = 0; i < 5000; i++) {
    const key = [0, 1, 2].map(word => codes[3 * i + word]!.toString().padStart(10, "0")).join();
    found.set(key, (found.get(key) ?? 0) + 2);
  }
  const sorted = [...found].sort(([a], [b]) => (a < b ? -1 : 1));
  expect([...counts]).toEqual(sorted.map(([, count]) => count));
  expect([...once]).toEqual(sorted.flatMap(([key]) => key.split(",").map(Number)));
});
