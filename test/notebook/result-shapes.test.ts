import { describe, expect, test } from "vitest";
import { plainText } from "../../src/kernels/bundle.ts";
import { Result } from "../../src/notebook/results/result.ts";
import { bundleOf } from "./bundle.ts";
import { gateModel, jobOn, one, received, record } from "./received.ts";

describe("a gate-model result", () => {
  test.each<[unknown, number]>([
    ["0E-33", 0],
    ["130.0", 130],
    ["265.000000", 265],
    [0.015, 0.015],
  ])("has its cost, be it written %j", async (cost, credits) => {
    expect((await received(record({ measurementCounts: { "0": 1 } }, cost)))[0]!.cost).toBe(credits);
  });

  test("has its shots as strings, and keeps what the provider adds", async () => {
    const data = {
      measurementCounts: { "01": 1, "11": 1 },
      measurements: [
        [0, 1],
        [1, 1],
      ],
      runnerVersion: "0.9",
      runnerSeed: null,
    };
    const result = await one(data);
    expect(result.measurements).toEqual(["01", "11"]);
    expect(result.toJSON().resultData).toEqual(data);
    expect(result.problem).toBeNull();
  });

  test("has its shots in the order of its counts where the service writes them the other way round", async () => {
    const result = await one({
      measurementCounts: { "01": 2, "11": 1 },
      measurements: [
        [1, 0],
        [1, 1],
        [1, 0],
      ],
    });
    expect(result.measurements).toEqual(["01", "11", "01"]);
  });

  test("has counts where the service writes shots alone, and counts as decimal strings", async () => {
    expect(
      (
        await one({
          measurements: [
            [0, 1],
            [0, 1],
            [0, 0],
          ],
        })
      ).counts,
    ).toEqual({ "01": 2, "00": 1 });
    expect((await one({ measurementCounts: { "01": "12" } })).counts).toEqual({ "01": 12 });
    expect((await one({ measurement_counts: { "0": 3 } })).counts).toEqual({ "0": 3 });
  });

  test("has bit strings for numbers where its registers, shots or program tell the width, else the numbers", async () => {
    const counts = { "0": 3, "5": 1 };
    const bits = { "000": 3, "101": 1 };
    expect((await one({ measurementCounts: counts, registers: [{ name: "c", size: 3 }] })).counts).toEqual(
      bits,
    );
    expect(
      (await one({ measurementCounts: { "0x0": 3, "0x5": 1 }, measurements: [[0, 0, 0]] })).counts,
    ).toEqual(bits);
    const program = "OPENQASM 3.0; bit[3] c; qubit[3] q; c = measure q;";
    expect(new Result(record({ measurementCounts: counts }), gateModel, { program }).counts).toEqual(bits);
    const numbers = await one({ measurementCounts: counts });
    expect(numbers.counts).toEqual(counts);
    expect(numbers.bitOrder.order).toBe("unknown");
    expect(numbers.histogram().toText()).toContain("5");
  });

  test("without a number of shots has that of its counts", async () => {
    expect((await one({ measurementCounts: { "0": 3, "1": 4 } }, jobOn("aws:a:qpu:b"))).shots).toBe(7);
  });
});

describe("what a program gave is read", () => {
  const counts = { "00": 3, "11": 4 };
  const solutions = [{ spin: { x0: 1 }, energy: -1 }];

  test.each<[string, object]>([
    ["beside resultData", { measurementCounts: counts }],
    ["beside a resultData that holds nothing", { resultData: {}, measurementCounts: counts }],
    ["as counts", { resultData: { counts } }],
    ["as counts beside resultData", { counts, status: "COMPLETED" }],
  ])("%s", async (_, data) => {
    const [result] = await received(data);
    expect([result!.counts, result!.problem]).toEqual([counts, null]);
    expect(Result.from(JSON.parse(JSON.stringify(result))).counts).toEqual(counts);
    expect(Result.from(structuredClone(data)).counts).toEqual(counts);
  });

  test("where solutions stand beside resultData, with what else the provider says", async () => {
    const [result] = await received({ solutions, solutionCount: 1 });
    expect(result!.solutions).toMatchObject([{ energy: -1, spins: { x0: 1 } }]);
    expect(result!.toJSON()).toMatchObject({ solutionCount: 1, resultData: { solutions } });
  });
});

describe("a provider's own members under names that Ketbook uses", () => {
  const own = { bitOrder: "lsb", bits: [5, 6], problem: "none", context: 7, job: "j" };
  const given = { ...record({ measurementCounts: { "01": 3, "10": 1 } }), ...own };

  test.each([["lsb"], [{ order: "lsb-first" }], [7]])("do not tell the order of bits: %j", async bitOrder => {
    const result = (await received({ ...given, bitOrder }))[0]!;
    expect(result.bitOrder.order).toBe("msb-first");
    expect(bundleOf(await result.provenance())["text/plain"]).toContain("msb-first: Gate-model devices");
    expect(result.reverseBits().bitOrder.order).toBe("lsb-first");
    expect(result.marginal([0]).counts).toEqual({ "1": 3, "0": 1 });
    expect(result.problem).toBeNull();
  });

  test("are kept, also when the result is saved", async () => {
    const result = (await received(given))[0]!;
    expect(result.toJSON().received).toEqual(own);
    const saved = JSON.parse(JSON.stringify(result));
    expect(Result.from(saved).toJSON()).toEqual(result.toJSON());
    const { job: _, context: __, ...raw } = given;
    expect(Result.from(raw).marginal([1]).counts).toEqual({ "0": 3, "1": 1 });
  });
});

describe("a batch", () => {
  test("says of each malformed result what is wrong", async () => {
    const results = await received([null, "x", [], { success: false, message: "boom" }, {}]);
    expect(results.map(({ problem }) => problem)).toEqual([
      "it must be an object, not null.",
      'it must be an object, not "x".',
      "it must be an object, not an empty list.",
      'The service gave no result: "boom".',
      null,
    ]);
    expect(bundleOf(results)["text/plain"]).toContain("boom");
  });

  test("with nothing for one program shows that one as without outcomes, and the others as they are", async () => {
    const results = await received([
      record({ measurementCounts: { "00": 60, "11": 40 } }),
      record({}),
      {},
      null,
    ]);
    expect(results.map(({ counts }) => counts)).toEqual([{ "00": 60, "11": 40 }, {}, {}, {}]);
    expect(bundleOf(results)["text/plain"]).toMatch(/0 +2 +00 +60.0 %\n +1 +0 +—/);
    expect(plainText(results[1]!)).toContain("no outcomes");
    expect(results[1]!.top()).toHaveLength(0);
    expect(results[1]!.toRows()).toEqual([]);
    expect(String(results)).toBe(
      "4 results on aws:rigetti:qpu:cepheus: 00 60.0 %; no outcomes; no outcomes; no outcomes",
    );
  });

  test("with what can't be read for one program says so there, and keeps it", async () => {
    const odd = record({ measurementCounts: { "00": "many" } });
    const results = await received([odd, record({ measurementCounts: { "1": 1 } })]);
    expect(results[0]!.problem).toContain('resultData.measurementCounts["00"] must be a number of 0 or more');
    expect(bundleOf(results)["text/plain"]).toContain("must be a number of 0 or more");
    expect(plainText(results[0]!)).toContain("must be a number");
    expect(results[0]!.toJSON().resultData).toEqual(odd.resultData);
    expect(Result.from(JSON.parse(JSON.stringify(results[0]))).toJSON()).toEqual(results[0]!.toJSON());
    expect(results[1]!.counts).toEqual({ "1": 1 });
  });
});
