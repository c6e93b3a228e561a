import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { KetbookError } from "../../src/client/errors.ts";
import { Result } from "../../src/notebook/results/result.ts";
import { Results } from "../../src/notebook/results/results.ts";
import { bundleOf } from "./bundle.ts";

type Values = { [outcome: string]: number };

const counted = (measurementCounts: Values, more: object = {}) =>
  Result.from({ resultData: { measurementCounts, ...more } });
const exactExpectation = (measurementProbabilities: Values) =>
  Result.from({ resultData: { measurementProbabilities } });
const axisOf = (result: Result) =>
  (result.histogram().spec.encoding as { x: { axis: { title: string } } }).x.axis.title;

/** Counts of bit strings that all have one width. */
const counts = fc
  .integer({ min: 1, max: 7 })
  .chain(width =>
    fc.dictionary(
      fc.string({ unit: fc.constantFrom("0", "1"), minLength: width, maxLength: width }),
      fc.integer({ min: 1, max: 500 }),
      { minKeys: 1 },
    ),
  );
const widthOf = (values: Values) => Object.keys(values)[0]!.length;
/** Some bits of a number of bits, in any order. */
const bitsOf = (width: number) =>
  fc.uniqueArray(fc.nat({ max: width - 1 }), { minLength: 1, maxLength: width });

describe("marginal", () => {
  test("adds up what differs in the other bits", () => {
    fc.assert(
      fc.property(
        counts.chain(values => fc.tuple(fc.constant(values), bitsOf(widthOf(values)))),
        ([values, bits]) => {
          const expected: Values = {};
          for (const [outcome, count] of Object.entries(values)) {
            const kept = bits.toSorted((a, b) => b - a).map(bit => outcome[outcome.length - 1 - bit]);
            expected[kept.join("")] = (expected[kept.join("")] ?? 0) + count;
          }
          expect(counted(values).marginal(bits).counts).toEqual(expected);
        },
      ),
    );
  });

  test("of a marginal is the marginal, and the order of the bits named makes no difference", () => {
    fc.assert(
      fc.property(
        counts
          .chain(values => fc.tuple(fc.constant(values), bitsOf(widthOf(values))))
          .chain(([values, bits]) =>
            fc.tuple(fc.constant(values), fc.constant(bits), fc.subarray(bits, { minLength: 1 })),
          ),
        ([values, bits, fewer]) => {
          const result = counted(values);
          expect(result.marginal(bits).marginal(fewer).counts).toEqual(result.marginal(fewer).counts);
          expect(result.marginal(bits.toReversed()).counts).toEqual(result.marginal(bits).counts);
        },
      ),
    );
  });

  test("of all bits is the result itself", () => {
    const values = { "0 11": 3, "1 01": 5 };
    expect(counted(values).marginal([0, 1, 2]).counts).toEqual(values);
  });

  test("keeps registers apart, and names the bits below the axis", () => {
    const registers = [
      { name: "c", size: 3 },
      { name: "flag", size: 1 },
    ];
    const result = counted({ "1 011": 3, "1 001": 5, "0 111": 1 }, { registers });
    expect(axisOf(result)).toBe("flag[0]   c[2] c[1] c[0]");
    const marginal = result.marginal([0, 2, 3]);
    expect(marginal.counts).toEqual({ "1 01": 8, "0 11": 1 });
    expect(axisOf(marginal)).toBe("flag[0]   c[2] c[0]");
    expect(axisOf(marginal.marginal([2]))).toBe("c[2]");
    expect(axisOf(result.reverseBits())).toBe("c[0] c[1] c[2]   flag[0]");
  });

  test("takes the shots along, in order, and leaves the amplitudes behind", () => {
    const result = counted({ "01": 2, "11": 1 }, { measurements: ["01", "11", "01"], statevector: [1, 0] });
    const marginal = result.marginal([1]);
    expect(marginal.measurements).toEqual(["0", "1", "0"]);
    expect(marginal.statevector).toBeNull();
    expect(result.measurements).toEqual(["01", "11", "01"]);
  });

  test("says which bits there are", () => {
    const result = counted({ "000": 1 });
    expect(() => result.marginal([3])).toThrow("There is no bit 3: the bits here are 0 to 2.");
    expect(() => result.marginal([0, 2]).marginal([1])).toThrow("the bits here are 0, 2.");
    expect(() => result.marginal([1, 1])).toThrow("marginal([1, 1]): A bit is named twice.");
    expect(() => result.marginal([])).toThrow("Name one bit at least");
    expect(() => result.marginal([0.5])).toThrow(KetbookError);
    expect(() => counted({}).marginal([0])).toThrow("no outcomes");
    expect(() => counted({ ge: 1, gee: 1 }).marginal([0])).toThrow("different lengths");
  });

  test("works on exact results and other alphabets", () => {
    const exact = exactExpectation({ "00": 0.5, "10": 0.25, "11": 0.25 });
    expect(exact.marginal([1]).probabilities).toEqual({ "0": 0.5, "1": 0.5 });
    expect(exact.marginal([1]).counts).toEqual({});
    const atoms = counted({ grr: 3, gre: 2 });
    expect(atoms.marginal([0, 1]).counts).toEqual({ gr: 5 });
    expect(axisOf(atoms)).toBe("atom 0 … atom 2");
    expect(axisOf(atoms.reverseBits())).toBe("atom 2 … atom 0");
  });
});

describe("reverseBits", () => {
  test("turns every outcome round, and twice gives the result itself", () => {
    fc.assert(
      fc.property(counts, values => {
        const result = counted(values);
        const reversed = Object.entries(values).map(([outcome, n]) => [[...outcome].reverse().join(""), n]);
        expect(result.reverseBits().counts).toEqual(Object.fromEntries(reversed));
        expect(result.reverseBits().reverseBits().counts).toEqual(values);
      }),
    );
  });

  test("turns the order of registers and the label below the axis too", () => {
    const result = counted({ "0 00011": 1 });
    expect(result.reverseBits().counts).toEqual({ "11000 0": 1 });
    expect(axisOf(result)).toBe("bit 5   bit 4 … bit 0");
    expect(axisOf(result.reverseBits())).toBe("bit 0 … bit 4   bit 5");
    expect(axisOf(result.reverseBits().reverseBits())).toBe(axisOf(result));
  });

  test("leaves the bits their numbers", () => {
    expect(counted({ "001": 1 }).reverseBits().marginal([0]).counts).toEqual({ "1": 1 });
  });
});

test("outcomes that were never seen have bars of 0 when they are listed, on a logarithmic axis too", () => {
  const all = counted({ "00": 3, "11": 5 }).withZeros();
  const drawn = all.histogram({ sort: "outcome" });
  expect(drawn.table().text).toMatch(/00 +3 .*\n *01 +0 .*\n *10 +0 .*\n *11 +5 /);
  expect(drawn.with({ logarithmic: true }).toSVG()).not.toMatch(/NaN|Infinity/);
  expect(counted({ "000": 3 }).withZeros().histogram({ top: 2 }).toText()).toContain("+6 more");
  expect(counted({ "00": 3, "11": 5 }).histogram().table().text).not.toContain("01");
});

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
    const bell = exactExpectation({ "00": 0.5, "11": 0.5 });
    expect({ ...bell.expectation("ZZ") }).toEqual({ value: 1, standardError: 0, low: 1, high: 1, shots: 0 });
    expect({ ...bell.expectation("IZ") }).toEqual({ value: 0, standardError: 0, low: 0, high: 0, shots: 0 });
    expect(String(bell.expectation("ZZ"))).toBe("1 (exact)");
    expect(counted({ "1 0": 4 }).expectation("Z I").value).toBe(-1);
  });

  test("of shots that all agree is not certain, and says so", () => {
    const certain = counted({ "00": 100 }).expectation("ZZ");
    expect(certain).toMatchObject({ value: 1, high: 1, shots: 100 });
    expect(certain.low).toBeCloseTo(1 - (2 * 1.959964 ** 2) / (100 + 1.959964 ** 2), 6);
    expect(certain.standardError).toBeCloseTo(1 / 101, 12);
    expect(bundleOf(certain)["text/plain"]).toBe("1.00 [0.93, 1.00] (95 %, 100 shots)");
    expect(`${counted({ "0": 1 }).expectation("Z")}`).toBe("1.00 [-0.59, 1.00] (95 %, 1 shot)");
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
    expect(() => result.expectation("ZZ", { bases: "ZZ" } as object)).toThrow('did you mean "basis"?');
  });

  test("refuses other letters, widths, alphabets and sums", () => {
    const result = counted({ "00": 1 });
    expect(() => result.expectation("zz")).toThrow('"z" is no observable');
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
    expect(exactExpectation({ "00": 0.5, "11": 0.5 }).entropy()).toBe(1);
    expect(counted({ "0": 9 }).entropy()).toBe(0);
  });

  test("intervals hold the share of each outcome; an exact result has none", () => {
    const result = counted({ "00": 480, "11": 520 });
    const { low, high } = result.intervals()["00"]!;
    expect(low).toBeCloseTo(0.4492, 4);
    expect(high).toBeCloseTo(0.511, 4);
    expect(exactExpectation({ "0": 1 }).intervals()).toEqual({});
  });

  test("a counted result is compared with an exact one", () => {
    const [noisy, ideal] = [
      counted({ "00": 45, "01": 10, "11": 45 }),
      exactExpectation({ "00": 0.5, "11": 0.5 }),
    ];
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
    expect(() => exactExpectation({ "0": 1 }).hexCounts()).toThrow("an exact result has probabilities");
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
    expect([...exactExpectation({ "0": 1 }).top()]).toEqual([
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
    [{ tpo: 3 }, 'histogram: There is no option "tpo": did you mean "top"?'],
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
    expect(() => exactExpectation({ "0": 1 }).histogram({ as: "counts" })).toThrow(KetbookError);
  });
});

describe("compare", () => {
  const job = { name: "noisy", deviceQrn: "ibm:emulated:qpu:perth" };
  const noisy = Result.from({ resultData: { measurementCounts: { "00": 45, "01": 10, "11": 45 } }, job });
  const ideal = exactExpectation({ "00": 0.5, "11": 0.5 });

  test("draws up to four results and says how far they are apart", () => {
    const chart = noisy.compare(ideal);
    expect(chart.toText()).toContain("total variation 0.100, Hellinger 0.227");
    expect(chart.toText()).toContain("noisy");
    expect(noisy.compare([ideal, ideal], { title: "Perth" }).toText()).toMatch(/^Perth/);
    expect(() => noisy.compare([ideal], { colour: 1 } as object)).toThrow(
      'compare: There is no option "colour"',
    );
  });

  test("refuses other numbers, and what is no result", () => {
    expect(() => noisy.compare()).toThrow("compare: A comparison is drawn of 2 to 4 results, not of 1.");
    expect(() => noisy.compare(ideal, ideal, ideal, ideal)).toThrow(KetbookError);
    expect(() => noisy.compare({} as Result)).toThrow("await missing");
  });
});

describe("a result as data", () => {
  test("goes through JSON and back, whatever was done to it", () => {
    fc.assert(
      fc.property(counts, values => {
        const result = counted(values, { registers: [{ name: "c", size: widthOf(values) }] });
        for (const one of [result, result.marginal([0]), result.reverseBits()]) {
          const back = Result.from(JSON.parse(JSON.stringify(one)));
          expect(back.toJSON()).toEqual(one.toJSON());
          expect(back.histogram().toText()).toBe(one.histogram().toText());
          expect(axisOf(back)).toBe(axisOf(one));
        }
      }),
    );
  });

  test("keeps its job, cost, shots, amplitudes and what nobody knows of", () => {
    const json = {
      status: "COMPLETED",
      cost: 0.375,
      timeStamps: { createdAt: "2026-01-01T00:00:00Z", endedAt: null, executionDuration: 12 },
      resultData: {
        measurementCounts: null,
        measurementProbabilities: { "0": 1 },
        statevector: [1, 0, 0, 0],
      },
      job: { name: "ghz", shots: 0, tags: { course: "qc-1" }, custom: true },
      solutions: [1],
    };
    const result = Result.from(json);
    expect(result).toMatchObject({ cost: 0.375, shots: 0, duration: 12, statevector: [1, 0, 0, 0] });
    expect(result.toJSON()).toMatchObject(json);
  });

  test("does not change, nor with what it was made from", () => {
    const values = { "00": 1 };
    const result = counted(values);
    values["00"] = 2;
    expect(result.counts).toEqual({ "00": 1 });
    expect(() => ((result.counts as Values)["00"] = 3)).toThrow(TypeError);
  });

  test("names what is wrong in it", () => {
    const wrong: [unknown, string][] = [
      [null, "it must be an object, not null"],
      [[], "it must be an object, not a list"],
      ["{}", "JSON.parse"],
      [{}, "resultData must be an object"],
      [
        { resultData: { measurementCounts: { "0": -1 } } },
        'measurementCounts["0"] must be a number of 0 or more, not -1',
      ],
      [{ resultData: { measurementCounts: { "0": "one" } } }, 'not "one"'],
      [{ resultData: { measurementCounts: [1] } }, "measurementCounts must be an object, not a list"],
      [
        { resultData: { measurementCounts: {}, measurements: [0] } },
        "measurements[0] must be a string, a list",
      ],
      [{ resultData: { measurementCounts: {}, registers: [{}] } }, "registers[0] must be a register"],
      [
        { resultData: { measurementCounts: { "0": 1 } }, bits: [-1], context: {} },
        "bits[0] must be a whole number",
      ],
      [{ resultData: { solutions: [7] } }, "solutions[0] must be a solution with spin and energy"],
      [
        { resultData: {}, bitOrder: { order: "up" } },
        "bitOrder.order must be msb-first or lsb-first or unknown",
      ],
      [{ resultData: {}, context: { program: 7 } }, "context.program must be a string, or format and data"],
      [{ resultData: { measurementCounts: {} }, job: { name: 7 } }, "job.name must be a string, not 7"],
    ];
    for (const [json, message] of wrong) {
      expect(() => Result.from(json as object)).toThrow(KetbookError);
      expect(() => Result.from(json as object)).toThrow(message);
    }
  });

  test("is bounded", () => {
    const huge = { name: "c", size: 2 ** 40 };
    expect(() => counted({ "0": 1 }, { registers: [huge] })).toThrow("registers[0]");
    expect(() => counted({ ["0".repeat(70_000)]: 1 })).toThrow("outcome of 70000 bits");
    const many = Array.from({ length: 100 }, () => ({ name: "c", size: 60_000 }));
    expect(counted({ "0": 1 }, { registers: many }).marginal([0]).counts).toEqual({ "0": 1 });
  });

  test("shows hostile outcomes as text", () => {
    const result = counted(
      JSON.parse('{"<img src=x onerror=alert(1)>": 2, "__proto__": 1, "\\u001b[31m": 1}'),
    );
    expect(Object.entries(result.probabilities)).toContainEqual(["__proto__", 0.25]);
    expect(result.top()).toHaveLength(3);
    expect(bundleOf(result.top())["text/html"]).not.toContain("<img");
    expect(bundleOf(result)["text/plain"]).not.toContain("\u001b");
  });
});

describe("files", () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "ketbook-"));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const result = counted({ "01": 1, "00": 3 }).marginal([0, 1]);

  test("a result is saved and loaded again", () => {
    const path = join(folder, "bell.json");
    result.save(path);
    expect(Result.load(path).toJSON()).toEqual(result.toJSON());
  });

  test("a CSV file has a row an outcome, in the order of their bit strings", () => {
    const path = join(folder, "bell.CSV");
    result.save(path);
    expect(readFileSync(path, "utf8")).toBe(
      "outcome,count,probability,low,high\r\n00,3,0.75,0.300642,0.954413\r\n01,1,0.25,0.0455873,0.699358\r\n",
    );
  });

  test("the results of a batch are saved and loaded together", () => {
    const path = join(folder, "batch.json");
    const results = Results.from([result, counted({ "1": 1 })]) as Results;
    results.save(path);
    expect(Results.load(path).map(one => one.toJSON())).toEqual(results.map(one => one.toJSON()));
    expect(() => Result.load(path)).toThrow("holds 2 results: Results.load reads them");
  });

  test("what can't be saved or loaded is named", () => {
    expect(() => result.save(join(folder, "bell.xlsx"))).toThrow(/bell.xlsx.*end its name in \.json, \.csv/);
    expect(() => result.save(join(folder, "no", "bell.json"))).toThrow(KetbookError);
    expect(() => Result.load(join(folder, "missing.json"))).toThrow(/missing\.json/);
    writeFileSync(join(folder, "broken.json"), "{");
    expect(() => Result.load(join(folder, "broken.json"))).toThrow("is not JSON");
  });
});
