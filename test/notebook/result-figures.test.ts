import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { KetbookError } from "../../src/client/errors/index.ts";
import { Result } from "../../src/notebook/results/result.ts";
import { bundleOf } from "./bundle.ts";
import { counted, counts, exactResult } from "./counts.ts";

describe("figures", () => {
  test("entropy is between 0 and the number of bits", () => {
    fc.assert(
      fc.property(counts, values => {
        const entropy = counted(values).entropy();
        expect(entropy).toBeGreaterThanOrEqual(0);
        expect(entropy).toBeLessThanOrEqual(Math.log2(Object.keys(values).length) + 1e-9);
        expect(counted(values).marginal([0]).entropy()).toBeLessThanOrEqual(entropy + 1e-9);
      }),
    );
    expect(exactResult({ "00": 0.5, "11": 0.5 }).entropy()).toBe(1);
    expect(counted({ "0": 9 }).entropy()).toBe(0);
  });

  test("intervals hold the share of each outcome; an exact result has none", () => {
    const result = counted({ "00": 480, "11": 520 });
    const { low, high } = result.intervals()["00"]!;
    expect(low).toBeCloseTo(0.4486, 4);
    expect(high).toBeCloseTo(0.5115, 4);
    expect(exactResult({ "0": 1 }).intervals()).toEqual({});
  });

  test("a counted result is compared with an exact one", () => {
    const [noisy, ideal] = [counted({ "00": 45, "01": 10, "11": 45 }), exactResult({ "00": 0.5, "11": 0.5 })];
    expect(noisy.totalVariation(ideal)).toBeCloseTo(0.1, 12);
    expect(noisy.hellinger(ideal) ** 2).toBeCloseTo(1 - Math.sqrt(0.9), 12);
    expect(noisy.fidelity(ideal)).toBeCloseTo(0.9, 12);
  });

  test("what can't be compared is refused in words", () => {
    const result = counted({ "00": 1 });
    expect(() => result.fidelity(counted({ "000": 1 }))).toThrow(/of 2 and of 3 characters.*marginals/);
    expect(() => result.hellinger(Promise.resolve(result) as unknown as Result)).toThrow("await missing");
  });

  test("decimal and hexadecimal counts hold any width", () => {
    const wide = `1${"0".repeat(63)}`;
    const result = counted({ [wide]: 2, [wide.replace(/0$/, "1")]: 1 });
    expect(result.decimalCounts()).toEqual({ "9223372036854775808": 2, "9223372036854775809": 1 });
    expect(result.hexCounts()).toEqual({ "0x8000000000000000": 2, "0x8000000000000001": 1 });
    expect(() => counted({ gr: 1 }).decimalCounts()).toThrow('decimalCounts(): Outcome "gr"');
    expect(() => exactResult({ "0": 1 }).hexCounts()).toThrow("an exact result has probabilities");
  });

  test("zeros are listed on request", () => {
    expect(counted({ "11": 7 }).withZeros().counts).toEqual({ "00": 0, "01": 0, "10": 0, "11": 7 });
    expect(() => counted({ gr: 1 }).withZeros()).toThrow(KetbookError);
  });
});

describe("top", () => {
  const result = counted({ "00": 5, "01": 1, "10": 2, "11": 2 });

  test("gives the likeliest outcomes with their intervals, and shows them as a table", () => {
    const top = result.top(2);
    expect(top.map(({ outcome, count, probability }) => [outcome, count, probability])).toEqual([
      ["00", 5, 0.5],
      ["10", 2, 0.2],
    ]);
    expect(top[0]!.low).toBeLessThan(0.5);
    expect(bundleOf(top)["text/plain"]).toMatch(/Likeliest 2 of 4 outcomes[\s\S]*00 +5 +50.0 %/);
  });

  test("has neither counts nor intervals when it is exact", () => {
    expect([...exactResult({ "0": 1 }).top()]).toEqual([
      { outcome: "0", count: null, probability: 1, low: null, high: null },
    ]);
  });

  test("refuses a number that is not whole, or below 0", () => {
    expect(() => result.top(1.5)).toThrow("top(1.5)");
    expect(() => result.top(-1)).toThrow("top(-1): the number of outcomes must be whole, 0 or more.");
  });

  test("stands in a line", () => {
    expect(String(result.top(2))).toBe("Likeliest 2 of 4 outcomes: 00 5, 10 2");
    expect(JSON.parse(JSON.stringify(result.top(1)))).toMatchObject([{ outcome: "00", count: 5 }]);
  });
});

describe("histogram", () => {
  const result = counted({ "000": 1, "011": 5, "110": 4, "111": 3 });

  test("stands in the order of the distance to a target, the likeliest first among equals", () => {
    const lines = result
      .histogram({ sort: { target: "111" } })
      .toText()
      .split("\n")
      .slice(2);
    expect(lines.map(line => line.trim().slice(0, 3))).toEqual(["111", "011", "110", "000"]);
  });

  test.each<[object, string]>([
    [{ top: -1 }, "histogram: top must be a whole number, 1 or more, not -1."],
    [{ top: Number.NaN }, "histogram: top must be a whole number"],
    [{ tpo: 3 }, 'histogram: Unknown option "tpo". Did you mean "top"?'],
    [{ sort: "values" }, 'histogram: sort must be "value", "outcome" or an object'],
  ])("refuses %j by name", (options, message) => {
    expect(() => result.histogram(options)).toThrow(KetbookError);
    expect(() => result.histogram(options)).toThrow(message);
    expect(() => result.histogram().with(options)).toThrow(message.replace("histogram: ", ""));
  });

  test("says what it can't draw", () => {
    expect(() => result.histogram({ sort: { target: "1" } })).toThrow(
      "histogram: Outcomes of 3 and 1 symbols",
    );
    expect(() => exactResult({ "0": 1 }).histogram({ as: "counts" })).toThrow(KetbookError);
  });
});

describe("compare", () => {
  const job = { name: "noisy", deviceQrn: "ibm:emulated:qpu:perth" };
  const noisy = Result.from({ resultData: { measurementCounts: { "00": 45, "01": 10, "11": 45 } }, job });
  const ideal = exactResult({ "00": 0.5, "11": 0.5 });

  test("draws up to four results and says how far they are apart", () => {
    const chart = noisy.compare(ideal);
    expect(chart.toText()).toContain("total variation 0.100, Hellinger 0.227");
    expect(chart.toText()).toContain("noisy");
    expect(noisy.compare([ideal, ideal], { title: "Perth" }).toText()).toMatch(/^Perth/);
    expect(() => noisy.compare([ideal], { colour: 1 } as object)).toThrow('compare: Unknown option "colour"');
  });

  test("refuses other numbers, and what is no result", () => {
    expect(() => noisy.compare([])).toThrow("compare: A comparison is drawn of 2 to 4 results, not of 1.");
    expect(() => noisy.compare([ideal, ideal, ideal, ideal])).toThrow(KetbookError);
    expect(() => noisy.compare({} as Result)).toThrow("await missing");
  });
});
