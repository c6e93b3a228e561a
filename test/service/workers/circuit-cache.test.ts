import { expect, test } from "vitest";
import { compileOnce } from "../../../src/service/workers/worker.ts";

const program = (data: string) => ({ format: "qasm3" as const, data });
const small = program("qubit q; bit c; c = measure q;");

test("a program that was just compiled is not compiled again, until many others were", async () => {
  await expect.poll(() => compileOnce(small, {}) === compileOnce({ ...small }, {})).toBe(true);
  const circuit = compileOnce(small, {});
  expect(compileOnce({ ...small, files: { "a.inc": "" } }, {})).not.toBe(circuit);
  for (let width = 1; width <= 100; width += 1) compileOnce(program(`qubit[${width}] q;`), {});
  expect(compileOnce(small, {})).not.toBe(circuit);
});

test("a circuit of very many operations or values is not kept, however short its program is", () => {
  const broadcast = program(`include "stdgates.inc"; qubit[1000] q; ${"h q; ".repeat(50)}`);
  const array = program("array[int[32], 1000, 100] a; qubit q;");
  for (const large of [broadcast, array]) expect(compileOnce(large, {})).not.toBe(compileOnce(large, {}));
});

test("each value of an input is compiled anew", () => {
  const rotated = program('include "stdgates.inc"; input float a; qubit q; rx(a) q;');
  expect(compileOnce(rotated, { inputs: { a: 1 } })).not.toBe(compileOnce(rotated, { inputs: { a: 1 } }));
});

test("a program that is wrong is wrong each time", () => {
  for (const _ of [1, 2]) expect(() => compileOnce(program("hh q;"), {})).toThrow(/no gate hh/);
});
