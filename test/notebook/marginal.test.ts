import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { KetbookError } from "../../src/client/errors/index.ts";
import { axisOf, counted, counts, exactResult, type Values, widthOf } from "./counts.ts";

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
    expect(result.marginal(["flag[0]", "c[0]", "c[2]"]).counts).toEqual(marginal.counts);
    expect(() => marginal.marginal(["c[1]"])).toThrow(/no bit "c\[1\]".*are c\[0\], c\[2\], flag\[0\]/);
    expect(marginal.marginal(["c"]).counts).toEqual(marginal.marginal(["c[0]", "c[2]"]).counts);
    expect(axisOf(marginal.marginal(["flag"]))).toBe("flag[0]");
    expect(axisOf(marginal.marginal([2]))).toBe("c[2]");
    expect(axisOf(result.reverseBits())).toBe("c[0] c[1] c[2]   flag[0]");
  });

  test("takes the shots along, in order, and leaves the amplitudes behind", () => {
    const result = counted({ "01": 2, "11": 1 }, { measurements: ["01", "11", "01"], statevector: [1, 0] });
    const marginal = result.marginal([1]);
    expect(marginal.measurements).toEqual(["0", "1", "0"]);
    expect(() => marginal.state).toThrow("state");
    expect(result.measurements).toEqual(["01", "11", "01"]);
  });

  test("says which bits there are", () => {
    const result = counted({ "000": 1 });
    expect(() => result.marginal([3])).toThrow("There is no bit 3: the bits here are 0 to 2.");
    expect(() => result.marginal([0, 2]).marginal([1])).toThrow("the bits here are 0, 2.");
    expect(() => result.marginal([1, 1])).toThrow("marginal([1, 1]): A bit is named twice.");
    expect(() => result.marginal([])).toThrow("Name at least one bit");
    expect(() => result.marginal("c[0]" as never)).toThrow('Bits must be a list, such as [0] or ["c[0]"].');
    expect(() => result.marginal([0.5])).toThrow(KetbookError);
    expect(() => counted({}).marginal([0])).toThrow("no outcomes");
    expect(() => counted({ ge: 1, gee: 1 }).marginal([0])).toThrow("different lengths");
  });

  test("works on exact results and other alphabets", () => {
    const exact = exactResult({ "00": 0.5, "10": 0.25, "11": 0.25 });
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
