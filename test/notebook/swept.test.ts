import fc from "fast-check";
import { expect, test } from "vitest";
import { sweptInputs } from "../../src/notebook/results/sweep-chart.ts";

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
