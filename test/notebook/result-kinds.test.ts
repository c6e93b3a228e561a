import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { KetbookError } from "../../src/client/errors/index.ts";
import { plainText } from "../../src/kernels/bundle.ts";
import { Result, Results } from "../../src/notebook/results/result.ts";
import { bundleOf } from "./bundle.ts";
import { gateModel, jobOn, one, record } from "./received.ts";

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
      'energies: Unknown option "bin". Did you mean "bins"?',
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

  test("of a service that ignored observables is an error where they are read", () => {
    const job = { jobQrn: "a-job", deviceQrn: "other:x:sim:y", runtimeOptions: { observables: ["Z"] } };
    const result = Result.from({ resultData: { measurementCounts: { "0": 1 } }, cost: 3, job });
    expect(() => result.observables).toThrow(/the service ignored the option observables/);
    expect(plainText(result)).not.toContain("other:x:sim:y");
    expect(plainText(result)).not.toContain("credits");
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
