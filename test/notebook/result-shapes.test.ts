import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { KetbookError } from "../../src/client/errors.ts";
import type { RuntimeJob } from "../../src/contract/job.ts";
import { plainText } from "../../src/kernels/text.ts";
import { Result } from "../../src/notebook/results/result.ts";
import { receivedRecords } from "../../src/notebook/results/result-record.ts";
import { Results } from "../../src/notebook/results/results.ts";
import { answering } from "../client/answering.ts";
import { bundleOf } from "./bundle.ts";

const times = { createdAt: "2026-10-02T08:00:00.120Z", endedAt: null, executionDuration: null };
const jobOn = (deviceQrn: string, more: object = {}) =>
  Result.from({ resultData: {}, job: { deviceQrn, ...more } }).job;
const gateModel = jobOn("aws:rigetti:qpu:cepheus", { experimentType: "gate_model", shots: 4 });

/** Reads what a service answers to a result look-up, over HTTP. */
async function received(data: unknown, job: RuntimeJob = gateModel): Promise<Results> {
  await using service = await answering(() => ({ body: { success: true, data } }));
  const found = await service.client.jobs.result("q");
  return Results.from(receivedRecords(found), record => new Result(record, job)) as Results;
}

const record = (resultData: unknown, cost: unknown = "130.0") => ({
  status: "COMPLETED",
  cost,
  timeStamps: times,
  resultData,
});
const one = async (resultData: unknown, job?: RuntimeJob) => (await received(record(resultData), job))[0]!;

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
      "it must be an object, not a list.",
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
    expect(bundleOf(results)["text/plain"]).toMatch(/0 +2 +00 +60.0 % +130\n +1 +0 +—/);
    expect(plainText(results[1]!)).toContain("no outcomes");
    expect(results[1]!.top()).toHaveLength(0);
    expect(results[1]!.toRows()).toEqual([]);
    expect(String(results)).toBe(
      "4 results on aws:rigetti:qpu:cepheus: 00, no outcomes, no outcomes, no outcomes",
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

describe("an analog result", () => {
  const shots = [
    { success: true, pre_sequence: [1, 1, 1], post_sequence: [1, 0, 1] },
    { success: true, pre_sequence: [1, 0, 1], post_sequence: [0, 0, 1] },
    { success: true, pre_sequence: [1, 1, 1], post_sequence: [1, 0, 1] },
    { success: false, pre_sequence: null, post_sequence: null },
  ];
  const job = jobOn("aws:quera:qpu:aquila", { experimentType: "analog", shots: 4 });

  test("has counts over g, r and e of the shots that succeeded", async () => {
    const result = await one({ measurements: shots }, job);
    expect(result.counts).toEqual({ grg: 2, reg: 1 });
    expect(result.measurements).toEqual(["grg", "reg", "grg"]);
    expect(result.toJSON().resultData).toEqual({ measurements: shots });
    expect(String(result)).toBe("Result of 4 shots on aws:quera:qpu:aquila: grg 2, reg 1");
  });

  test("numbers its atoms from the left", async () => {
    const result = await one({ measurementCounts: { grg: 2, reg: 1 }, measurements: shots }, job);
    expect(result.bitOrder).toEqual({ order: "lsb-first", reason: expect.stringContaining("Atoms") });
    expect(result.marginal([0]).counts).toEqual({ g: 2, r: 1 });
    expect(JSON.stringify(result.histogram().spec)).toContain("atom 0 … atom 2");
  });
});

describe("an annealer's result", () => {
  const solutions = [
    { spin: { x0: 1, x1: 1 }, energy: 0.5, time: 0.004, constraint: false },
    { spin: { x0: 0, x1: 1 }, energy: -2, time: 0.004, constraint: true, occurrences: 3, memory_usage: 1.5 },
    { spin: { x0: 1, x1: 0 }, energy: -1, time: 0.004, constraint: true },
  ];
  const job = jobOn("nec:nec:simulator:annealer", { experimentType: "annealing", shots: null });

  test("shows itself as a chart of energies, weighted, the lowest marked", async () => {
    const result = await one({ solutions, solutionCount: 3 }, job);
    const bundle = bundleOf(result);
    expect(bundle["text/plain"]).toMatch(/3 solutions · 5 samples · lowest energy −2, found 3 times/);
    expect(bundle["text/plain"]).toMatch(/ −2 +█+ +3 {2}lowest\n/);
    expect(bundle["image/png"]).toBeTypeOf("string");
    expect(() => result.histogram()).toThrow("draw its energies()");
    expect(String(result)).toBe("Result on nec:nec:simulator:annealer: 3 solutions, lowest energy −2");
    expect(() => result.energies({ bin: 3 } as object)).toThrow(
      'energies: There is no option "bin": did you mean "bins"?',
    );
  });

  test("has its solutions as a table, the lowest energy first", async () => {
    const result = await one({ solutions, solutionCount: 3 }, job);
    expect(result.solutions!.map(({ energy }) => energy)).toEqual([-2, -1, 0.5]);
    expect(result.solutions![0]).toMatchObject({
      spins: { x0: 0, x1: 1 },
      occurrences: 3,
      memory_usage: 1.5,
    });
    expect(bundleOf(result.solutions!)["text/plain"]).toMatch(/−2 +3 +kept +4 ms +x0=0 x1=1/);
    expect(bundleOf(result.solutions!)["text/plain"]).toMatch(/0.5 +1 +broken/);
  });

  test("is saved with all that the service said, and has a row a solution", async () => {
    const result = await one({ solutions, solutionCount: 3 }, job);
    expect(result.toJSON().resultData).toEqual({ solutions, solutionCount: 3 });
    expect(Result.from(JSON.parse(JSON.stringify(result))).solutions).toEqual(result.solutions);
    expect(result.toCSV().split("\r\n")[1]).toContain("-2,3,");
    expect(result.toRows()).toHaveLength(3);
  });

  test("of no solutions, and what is no annealer's, say so", async () => {
    expect(plainText(await one({ solutions: [] }, job))).toContain("no solutions");
    const counted = await one({ measurementCounts: { "0": 1 } });
    expect(counted.solutions).toBeNull();
    expect(() => counted.energies()).toThrow("has no solutions");
  });
});

describe("whatever stands in a record", () => {
  const shapes = fc.record(
    {
      measurementCounts: fc.oneof(fc.dictionary(fc.string(), fc.oneof(fc.nat(), fc.string())), fc.anything()),
      measurementProbabilities: fc.anything(),
      measurements: fc.oneof(fc.array(fc.array(fc.nat({ max: 1 }))), fc.anything()),
      registers: fc.anything(),
      statevector: fc.anything(),
      solutions: fc.oneof(fc.array(fc.record({ spin: fc.anything(), energy: fc.double() })), fc.anything()),
      more: fc.anything(),
    },
    { requiredKeys: [] },
  );
  const json = fc
    .oneof(shapes, fc.anything())
    .map(value => JSON.parse(JSON.stringify(value ?? null) ?? "null"));

  test("is read from a service, and shown in every form", () => {
    fc.assert(
      fc.property(json, fc.boolean(), (data, wrapped) => {
        const result = new Result(wrapped ? record(data) : data, gateModel);
        expect(plainText(result)).toBeTypeOf("string");
        expect(String(result)).not.toContain("\n");
        expect(JSON.parse(JSON.stringify(result)).bitOrder.reason).toBeTypeOf("string");
        expect(result.toRows().length).toBeGreaterThanOrEqual(0);
        expect(result.toCSV()).toBeTypeOf("string");
        expect(plainText(result.top())).toBeTypeOf("string");
        const results = Results.from([result]) as Results;
        expect(plainText(results)).toBeTypeOf("string");
        expect(String(results)).not.toContain("\n");
      }),
      { numRuns: 60 },
    );
  });

  test("as a whole makes no distribution is refused when it is given, and said when a service sent it", () => {
    const half = { measurementProbabilities: { "00": 0.25, "11": 0.25 } };
    expect(() => Result.from(record(half))).toThrow("measurementProbabilities adds up to 0.5");
    const uneven = { measurementCounts: { "00": 5, "1": 5 } };
    expect(() => Result.from(record(uneven))).toThrow("outcomes of 1 and of 2 bits");
    const sent = new Result(record(half), gateModel);
    expect(sent.problem).toContain("adds up to 0.5");
    expect(Result.from(JSON.parse(JSON.stringify(sent))).problem).toBe(sent.problem);
    const rounded = { measurementProbabilities: { "00": 0.33, "01": 0.33, "10": 0.33 } };
    expect(Result.from(record(rounded)).problem).toBeNull();
    expect(Result.from(record({ measurementCounts: { "0x2": 1, "0xff": 2 } })).problem).toBeNull();
  });

  test("of a program that measures nothing says so", () => {
    const nothing = Result.from({ resultData: { measurementCounts: { "": 100 } } });
    expect(String(nothing)).toContain("nothing was measured");
    expect(plainText(nothing)).toContain("nothing was measured");
    expect(nothing.histogram().toSVG()).toContain("nothing was measured");
    expect(plainText(Results.from([nothing]) as Results)).toContain("nothing was measured");
  });

  test("is refused by Result.from in words, or read", () => {
    fc.assert(
      fc.property(json, data => {
        try {
          const result = Result.from(record(data));
          expect(Result.from(JSON.parse(JSON.stringify(result))).toJSON()).toEqual(result.toJSON());
        } catch (error) {
          expect(error).toBeInstanceOf(KetbookError);
        }
      }),
      { numRuns: 300 },
    );
  });
});
