import { describe, expect, test } from "vitest";
import { HEAD, outputsOf, run } from "./support.ts";

const COUNTED = `def counted(mutable array[int, 1] calls, bool value) -> bool { calls[0] += 1; return value; }
array[int, 1] calls = {0};
qubit q; bit zero = measure q; x q; bit one = measure q;
`;

describe("&& and || call what stands on their right only where the left leaves the result open", () => {
  test.each([
    ["zero && counted(calls, true)", false, 0],
    ["one && counted(calls, true)", true, 1],
    ["one && counted(calls, false)", false, 1],
    ["one || counted(calls, false)", true, 0],
    ["zero || counted(calls, true)", true, 1],
    ["zero || counted(calls, false)", false, 1],
    ["false && counted(calls, true)", false, 0],
    ["zero && counted(calls, true) || counted(calls, true)", true, 1],
    ["(one || counted(calls, true)) && !counted(calls, false)", true, 1],
    ["counted(calls, true) && counted(calls, false) && counted(calls, true)", false, 2],
    ["counted(calls, zero) || one && counted(calls, one)", true, 2],
  ])("%s", (expression, value, calls) => {
    const { r, n } = outputsOf(`${COUNTED}bool r = ${expression}; int n = calls[0];`);
    expect([r, n]).toEqual([value, calls]);
  });

  test("in the condition of a loop, each time", () => {
    const { n, i } = outputsOf(
      `${COUNTED}int i = 0; while (i < 3 && counted(calls, true)) { i += 1; } int n = calls[0];`,
    );
    expect([i, n]).toEqual([3, 3]);
  });

  test("so that a qubit is measured in some shots alone", () => {
    const { outputs } = run(
      `${HEAD}def flipped(qubit q) -> bit { x q; return measure q; }
qubit[2] q; h q[0]; bit a = measure q[0]; bool b = a && flipped(q[1]); bit c = measure q[1];`,
      {},
      100,
    );
    for (const { a, b, c } of outputs!) expect([String(Number(b)), c]).toEqual([a, a]);
    expect(new Set(outputs!.map(({ a }) => a)).size).toBe(2);
  });
});
