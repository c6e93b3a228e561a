import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type EnergyOptions, energies } from "../../src/charts/index.ts";
import { hostileTexts } from "../display/records.ts";
import { specificationCheck } from "./schema.ts";

type Levels = [energy: number | null, occurrences: number][];
interface DrawnRow {
  from: number;
  to: number;
  found: number;
  kind: string;
}

const draw = (levels: Levels, options?: EnergyOptions) =>
  energies({ solutions: levels.map(([energy, occurrences]) => ({ energy, occurrences })) }, options);
const rowsOf = (levels: Levels, options?: EnergyOptions) =>
  (draw(levels, options).spec as unknown as { data: { values: DrawnRow[] } }).data.values;
const textsOf = (svg: string) => [...svg.matchAll(/>([^<>]+)</g)].map(match => match[1]);

const spread: Levels = Array.from({ length: 500 }, (_, index) => [-10 + index / 25, 1]);

describe("a chart of energies", () => {
  test("has a bar an energy where they are few, as high as the energy was found often", () => {
    const rows = rowsOf([
      [-1, 2],
      [-3, 1],
      [-1, 5],
      [2, 4],
    ]);
    expect(rows.map(({ from, to, found, kind }) => [from, to, found, kind])).toEqual([
      [-3, -3, 1, "lowest"],
      [-1, -1, 7, "other"],
      [2, 2, 4, "other"],
    ]);
  });

  test("has bars of a round width where they are many, or where that is asked for", () => {
    const rows = rowsOf(spread);
    expect(rows).toHaveLength(20);
    expect(rows[0]).toMatchObject({ from: -10, to: -9, found: 25, kind: "lowest" });
    expect(
      rowsOf(
        [
          [0, 1],
          [10, 1],
        ],
        { bins: 2 },
      ).map(({ from, to }) => [from, to]),
    ).toEqual([
      [0, 5],
      [10, 15],
    ]);
    expect(
      rowsOf([
        [0, 1],
        [1e-3, 1],
        [100, 1],
      ]).every(({ from, to }) => to > from),
    ).toBe(true);
  });

  test("says what is drawn, and marks the lowest energy in words", () => {
    const texts = textsOf(
      draw([
        [-12.5, 3],
        [-1, 1],
      ]).toSVG(),
    );
    expect(texts).toEqual(expect.arrayContaining(["energy", "times found", "▲ lowest: −12.5"]));
    expect(texts).toContain("2 solutions · 4 samples · lowest energy −12.5, found 3 times");
    expect(
      draw([
        [-12.5, 3],
        [-1, 1],
      ]).toText(),
    ).toMatch(/−12.5 .* 3 {2}lowest\n/);
    expect(draw([[-12.5, 3]]).table().text).toMatch(/−12.5 +3 +100.0 %/);
    expect(draw([]).toText()).toContain("no solutions");
    expect(textsOf(draw([[null, 1]]).toSVG())).toContain("no solutions");
  });

  test("holds every occurrence once, in bars that do not overlap, whatever the energies", () => {
    const levels = fc.array(
      fc.tuple(
        fc.oneof(fc.double({ noNaN: true }), fc.integer(), fc.constant(null)),
        fc.integer({ min: 1, max: 99 }),
      ),
    );
    fc.assert(
      fc.property(levels, fc.option(fc.integer({ min: 1, max: 400 }), { nil: undefined }), (given, bins) => {
        const finite = given.filter(([energy]) => energy !== null && Math.abs(energy) <= 1e150);
        const rows = rowsOf(given as Levels, { bins });
        const drawn = rows.filter(({ found }) => found > 0);
        expect(drawn.reduce((sum, { found }) => sum + found, 0)).toBe(
          finite.reduce((sum, [, n]) => sum + n, 0),
        );
        expect(drawn.filter(({ kind }) => kind === "lowest")).toHaveLength(finite.length > 0 ? 1 : 0);
        expect(drawn.length).toBeLessThanOrEqual(258);
        for (const [index, row] of drawn.slice(1).entries())
          expect(row.from).toBeGreaterThanOrEqual(drawn[index]!.to);
        expect(
          draw(given as Levels, { bins })
            .toText(40)
            .split("\n")
            .every(line => line.length <= 40),
        ).toBe(true);
      }),
    );
  });

  test("energies that differ by less than a number can be divided stand in bars of a width", () => {
    const rows = rowsOf(
      [
        [-Number.MIN_VALUE, 1],
        [0, 1],
      ],
      { bins: 1 },
    );
    expect(rows.map(({ found }) => found)).toEqual([1, 1]);
    expect(rows.every(({ from, to }) => to > from)).toBe(true);
  });

  test("refuses options that do not exist, and bins that can't be", () => {
    expect(() => draw(spread, { bins: 0 })).toThrow("bins must be a whole number, 1 or more, not 0.");
    expect(() => draw(spread, { binz: 3 } as EnergyOptions)).toThrow('"binz". Did you mean "bins"?');
  });

  test("shows hostile words as text", () => {
    for (const text of hostileTexts) {
      const chart = energies({ solutions: [{ energy: 1, occurrences: 1 }], title: text, details: [text] });
      expect(chart.toSVG()).not.toMatch(/<script|<img|<style|onload="|onerror="/);
      expect(chart.toText()).not.toMatch(/(?!\n)\p{Cc}/u);
    }
  });

  test("has a valid specification", () => {
    const valid = specificationCheck();
    for (const levels of [
      [],
      [[0, 1]],
      [
        [0, 1],
        [3, 2],
      ],
      spread,
    ] as Levels[])
      expect(valid(draw(levels).spec)).toBe(true);
  });
});
