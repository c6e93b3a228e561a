import { describe, expect, test } from "vitest";
import { type HistogramData, type HistogramOptions, histogram } from "../../src/charts/index.ts";
import { hostileTexts } from "../display/records.ts";
import { specificationCheck } from "./schema.ts";

interface DrawnRow {
  outcome: string;
  from: number;
  to: number;
  kind: string;
  low?: number;
  high?: number;
}

const bell: HistogramData = {
  counts: { "00": 503, "11": 497 },
  shots: 1000,
  registers: [{ name: "c", size: 2 }],
  title: "Bell pair",
  details: ["svc:svc:sim:statevector", "0.375 credits"],
};

const spread = (bits: number): HistogramData => {
  const counts: { [outcome: string]: number } = {};
  for (let index = 0; index < 2 ** bits; index++)
    counts[index.toString(2).padStart(bits, "0")] = 1 + (index % 7);
  return { counts, shots: 0 };
};

const rowsOf = (data: HistogramData, options?: HistogramOptions) =>
  (histogram(data, options).spec as unknown as { data: { values: DrawnRow[] } }).data.values;
const labelsOf = (data: HistogramData, options?: HistogramOptions) =>
  rowsOf(data, options).map(row => row.outcome);
const textsOf = (svg: string) => [...svg.matchAll(/>([^<>]+)</g)].map(match => match[1]);

describe("a histogram", () => {
  test("says what is drawn: shots, outcomes, intervals, details and the order of bits", () => {
    const texts = textsOf(histogram(bell).toSVG());
    expect(texts).toEqual(
      expect.arrayContaining(["00", "11", "503", "497", "Bell pair", "c[1] c[0]", "counts"]),
    );
    expect(texts).toContain("1,000 shots · 2 outcomes · intervals of at least 95%");
    expect(texts).toContain("svc:svc:sim:statevector · 0.375 credits");
    expect(histogram(bell).spec.description).toMatch(/^Bell pair: 00 and 11, about half each\. Bar chart of/);
  });

  test("has up to 16 outcomes in their order, more or when asked to by descending value", () => {
    const data = { counts: { "00": 1, "10": 5, "01": 3 }, shots: 9 };
    expect(labelsOf(data)).toEqual(["00", "01", "10"]);
    expect(labelsOf(data, { sort: "value" })).toEqual(["10", "01", "00"]);
    const many = Object.fromEntries(Array.from({ length: 17 }, (_, index) => [`x${index + 10}`, index + 1]));
    expect(labelsOf({ counts: many, shots: 153 })[0]).toBe("x26");
  });

  test("has a bar for each of the top, and says in words how many others there are", () => {
    const chart = histogram(spread(6), { top: 10 });
    expect(rowsOf(spread(6), { top: 10 })).toHaveLength(10);
    expect(chart.toSVG()).toMatch(/\+54 more: [\d.]+ % together, each at most [\d.]+ % ·/);
    expect(chart.toText()).toContain("+54 more");
    expect(chart.toCSV()).toContain("+54 more");
  });

  test("draws intervals in the unit of the axis", () => {
    const [first] = rowsOf(bell);
    expect(first!.low).toBeCloseTo(471.5, 0);
    expect(first!.high).toBeCloseTo(534.4, 0);
    expect(rowsOf(bell, { as: "probabilities" })[0]!.high).toBeCloseTo(0.5344, 3);
  });

  test("draws exact results without intervals, in percent, and has no counts of them", () => {
    const exact: HistogramData = { probabilities: { "0": 0.25, "1": 0.75 }, shots: 0 };
    expect(rowsOf(exact).every(row => row.high === undefined)).toBe(true);
    expect(textsOf(histogram(exact).toSVG())).toEqual(
      expect.arrayContaining(["75.0", "25.0", "probability, %", "exact · 2 outcomes"]),
    );
    expect(() => histogram(exact, { as: "counts" })).toThrow(/no counts/);
  });

  test("writes no values that would touch each other, smaller ones where those have room", () => {
    const drawn = (value: number, bars: number) => {
      const counts = Object.fromEntries(
        Array.from({ length: bars }, (_, index) => [index.toString(2).padStart(4, "0"), value - index]),
      );
      const svg = histogram({ counts, shots: 0 }).toSVG();
      const labels = [
        ...svg.matchAll(
          /translate\(([\d.]+),-?[\d.]+\)" font-family="Inter[^>]*font-size="(\d+)px"[^>]*>([\d,]+)</g,
        ),
      ];
      return labels
        .map(([, x, size, text]) => ({ x: Number(x), size: Number(size), text: text! }))
        .filter(({ text }) => Number(text.replaceAll(",", "")) > value - bars);
    };
    for (const value of [500, 7660, 76_600, 1_234_567])
      for (const bars of [2, 7, 13, 16]) {
        const labels = drawn(value, bars).toSorted((one, other) => one.x - other.x);
        for (const [index, { x, size, text }] of labels.slice(1).entries())
          expect(x - labels[index]!.x).toBeGreaterThan(text.length * size * 0.58);
      }
    expect(drawn(7660, 13).length).toBeGreaterThanOrEqual(13);
    expect(drawn(1_234_567, 16)).toHaveLength(0);
  });

  test("writes kets, or nothing, below the bars", () => {
    expect(labelsOf(bell, { labels: "ket" })).toEqual(["|00⟩", "|11⟩"]);
    expect(textsOf(histogram(bell, { labels: "none" }).toSVG())).not.toContain("00");
  });

  test("names registers in the order in which outcomes show them", () => {
    const registers = [
      { name: "a", size: 1 },
      { name: "out", size: 6 },
    ];
    const texts = textsOf(histogram({ counts: { "000000 1": 3 }, shots: 3, registers }).toSVG());
    expect(texts).toContain("out[5] … out[0]   a[0]");
  });

  test("draws other alphabets, one outcome, and no outcome at all", () => {
    expect(labelsOf({ counts: { grr: 4, ege: 6 }, shots: 10 })).toEqual(["ege", "grr"]);
    expect(textsOf(histogram({ counts: { "0": 1000 }, shots: 1000 }).toSVG())).toContain("1,000");
    expect(textsOf(histogram({ counts: {}, shots: 0 }).toSVG())).toContain("no outcomes");
    expect(histogram({ shots: 0 }).toText()).toContain("no outcomes");
  });

  test("keeps long outcomes apart after shortening them", () => {
    const middle = ["0".repeat(40), "1".repeat(40)];
    const counts = Object.fromEntries(middle.map(bits => [`1${"0".repeat(20)}${bits}${"0".repeat(20)}1`, 1]));
    const labels = labelsOf({ counts, shots: 2 });
    expect(new Set(labels).size).toBe(2);
  });

  test("writes long outcomes by the bits that tell them apart, and the others once", () => {
    const [head, middle] = ["01".repeat(20), "1".repeat(18)];
    const counts = Object.fromEntries(
      ["000", "011", "110"].map((bits, at) => [`${head}${bits[0]}${middle}${bits.slice(1)}`, 9 - at]),
    );
    const chart = histogram({ counts, shots: 24 }, { width: 480 });
    expect(textsOf(chart.toSVG())).toEqual(expect.arrayContaining(["0…00", "0…11", "1…10"]));
    expect(textsOf(chart.toSVG())).toContain(`in ${head}_${middle}__`);
    expect(chart.table().text).toContain(`${head}0${middle}11`);
    expect(chart.toText(200)).toContain(`in ${head}_${middle}__`);
  });

  test("writes long outcomes that have little in common as hexadecimal numbers", () => {
    const counts = { ["1".repeat(60)]: 3, ["0".repeat(60)]: 2, [`1${"0".repeat(59)}`]: 1 };
    expect(labelsOf({ counts, shots: 6 })).toEqual(["0".repeat(15), `8${"0".repeat(14)}`, "f".repeat(15)]);
  });

  test.each([64, 100, 256])(
    "leaves out labels that would lie over each other: %i bars in 300 pixels",
    top => {
      const chart = histogram(spread(10), { top, width: 300 });
      const { values } = (chart.bareSpec as never as { encoding: { x: { axis: { values: string[] } } } })
        .encoding.x.axis;
      expect(values.length).toBeLessThanOrEqual(26);
    },
  );

  test("calls what is no bit string an outcome", () => {
    expect(textsOf(histogram({ counts: { red: 3, abc: 1 }, shots: 4 }).toSVG())).toContain("outcome");
  });

  test("writes all probabilities of a logarithmic axis in one way", () => {
    const exact = { probabilities: { 0: 1 - 1e-9, 1: 1e-9 }, shots: 0 };
    const texts = textsOf(histogram(exact, { logarithmic: true }).toSVG());
    expect(texts).toEqual(expect.arrayContaining(["10⁻¹", "10⁻⁵", "10⁻⁹", "1.0·10⁻⁹", "100.0"]));
    const percents = textsOf(histogram(bell, { logarithmic: true, as: "probabilities" }).toSVG());
    expect(percents.some(text => text?.includes("10⁻"))).toBe(false);
  });

  test("draws a logarithmic axis", () => {
    const svg = histogram({ counts: { "0": 10_000, "1": 3 }, shots: 10_003 }, { logarithmic: true }).toSVG();
    expect(textsOf(svg)).toEqual(expect.arrayContaining(["1", "10", "100", "1,000", "10,000"]));
  });

  test("holds hostile outcomes as text", () => {
    const counts = Object.fromEntries(hostileTexts.map((text, index) => [text, index + 1]));
    const chart = histogram({ counts, shots: 120, title: hostileTexts[0], details: [...hostileTexts] });
    const svg = chart.toSVG();
    expect(svg).not.toMatch(/<script|<img|<style|onload="|onerror="|javascript:alert\(1\)"/);
    expect(chart.toText()).not.toMatch(/(?!\n)\p{Cc}/u);
    expect(chart.toHTML().match(/<script|<img/g)).toHaveLength(3);
    expect(JSON.stringify(chart.spec).length).toBeLessThan(20_000);
  });

  test("stays small for 2^14 outcomes", () => {
    const chart = histogram(spread(14));
    expect(JSON.stringify(chart.spec).length).toBeLessThan(12_000);
    expect(chart.toPNG().length).toBeLessThan(60_000);
    expect(chart.table().text.split("\n")).toHaveLength(36);
  });
});

describe("its text", () => {
  test("draws bars of block characters with counts and shares", () => {
    expect(
      histogram({ counts: { "0": 4, "1": 1 }, shots: 5 })
        .toText(50)
        .split("\n"),
    ).toEqual([
      "Measurement outcomes",
      "5 shots · 2 outcomes · intervals of at least 95%",
      `  0  ${"█".repeat(34)}  4  80.0 %`,
      `  1  ${"█".repeat(8)}▌${" ".repeat(25)}  1  20.0 %`,
    ]);
  });

  test("keeps to the width of the terminal", () => {
    for (const columns of [30, 60, 100, 200])
      for (const line of histogram(spread(12)).toText(columns).split("\n"))
        expect(line.length).toBeLessThanOrEqual(columns);
  });
});

describe("its specification", () => {
  const valid = specificationCheck();

  test.each<[string, HistogramData, HistogramOptions?]>([
    ["two outcomes", bell],
    ["many outcomes", spread(8)],
    ["exact probabilities", { probabilities: { "0": 1 }, shots: 0 }],
    ["no outcome", { counts: {}, shots: 0 }],
    ["a logarithmic axis", bell, { logarithmic: true, as: "probabilities", labels: "ket" }],
  ])("is valid and plain data for %s", (_, data, options) => {
    const { spec } = histogram(data, options);
    expect(valid(spec)).toBe(true);
    expect(JSON.parse(JSON.stringify(spec))).toEqual(spec);
    expect(spec.$schema).toBe("https://vega.github.io/schema/vega-lite/v5.json");
  });

  test("is told apart from an invalid one", () => {
    expect(valid({ ...histogram(bell).spec, layer: [{ mark: "balloon" }] })).toBe(false);
  });
});
