import fc from "fast-check";
import { expect, test } from "vitest";
import { inputColumns, sweptInputs } from "../../src/notebook/results/sweep-chart.ts";

const values = fc.uniqueArray(fc.integer(), { minLength: 1, maxLength: 4 });

test("the inputs of a grid that take several values are its dimensions", () => {
  fc.assert(
    fc.property(values, values, values, (as, bs, cs) => {
      const runs = as.flatMap(a => bs.flatMap(b => cs.map(c => ({ a, b, c }))));
      const several = Object.entries({ a: as, b: bs, c: cs }).filter(([, list]) => list.length > 1);
      expect(sweptInputs(runs)).toEqual(several.map(([name]) => name));
    }),
  );
});

test("an input that follows from another one is no dimension of its own", () => {
  expect(sweptInputs([0, 1, 2].map(a => ({ a, b: 2 * a, c: 7 })))).toEqual(["a"]);
  expect(sweptInputs([0, 1, 2, 3].map(b => ({ a: b >> 1, b })))).toEqual(["b"]);
  expect(sweptInputs([])).toEqual([]);
});

test.each([
  [["0us", "25us", "400us"], "wait (µs)", [0, 25, 400]],
  [["500ns", "1.5 µs", "1000μs", "2e-3s"], "wait (s)", [5e-7, 1.5e-6, 1e-3, 2e-3]],
  [["0s", "100ns"], "wait (ns)", [0, 100]],
  [["16dt", "32dt"], "wait (dt)", [16, 32]],
  [["16dt", "32ns"], "wait", ["16dt", "32ns"]],
  [["10ns", "2 * 10ns"], "wait", ["10ns", "2 * 10ns"]],
  [[1, "2ns"], "wait", [1, "2ns"]],
])("the durations %j are in the column %s", (given, name, values) => {
  expect(inputColumns(given.map(wait => ({ wait, count: 1 })))).toEqual(
    values.map(value => ({ [name]: value, "input.count": 1 })),
  );
});
