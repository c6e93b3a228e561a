import { expect, test } from "vitest";
import type { Quote } from "../../src/contract/index.ts";
import {
  CompileError,
  job,
  KetbookError,
  linspace,
  program,
  qasm,
  Result,
  Results,
  run,
  sweep,
} from "../../src/index.ts";
import { bundleOf } from "./bundle.ts";
import { useServiceHere } from "./own-service.ts";
import { bell } from "./programs.ts";

await useServiceHere();

const flips = (bits: string) =>
  qasm`
    OPENQASM 3.0;
    include "stdgates.inc";
    qubit[${bits.length}] q;
    bit[${bits.length}] c;
    ${[...bits].map((bit, index) => (bit === "1" ? `x q[${bits.length - 1 - index}];` : "")).join(" ")}
    c = measure q;
  `;

test("the results of a batch keep the order and the widths of its programs", async () => {
  const words = ["1", "01", "110", "0101"];
  const results = await run(words.map(flips)).shots(5);
  expect(results.map(result => result.counts)).toEqual(words.map(word => ({ [word]: 5 })));
  expect(results[2]!.job.record.numCircuits).toBe(4);
  expect(bundleOf(results)["text/plain"]).toMatch(/Program 0 +1, always\n +Program 1 +01, always/);
  expect(results.table().html).toContain("<table");
});

test("a batch says how probable the outcomes of each of its results are", async () => {
  const results = await run([0.28, 0.56].map(angle => program(1, q => q.ry(angle, 0)))).shots(4000);
  const lines = String(bundleOf(results)["text/plain"]).split("\n").slice(-2);
  for (const [index, { probabilities }] of results.entries()) {
    const share = `0 ${(probabilities["0"]! * 100).toFixed(1)} %`;
    expect(lines[index]).toMatch(new RegExp(`Program ${index} +${share}, 1 [\\d.]+ %$`));
    expect(String(results)).toContain(share);
    expect(String(results.chart())).toContain(share);
  }
});

test("a batch of one is still a batch", async () => {
  const results = await run([bell]).shots(5);
  expect(results).toHaveLength(1);
});

test("a batch is asked for its results, not for its result", async () => {
  const handle = await run([bell, bell]).shots(5).submit();
  await expect(handle.result()).rejects.toThrow("results()");
  expect(await handle.results()).toHaveLength(2);
});

test("one bad program keeps the batch from being submitted, and the error points into that program", async () => {
  const wrong = qasm`
    OPENQASM 3.0;
    nonsense q;
  `;
  const error: CompileError = await Promise.resolve(run([bell, wrong])).catch(e => e);
  expect(error).toBeInstanceOf(CompileError);
  expect(error.reason).toMatch(/^program 1: 2:1:/);
  expect(error.message).toContain("2 | nonsense q;");
});

test("an empty batch is refused at once", () => {
  expect(() => run([])).toThrow(KetbookError);
});

const turn = qasm`
  OPENQASM 3.0;
  include "stdgates.inc";
  input float theta;
  qubit q;
  bit c;
  ry(theta) q;
  c = measure q;
`;

test("a sweep runs one program for each set of values", async () => {
  const results = await sweep(turn, [{ theta: 0 }, { theta: Math.PI / 2 }, { theta: Math.PI }]).shots(0);
  expect(results.map(result => result.probabilities["1"] ?? 0)).toEqual([
    expect.closeTo(0, 12),
    expect.closeTo(0.5, 12),
    expect.closeTo(1, 12),
  ]);
});

test("the values of a grid may be a typed array or any other iterable, which need not end", () => {
  const textsOf = (values: Iterable<number>) =>
    [sweep(turn, { theta: values }).toJSON().program].flat().map(program => String(program?.data));
  const texts = textsOf([0, 0.5, 1]);
  expect(texts[1]).toContain("theta = 0.5");
  expect(textsOf(Float64Array.of(0, 0.5, 1))).toEqual(texts);
  expect(textsOf(new Set([0, 0.5, 1]))).toEqual(texts);
  expect(textsOf([0, 0.5, 1].values())).toEqual(texts);
  const sets = new Map([[0, { theta: 0 }]]).values();
  expect(sweep(turn, sets).toJSON().program).toHaveLength(1);
  function* endless() {
    for (let theta = 0; ; theta++) yield theta;
  }
  expect(() => sweep(turn, { theta: endless() })).toThrow("More than 2,000 runs are too many");
  expect(() => sweep(turn, [{ theta: 0 }, 0.1] as never)).toThrow(
    "values 1 are 0.1. Give a list of values by name",
  );
  expect(() => sweep(turn, Float64Array.of(0) as never)).toThrow("values 0 are 0.");
});

test("results without outcomes have no rows in a sweep, and other batches only those of the outcomes seen", async () => {
  const results = await sweep(turn, { theta: [0, 0.5] }).shots(0);
  const unreadable = Result.from({ ...results[0]!.toJSON(), problem: "broken", resultData: {} });
  const rows = (Results.from([unreadable, results[1]!]) as Results).toRows();
  expect(rows.map(({ program, outcome }) => [program, outcome])).toEqual([
    [1, "0"],
    [1, "1"],
  ]);
  const words = await run(["0", "1"].map(flips)).shots(5);
  expect(words.toRows().map(({ outcome }) => outcome)).toEqual(["0", "1"]);
});

const oneLine = `OPENQASM 3.0; include "stdgates.inc"; input float theta; input int count; qubit q; bit c; rx(theta) q; if (count > 1) x q; c = measure q;`;

test("a sweep over a grid runs every combination, of a program on one line too, and each result keeps its values", async () => {
  const pending = sweep(oneLine, { theta: [0, "pi / 2"], count: [1, 2] });
  const handle = await pending.shots(40).submit();
  const results = await handle.results();
  expect(results.map(({ parameters }) => parameters)).toEqual([
    { theta: 0, count: 1 },
    { theta: 0, count: 2 },
    { theta: Math.PI / 2, count: 1 },
    { theta: Math.PI / 2, count: 2 },
  ]);
  expect(results[1]!.counts).toEqual({ "1": 40 });
  expect(results.toRows().slice(0, 4)).toMatchObject([
    { program: 0, theta: 0, "input.count": 1, outcome: "0", count: 40, probability: 1 },
    { program: 0, theta: 0, "input.count": 1, outcome: "1", count: 0, probability: 0, low: 0 },
    { program: 1, theta: 0, "input.count": 2, outcome: "0", count: 0, probability: 0, low: 0 },
    { program: 1, theta: 0, "input.count": 2, outcome: "1", count: 40, probability: 1 },
  ]);
  expect(results.toRows()).toHaveLength(8);
  expect(results.toCSV().split("\r\n", 2)[0]).toBe(
    "program,theta,input.count,outcome,count,probability,low,high",
  );
  expect((await job(handle.qrn).results())[3]!.parameters).toEqual({ theta: Math.PI / 2, count: 2 });
  expect(Result.from(JSON.parse(JSON.stringify(results[2]))).parameters.theta).toBe(Math.PI / 2);
  expect((await results[3]!.replay().shots(5)).parameters).toEqual(results[3]!.parameters);
});

test("a sweep over durations has numbers in one unit in its rows, and a linear axis", async () => {
  const wait = qasm`OPENQASM 3.0; input duration wait; qubit q; bit c; delay[wait] q; c = measure q;`;
  const results = await sweep(wait, { wait: ["500ns", "25us", "100us"] }).shots(0);
  for (const list of [results, results.expectation("Z")]) {
    expect(list.toRows().map(row => (row as Record<string, unknown>)["wait (µs)"])).toEqual([0.5, 25, 100]);
    expect(list.chart().toSVG()).toContain(">wait (µs)</text>");
    expect(JSON.stringify(list.chart().spec)).toContain('"field":"x","type":"quantitative"');
  }
});

test("a sweep shows itself as lines over one input, as heatmaps over two, and as one for each value of more", async () => {
  const lines = await sweep(turn, { theta: linspace(0, Math.PI, 5) }).shots(100);
  expect(bundleOf(lines)["text/plain"]).toMatch(/5 results/);
  const drawn = lines.chart().spec.data as { values: { x: number; low: number; y: number; high: number }[] };
  expect(new Set(drawn.values.map(({ x }) => x))).toHaveProperty("size", 5);
  expect(drawn.values.every(({ low, y, high }) => low <= y && y <= high && low < high)).toBe(true);

  const means = lines.expectation("Z");
  expect(means[0]).toMatchObject({ program: 0, theta: 0, observable: "Z", value: 1, shots: 100 });
  expect(means.toCSV().split("\r\n")[0]).toBe("program,theta,observable,value,standardError,low,high,shots");
  expect(String(means.chart())).toMatch(/^Mean of Z: from 1 at 0 down to -1 at 3.14\. Line chart/);
  expect(
    means
      .filter(({ theta }) => Number(theta) < 1)
      .chart()
      .toText(),
  ).toContain("2 results");
  expect(() => lines.expectation("X")).toThrow(/^Result 0: expectation\("X"\): X can't be read/);

  const maps = await sweep(oneLine, { theta: [0, 1], count: [1, 2] }).shots(0);
  expect(String(maps.chart())).toMatch(/highest 1 at theta 0, input.count 1\. Heatmap of 4 rows/);
  expect(String(maps.expectation("Z").chart())).toMatch(/lowest -1 at theta 0, input.count 2/);
  const cube = qasm`input float a; input float b; input int k; qubit q; bit c; U(a, b, k) q; c = measure q;`;
  const many = await sweep(cube, { a: [0, 1], b: [0, 1], k: [0, 1, 2] }).shots(10);
  expect(many.chart().toText()).toMatch(/k 0\n[\s\S]*k 1\n[\s\S]*k 2\n/);
});

test("a sweep of more points than a heatmap has cells shows their means", () => {
  const program = (a: number, b: number) =>
    `const float a = ${a}; /* input */ const float b = ${b}; /* input */`;
  const points = Array.from({ length: 300 }, (_, index) => [index >> 1, (index + 1) >> 1] as const);
  const results = Results.from(points, ([a, b]) =>
    Result.from({
      resultData: { measurementCounts: { "0": 5, "1": 3 } },
      context: { program: program(a, b) },
    }),
  ) as Results;
  expect(results[3]!.parameters).toEqual({ a: 1, b: 2 });
  for (const chart of [results.chart(), results.expectation("Z").chart()])
    expect(JSON.stringify(chart.spec)).toMatch(/300 rows as the means of/);
});

test("results without a sweep are histograms beside each other on one scale, twelve at most", async () => {
  const results = await run(Array.from({ length: 14 }, () => bell)).shots(20);
  const { spec } = results.histograms();
  const { concat } = spec as unknown as { concat: { title: { text: string } }[] };
  expect(concat.map(({ title }) => title.text)).toEqual(
    Array.from({ length: 12 }, (_, index) => `Program ${index}`),
  );
  expect(results.histograms({ title: "Pairs" }).toText()).toMatch(
    /^Pairs\n14 results.*\nthe first 12 are drawn/,
  );
  expect(() => results.histograms({ tops: 3 } as object)).toThrow('Did you mean "top"?');
});

test("inputs of a single run are the parameters of its result, of every type", async () => {
  const program = qasm`
    OPENQASM 3.0;
    input bit[2] word;
    input bool yes;
    input array[float, 2] angles;
    input duration wait;
    input angle turn;
    qubit q;
    bit c;
    c = measure q;
  `;
  const inputs = { word: "01", yes: true, angles: [0.5, 1], wait: "2.5us", turn: 1e-9 };
  expect((await run(program).inputs(inputs).shots(1)).parameters).toEqual(inputs);
  expect((await run(bell).shots(1)).parameters).toEqual({});
});

test("a grid of too many points, or of none, is refused at once", () => {
  const values = linspace(0, 1, 100);
  expect(() => sweep(oneLine, { theta: values, count: values })).toThrow("10,000 runs are too many");
  expect(() => sweep(turn, {})).toThrow("give a list of values");
  expect(() => sweep(turn, { theta: [] })).toThrow("give a list of values");
});

test("observables are measured in the basis that the program turned its qubits to", async () => {
  const turned = (basis: string) => qasm`
    OPENQASM 3.0;
    include "stdgates.inc";
    qubit[2] q;
    bit[2] c;
    h q[0];
    cx q[0], q[1];
    ${basis === "Y" ? "sdg q; h q;" : basis === "X" ? "h q;" : ""}
    c = measure q;
  `;
  const [z, x, y] = await run(["Z", "X", "Y"].map(turned)).shots(100);
  expect(z!.expectation("ZZ").value).toBe(1);
  expect(x!.expectation("X0 X1", { basis: "XX" }).value).toBe(1);
  expect(y!.expectation("YY", { basis: "YY" }).value).toBe(-1);
});

test("a sweep with a missing, a wrong or an unusable value is refused at once", () => {
  expect(() => sweep(turn, [{}])).toThrow('"theta" (values 0) needs a finite number');
  expect(() => sweep(turn, [{ theta: 1, phi: 2 }])).toThrow("phi");
  expect(() => sweep(turn, [{ theta: Number.NaN }])).toThrow("theta");
});

test("a device is found by a short name that only one has", async () => {
  const result = await run(bell).on("statevector").shots(5);
  expect(result.job.record.deviceQrn).toBe("svc:svc:sim:statevector");
  await expect(Promise.resolve(run(bell).on("no-such-device"))).rejects.toThrow(/no device has that name/);
});

test("a quote of a device that bills time counts how long the programs take there, delays included", async () => {
  const timing = { timing: "instant" } as const;
  await run(bell).on("perth").shots(100).options(timing);
  const idle = qasm`OPENQASM 3.0; include "stdgates.inc"; qubit q; bit c; x q; delay[10ms] q; c = measure q;`;
  for (const programs of [[bell], [idle], [idle, bell]]) {
    const prepared = run(programs).on("perth").shots(1000).options(timing);
    const { estimatedCost } = (await prepared.quote()) as Quote;
    const { cost } = await (await prepared.submit()).wait();
    expect(estimatedCost / cost!).toBeCloseTo(1, 4);
  }
  await expect(Promise.resolve(run(idle).on("perth").shots(1000).maxCost(400))).rejects.toThrow(
    "above maxCost(400)",
  );
});

test("maxCost refuses to submit when the quote is above it, and lets it through when it is not", async () => {
  const quote = await run(bell).quote();
  if (!quote.pricingAvailable) throw new Error("the state vector simulator has a price");
  await expect(Promise.resolve(run(bell).maxCost(quote.estimatedCost / 2))).rejects.toThrow(
    /Not submitted: the quote is/,
  );
  expect((await run(bell).shots(5).maxCost(quote.estimatedCost)).shots).toBe(5);
  expect((await run(bell).shots(5).maxCost(1)).cost).toBe(quote.estimatedCost);
});
