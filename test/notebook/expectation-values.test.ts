import { expect, test } from "vitest";
import {
  hermitian,
  KetbookError,
  pauliStrings,
  program,
  Result,
  Results,
  run,
  State,
  sweep,
} from "../../src/index.ts";
import { bundleOf } from "./bundle.ts";
import { useServiceHere } from "./own-service.ts";

await useServiceHere();

const rotated =
  'OPENQASM 3.0; include "stdgates.inc"; input float theta; qubit[2] q; bit[2] c; ry(theta) q[0]; cx q[0], q[1]; c = measure q;';
const resultOf = (expectations: unknown) =>
  Result.from({ resultData: { measurementCounts: { "0": 1 }, expectations } });

test("a simulator computes the observables of a run, which add up, from its final state", async () => {
  const prepared = run(rotated).inputs({ theta: 1 }).observables("XX").observables({ ZI: 0.5, ZZ: -1 });
  expect(prepared.toJSON().runtimeOptions).toEqual({ observables: ["XX", { ZI: 0.5, ZZ: -1 }] });
  const result = await prepared.shots(50);
  expect(result.observables).toHaveLength(2);
  const exact = { standardError: 0, shots: 0 };
  expect(result.observables[0]).toMatchObject({
    observable: "XX",
    value: expect.closeTo(Math.sin(1), 5),
    ...exact,
  });
  expect(result.observables[1]!.value).toBeCloseTo(Math.cos(1) / 2 - 1, 5);
  const shown = bundleOf(result.observables)["text/plain"];
  expect(shown).toMatch(/XX +0\.84/);
  expect(shown).toContain("Means, computed in the final states, before readout errors; no shots used");
  const again = Result.from(JSON.parse(JSON.stringify(result)));
  expect(again.observables.toRows()).toEqual(result.observables.toRows());
});

const turned = program({ qubits: 1, inputs: ["a"] }, q => q.ry("a", 0));

test("a result that measured nothing shows and exports its observables", async () => {
  for (const shots of [0, 500]) {
    const result = await run(turned).inputs({ a: 1 }).observables("Z", "X").shots(shots);
    const [z, x] = [Math.cos(1), Math.sin(1)].map(value => ({ value: expect.closeTo(value, 5) }));
    expect(result.toRows()).toMatchObject([
      { observable: "Z", standardError: 0, ...z },
      { observable: "X", standardError: 0, ...x },
    ]);
    expect(result.toCSV()).toMatch(/^observable,value,standardError,low,high,shots\r\nZ,0\.540302/);
    expect(String(result)).toMatch(/: Z 0\.540302, X 0\.841471$/);
    expect(bundleOf(result)).toEqual(bundleOf(result.observables));
    expect(result.toSVG()).toContain("0.540302");
  }
});

test("a sweep that measured nothing shows and exports its observables, named all in the title or none", async () => {
  const results = await sweep(turned, { a: [0, 1, 2] })
    .observables("Z", "X")
    .shots(0);
  expect(bundleOf(results)["text/plain"]).toMatch(/^Mean of Z, X\n/);
  expect(results.chart().toText()).toBe(results.observables.chart().toText());
  expect(results.table().text).toMatch(/X +0\.841471/);
  expect(results.toCSV()).toBe(results.observables.toCSV());
  expect(String(results)).toContain("Z 0.540302, X 0.841471");
  const sums = ["Z + X", "Z - X"].map(sum => `0.1234567890123*${sum} + 0.1234567890123*Y`);
  const long = await sweep(turned, { a: [0, 1] })
    .observables(...sums)
    .shots(0);
  expect(bundleOf(long)["text/plain"]).toMatch(/^Mean of 2 observables\n/);
});

test("a result with measured bits and observables shows its outcomes", async () => {
  const result = await run(rotated).inputs({ theta: 0 }).observables("XX").shots(10);
  expect(result.toRows()).toMatchObject([{ outcome: "00", count: 10 }]);
  expect(bundleOf(result)["text/plain"]).toContain("Measurement outcomes");
});

test("shots that all took one branch are no exact mean, and a truncated state is approximate", async () => {
  const rare =
    'OPENQASM 3.0; include "stdgates.inc"; qubit[2] q; bit c; ry(0.1) q[0]; c = measure q[0]; if (c) x q[1];';
  const [mean] = (await run(rare).observables("Z1").options({ seed: 4 }).shots(100)).observables;
  expect(mean!.shots).toBe(100);
  expect(mean!.high).toBe(1);
  expect(mean!.low).toBeLessThanOrEqual(Math.cos(0.1));
  expect(mean!.high).toBeGreaterThan(Math.cos(0.1));
  expect(mean!.high - mean!.low).toBeLessThan(0.01);
  const cut = await run(rotated)
    .inputs({ theta: 1 })
    .observables("XX")
    .on("tensor")
    .options({ maxBondDimension: 1 })
    .shots(50);
  expect(cut.estimatedFidelity).toBeCloseTo(Math.cos(0.5) ** 2, 6);
  expect(cut.observables[0]!.high).toBeGreaterThan(Math.sin(1) - 1e-6);
  expect(bundleOf(cut)["text/plain"]).toContain("approximate: estimated fidelity 0.77");
  expect(cut.job.record.metadata.estimatedFidelity).toBe(cut.estimatedFidelity);
});

test("a batch has them for each program, over the inputs of its sweep", async () => {
  const programs = [0, 0.5, 1].map(theta =>
    rotated.replace("input float theta", `const float theta = ${theta}`),
  );
  const results = await run(programs).observables("ZZ", "X0 X1");
  expect(results).toBeInstanceOf(Results);
  const rows = results.observables.filter(({ observable }) => observable === "X0 X1");
  expect(rows.map(({ value }) => value)).toEqual(
    [0, 0.5, 1].map(theta => expect.closeTo(Math.sin(theta), 5)),
  );
  expect(results.observables).toHaveLength(6);
  expect(results.observables.chart().toString()).toMatch(/Mean of ZZ, X0 X1/);
});

test("the axis of Pauli strings ends at -1 and 1, where rounding leads beyond too", () => {
  const axisTo = (value: number) => {
    const results = Results.from([-1, 0, 1], theta =>
      Result.from({
        resultData: {
          measurementCounts: { "0": 1 },
          expectations: [{ observable: "Z", value: theta * value, variance: 0, shots: 0 }],
        },
        context: { program: `const float theta = ${theta}; /* input */` },
      }),
    ) as Results;
    expect(results.observables.table().toString()).not.toContain("0000002");
    return JSON.stringify(results.observables.chart().spec).includes('"domain":[-1,1]');
  };
  expect([1, 1.0000000000000002, 1.00002, 1.5].map(axisTo)).toEqual([true, true, true, false]);
});

test("those of drawn states have the interval of their shots", () => {
  const [row] = resultOf([{ observable: "2*ZZ + 1", value: 2.8, variance: 0.36, shots: 400 }]).observables;
  expect(row).toMatchObject({ value: 2.8, shots: 400 });
  expect(row!.standardError).toBeCloseTo(Math.sqrt(0.36 / 400 + 4 / 400 ** 2) / (1 + 1 / 400), 9);
  expect(row!.low).toBeLessThan(2.8 - 1.9 * row!.standardError);
  expect(row!.high).toBeLessThanOrEqual(3);
});

test("a result without any has an empty list, and one that can't be read names what is wrong", () => {
  expect(resultOf(undefined).observables).toHaveLength(0);
  for (const wrong of [
    [{ observable: "ZQ", value: 1, variance: 0, shots: 0 }],
    [{ observable: "Z", value: "1", variance: 0, shots: 0 }],
    [{ observable: "Z", value: 1, variance: -1, shots: 4 }],
  ])
    expect(() => resultOf(wrong)).toThrow(
      /resultData\.expectations\[0\] must be an observable with value, variance and shots/,
    );
});

test("what is no list of observables is refused before anything is submitted", () => {
  for (const wrong of ["ZQ", "1e308*ZZ + 1e308*II", { "2*ZZ": 1e308 }])
    expect(() => run(rotated).observables(wrong)).toThrow(KetbookError);
  expect(() => run(rotated).options({ observables: "ZZ" as never })).toThrow(/Write run\(…\)\.observables/);
});

test("means that depend on shots say so", async () => {
  const rare =
    'OPENQASM 3.0; include "stdgates.inc"; qubit[2] q; bit c; ry(0.1) q[0]; c = measure q[0]; if (c) x q[1];';
  const { observables } = await run(rare).observables("Z1").options({ seed: 4 }).shots(100);
  expect(bundleOf(observables)["text/plain"]).toContain("before readout errors; from up to 100 shots");
  expect(bundleOf(observables.slice(0, 1))["text/plain"]).toContain("from up to 100 shots");
});

test("a Hermitian matrix is an observable", async () => {
  let seed = 1;
  const random = () => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    return seed / 2 ** 31 - 1;
  };
  for (const qubits of [[0], [2], [2, 0], [1, 2, 0]]) {
    const parts = Array.from({ length: 8 }, () => [random(), random()] as const);
    const norm = Math.hypot(...parts.flat());
    const state = State.from(parts.map(([re, im]) => [re / norm, im / norm] as const));
    const size = 2 ** qubits.length;
    const upper = Array.from({ length: size }, () =>
      Array.from({ length: size }, () => [random(), random()]),
    );
    const rows = upper.map((row, y) =>
      row.map(([re, im], x): [number, number] =>
        x === y ? [re!, 0] : x > y ? [re!, im!] : [upper[x]![y]![0]!, -upper[x]![y]![1]!],
      ),
    );
    const density = state.densityMatrix(qubits).toJSON();
    const trace = rows.reduce(
      (sum, row, y) =>
        sum + row.reduce((part, [re, im], x) => part + re * density[x]![y]![0] - im * density[x]![y]![1], 0),
      0,
    );
    expect(state.expectation(hermitian(rows, qubits)).value).toBeCloseTo(trace, 10);
  }
  const one = hermitian([
    [0, 0],
    [0, 1],
  ]);
  expect(one).toEqual({ I0: 0.5, Z0: -0.5 });
  const { observables } = await run(rotated).inputs({ theta: 1 }).observables(one).shots(50);
  expect(observables[0]).toMatchObject({ value: expect.closeTo(Math.sin(0.5) ** 2, 6), shots: 0 });
  expect(() =>
    hermitian([
      [0, 1],
      [0, 0],
    ]),
  ).toThrow(/hermitian: .*entries \[1\]\[0\] and \[0\]\[1\]/);
  expect(() =>
    hermitian(
      [
        [1, 0],
        [0, 1],
      ],
      [0, 1],
    ),
  ).toThrow(/list of 1 different numbers/);
  expect(() =>
    hermitian([
      [1, 0, 0],
      [0, 1, 0],
      [0, 0, 1],
    ]),
  ).toThrow(/2\^n rows/);
});

test("an exact run has the density matrix of its final state, under noise and in several branches too", async () => {
  const adaptive =
    'OPENQASM 3.0; include "stdgates.inc"; qubit[3] q; bit c; h q[0]; c = measure q[0]; if (c) h q[1]; cx q[1], q[2];';
  const prepared = run(adaptive).observables(...pauliStrings([2, 1]));
  const matrix = (await prepared.shots(0)).densityMatrix([2, 1]).toJSON();
  const expected = [
    [0.75, 0, 0, 0.25],
    [0, 0, 0, 0],
    [0, 0, 0, 0],
    [0.25, 0, 0, 0.25],
  ];
  expect(matrix.map(row => row.map(([re]) => re))).toEqual(
    expected.map(row => row.map(entry => expect.closeTo(entry, 10))),
  );
  expect(matrix.flat().every(([, im]) => Math.abs(im) < 1e-12)).toBe(true);
  const noisy = run('include "stdgates.inc"; qubit q; x q; s q; h q;').on("density");
  const { purity } = (await noisy.observables(...pauliStrings([0])).shots(0)).densityMatrix([0]);
  expect(purity).toBeLessThan(1);
  expect(purity).toBeGreaterThan(0.9);
  const drawn = await run(adaptive)
    .observables(...pauliStrings([2, 1]))
    .shots(5);
  expect(() => drawn.densityMatrix([2, 1])).toThrow(/not exact.*shots\(0\)/);
  expect(() => drawn.densityMatrix([0, 1])).toThrow(/pauliStrings\(\[0, 1\]\)/);
  const pure = await run(rotated).inputs({ theta: 1 }).shots(0);
  expect(pure.densityMatrix([0]).purity).toBeLessThan(0.8);
});
