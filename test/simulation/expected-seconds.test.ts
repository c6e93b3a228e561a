import { expect, test } from "vitest";
import { expectedSeconds } from "../../src/simulation/index.ts";

const limits = { maxLength: 10_000, maxOperations: 5000 };
const expected = (body: string, options: Record<string, unknown> = {}, shots = 1000) => {
  const data = `OPENQASM 3.0; include "stdgates.inc"; ${body}`;
  return expectedSeconds({ programs: [{ format: "qasm3", data }], shots, options }, limits);
};
const layers = "rx(0.3) q; for uint i in [0:17] { cx q[i], q[i + 1]; }";

test("a loop is expected to take as long as its rounds", () => {
  const once = expected(`qubit[20] q; ${layers}`, {}, 0)!;
  const often = expected(`qubit[20] q; for uint round in [0:4:396] { ${layers} }`, {}, 0)!;
  expect(often / once).toBeGreaterThan(50);
});

test("each term of an observable takes its time", () => {
  const [one, ten] = [1, 10].map(
    terms => expected(`qubit[20] q; rx(0.3) q;`, { observables: ["Z0".padEnd(4 * terms - 2, "+ X1")] }, 0)!,
  );
  expect(ten! - one!).toBeGreaterThan(one! / 10);
});

test.each([
  ["a loop over a condition", "qubit q; bit b; while (!b) { h q; b = measure q; }"],
  ["a loop whose rounds are computed", "qubit q; bit[2] b; for uint i in [0:int(b)] { h q; }"],
  ["a program that does not compile", "qubit q; g q;"],
  ["a long program", `qubit q; ${"h q;".repeat(3000)}`],
])("%s counts as a minute", (_name, body) => {
  expect(expected(body)).toBe(60);
});

test("loops within loops are estimated at once", () => {
  const body = `qubit q; ${"for uint i in [0:9] {".repeat(40)} h q; ${"}".repeat(40)}`;
  expect(expected(body)).toBe(3600);
});
