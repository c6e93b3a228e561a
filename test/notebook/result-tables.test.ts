import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { tableFromIPC } from "apache-arrow";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Result, Results } from "../../src/notebook/results/result.ts";
import { rowsToArrow } from "../../src/notebook/values/arrow.ts";

const result = Result.from({ resultData: { measurementCounts: { "00": 3, "01": 1 } } });
const exact = Result.from({ resultData: { measurementProbabilities: { "0": 0.25, "1": 0.75 } } });
const readBack = (bytes: Uint8Array) => tableFromIPC(bytes);
const plain = (bytes: Uint8Array) =>
  readBack(bytes)
    .toArray()
    .map(row => ({ ...row.toJSON() }));

describe("rows", () => {
  test("of a result have its outcomes with intervals, of an exact one the probabilities", () => {
    expect(result.toRows()).toEqual([
      { outcome: "00", count: 3, probability: 0.75, ...result.intervals()["00"] },
      { outcome: "01", count: 1, probability: 0.25, ...result.intervals()["01"] },
    ]);
    expect(exact.toRows()).toEqual([
      { outcome: "0", probability: 0.25 },
      { outcome: "1", probability: 0.75 },
    ]);
  });

  test("of a batch have the number of their program in front", () => {
    const results = Results.from([exact, Result.from({ resultData: {} }), result]) as Results;
    expect(results.toRows().map(({ program, outcome }) => [program, outcome])).toEqual([
      [0, "0"],
      [0, "1"],
      [2, "00"],
      [2, "01"],
    ]);
    expect(results.toCSV().split("\r\n").slice(0, 4)).toEqual([
      "program,outcome,probability,count,low,high",
      "0,0,0.25,,,",
      "0,1,0.75,,,",
      `2,00,0.75,3,${result.intervals()["00"]!.low},${result.intervals()["00"]!.high}`,
    ]);
  });
});

describe("an Arrow file", () => {
  test("of a result is read back as its rows", async () => {
    const bytes = await result.toArrow();
    expect(new TextDecoder().decode(bytes.slice(0, 6))).toBe("ARROW1");
    expect(plain(bytes)).toEqual(result.toRows());
    expect(readBack(bytes).schema.fields.map(field => `${field.name} ${field.type}`)).toEqual([
      "outcome Utf8",
      "count Float64",
      "probability Float64",
      "low Float64",
      "high Float64",
    ]);
  });

  test("of a batch keeps what is missing null", async () => {
    const table = readBack(await (Results.from([exact, result]) as Results).toArrow());
    expect(table.getChild("count")!.toJSON()).toEqual([null, null, 3, 1]);
  });

  test("has a type for each column: truth values, numbers, moments, and text for the rest", async () => {
    const rows = [
      {
        flag: true,
        whole: 1,
        large: 2 ** 40,
        mixed: 1,
        at: "2026-10-02T08:00:00.120+02:00",
        day: "2026-10-02",
        none: null,
      },
      { flag: null, whole: -3, large: 0.5, mixed: "x", at: null, day: "2026-10-03", none: null },
    ];
    const table = readBack(await rowsToArrow(rows));
    expect(table.schema.fields.map(field => `${field.name} ${field.type}`)).toEqual([
      "flag Bool",
      "whole Float64",
      "large Float64",
      "mixed Utf8",
      "at Timestamp<MILLISECOND, UTC>",
      "day Utf8",
      "none Utf8",
    ]);
    expect(table.getChild("at")!.toJSON()).toEqual([Date.parse("2026-10-02T06:00:00.120Z"), null]);
    expect(table.getChild("mixed")!.toJSON()).toEqual(["1", "x"]);
    expect(table.getChild("none")!.toJSON()).toEqual([null, null]);
    expect(readBack(await rowsToArrow([])).numRows).toBe(0);
  });

  const typesOf = async (rows: readonly object[]) =>
    readBack(await rowsToArrow(rows)).schema.fields.map(field => `${field.name} ${field.type}`);

  test("has the same types whatever the values of a run are", async () => {
    const sure = Result.from({ resultData: { measurementCounts: { "100": 50 } } });
    const split = Result.from({ resultData: { measurementCounts: { "100": 50, "001": 2 ** 33 } } });
    expect(await typesOf(sure.toRows())).toEqual(await typesOf(split.toRows()));
    const annealing = {
      shots: null,
      cost: null,
      createdAt: null,
      verified: null,
      name: "2026-10-02T08:00:00Z",
    };
    const job = { shots: 100, cost: 0.5, createdAt: "2026-10-02T08:00:00Z", verified: true, name: "bell" };
    const times = { timeStamps: { endedAt: null, executionDuration: null } };
    const types = await typesOf([{ ...annealing, ...times }]);
    expect(types).toEqual(
      await typesOf([{ ...job, timeStamps: { endedAt: "2026-10-02T08:00:00.000Z", executionDuration: 5 } }]),
    );
    expect(types).toEqual([
      "shots Float64",
      "cost Float64",
      "createdAt Timestamp<MILLISECOND, UTC>",
      "verified Bool",
      "name Utf8",
      "timeStamps.endedAt Timestamp<MILLISECOND, UTC>",
      "timeStamps.executionDuration Float64",
    ]);
  });

  test("has text where a described column holds something else", async () => {
    const rows = [{ shots: "many" }, { shots: 3 }];
    expect(await typesOf(rows)).toEqual(["shots Utf8"]);
    expect(plain(await rowsToArrow(rows))).toEqual([{ shots: "many" }, { shots: "3" }]);
  });

  test("brings numbers, text and gaps back, whatever they are", async () => {
    const rows = fc.array(
      fc.record(
        { number: fc.double(), whole: fc.integer(), text: fc.string(), flag: fc.boolean() },
        { requiredKeys: [] },
      ),
      { minLength: 1, maxLength: 20 },
    );
    await fc.assert(
      fc.asyncProperty(rows, async given => {
        const names = [...new Set(given.flatMap(row => Object.keys(row)))];
        const expected = given.map(row =>
          Object.fromEntries(names.map(name => [name, (row as { [name: string]: unknown })[name] ?? null])),
        );
        if (names.length > 0) expect(plain(await rowsToArrow(given))).toEqual(expected);
      }),
    );
  });

  test("needs apache-arrow, and says how to get it", () => {
    const script = `
      import { registerHooks } from "node:module";
      registerHooks({ resolve(name, context, next) {
        return next(name === "apache-arrow" ? "apache-arrow-is-not-there" : name, context);
      } });
      const { rowsToArrow } = await import(${JSON.stringify(new URL("../../src/notebook/values/arrow.ts", import.meta.url).href)});
      await rowsToArrow([{ a: 1 }]).catch(error => console.log(error.name, error.message));
    `;
    const said = execFileSync(process.execPath, ["--input-type=module", "--eval", script], {
      encoding: "utf8",
    });
    expect(said).toMatch(/^KetbookError .*npm install apache-arrow/);
  });
});

describe("files", () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "ketbook-"));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const batch = (size: number) => {
    const { jobRecord: job } = Result.from({
      resultData: {},
      job: {
        jobQrn: "aws:iqm:qpu:garnet-1",
        deviceQrn: "aws:iqm:qpu:garnet",
        tags: { course: "qc" },
        moon: "full",
      },
    });
    const records = Array.from({ length: size }, (_, index) => ({
      status: "COMPLETED",
      cost: 0.5,
      timeStamps: { createdAt: "2026-10-02T08:00:00Z", endedAt: null, executionDuration: 3 },
      resultData: { measurementCounts: { "00": index + 1, "11": 2 }, runnerVersion: "1" },
      note: index % 2 ? "odd" : "even",
    }));
    return Results.from(
      records,
      (record, index) => new Result(record, job, { program: `// program ${index}` }),
    ) as Results;
  };

  test("of a batch come back with everything, and share their job", () => {
    const path = join(folder, "batch.json");
    const results = batch(5);
    results.save(path);
    const back = Results.load(path);
    expect(back.map(one => one.toJSON())).toEqual(results.map(one => one.toJSON()));
    expect(back[3]!.context.program).toBe("// program 3");
    expect(back[4]!.jobRecord).toBe(back[0]!.jobRecord);
  });

  test("of a batch have its job once", () => {
    const path = join(folder, "large.json");
    batch(2000).save(path);
    const text = readFileSync(path, "utf8");
    expect(text.match(/aws:iqm:qpu:garnet-1/g)).toHaveLength(1);
    expect(text.length).toBeLessThan(2000 * 160);
  });

  test("of whatever records come back as they were", () => {
    const path = join(folder, "any.json");
    const more = fc.dictionary(fc.string(), fc.jsonValue());
    fc.assert(
      fc.property(fc.array(fc.record({ extra: more, context: more }), { maxLength: 4 }), all => {
        const records = all.map(({ extra, context }) => ({
          extra,
          context: { ...context, program: "x" },
          resultData: { measurementCounts: { "0": 1 } },
        }));
        const results = Results.from(records, one => Result.from(JSON.parse(JSON.stringify(one)))) as Results;
        results.save(path);
        expect(JSON.stringify(Results.load(path).map(sorted))).toBe(JSON.stringify(results.map(sorted)));
      }),
    );
  });

  test("of the form with the job in every result are read too", () => {
    const path = join(folder, "old.json");
    writeFileSync(path, JSON.stringify(batch(3)));
    expect(Results.load(path).map(one => one.counts)).toEqual(batch(3).map(one => one.counts));
    writeFileSync(path, JSON.stringify(result));
    expect(Results.load(path)).toHaveLength(1);
  });

  test("of a batch as CSV have its rows", () => {
    const path = join(folder, "batch.csv");
    batch(2).save(path);
    expect(readFileSync(path, "utf8")).toBe(batch(2).toCSV());
  });
});

/** A value with the members of its objects in order. */
function sorted(value: unknown): unknown {
  const json = JSON.parse(JSON.stringify(value ?? null));
  if (Array.isArray(json)) return json.map(sorted);
  if (typeof json !== "object" || json === null) return json;
  return Object.entries(json)
    .map(([name, member]) => [name, sorted(member)] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1));
}
