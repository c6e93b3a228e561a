import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { KetbookError } from "../../src/client/errors/index.ts";
import { Result, Results } from "../../src/notebook/results/result.ts";
import { bundleOf } from "./bundle.ts";
import { axisOf, counted, counts, type Values, widthOf } from "./counts.ts";

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

  test("reads a memory of bits with the registers of its counts, in either order", () => {
    const measurementCounts = { "01 1": 2, "00 0": 1 };
    const shots = [
      [0, 1, 1],
      [0, 0, 0],
      [0, 1, 1],
    ];
    const read = (measurements: number[][]) =>
      Result.from({ resultData: { measurementCounts, measurements } }).measurements;
    expect(read(shots)).toEqual(["01 1", "00 0", "01 1"]);
    expect(read(shots.map(bits => bits.toReversed()))).toEqual(["01 1", "00 0", "01 1"]);
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
      [[], "it must be an object, not an empty list"],
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
      "outcome,count,probability,low,high\r\n00,3,0.75,0.149813,0.993691\r\n01,1,0.25,0,0.80588\r\n",
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
