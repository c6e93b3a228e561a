import fc from "fast-check";
import { expect, test } from "vitest";
import { compile, simulate } from "../../../src/simulation/index.ts";
import { contradicts } from "../chi-square.ts";

const HEAD = 'OPENQASM 3.0;\ninclude "stdgates.inc";\nqubit[3] q;\nbit[3] c;\nint n = 0;\n';

const circuitOf = (lines: readonly string[]) =>
  compile({ format: "qasm3", data: `${HEAD}${lines.join("\n")}\nc = measure q;\n` });

test("branches that become alike are run once from there on", () => {
  const round = "h q[0]; c[0] = measure q[0]; if (c[0]) x q[1]; n = n + 1; if (n % 2 == 1) rz(0.1 * n) q[2];";
  const circuit = circuitOf(Array.from({ length: 400 }, () => round));
  const { measurementCounts } = simulate(circuit, { shots: 4000, seed: 1, maxOperations: 30_000 });
  expect(Object.keys(measurementCounts).sort()).toEqual(["000", "001", "010", "011"]);
  for (const count of Object.values(measurementCounts)) expect(Math.abs(count - 1000)).toBeLessThan(150);
});

test("branches in a loop meet again in each of its rounds", () => {
  const circuit = circuitOf([
    "for int i in [1:300] { h q[0]; c[0] = measure q[0]; if (c[0]) { reset q[0]; x q[1]; } reset q[0]; }",
  ]);
  const { measurementCounts } = simulate(circuit, { shots: 1000, seed: 2, maxOperations: 30_000 });
  expect(Object.keys(measurementCounts).sort()).toEqual(["000", "010"]);
});

const line = fc.constantFrom(
  ...["h q[0];", "h q[1];", "cx q[0], q[1];", "cx q[1], q[2];", "x q[2];", "ry(0.7) q[1];", "s q[0];"],
  ...["c[0] = measure q[0];", "c[1] = measure q[1];", "reset q[2];", "reset q[0];", "n = n + int(c[0]);"],
  ...["if (c[0]) x q[1];", "if (c[1] && !c[0]) { h q[2]; c[2] = measure q[2]; }", "if (n > 1) z q[0];"],
);

test("joined branches have the outcomes that they would have apart", () => {
  fc.assert(
    fc.property(fc.array(line, { minLength: 5, maxLength: 30 }), lines => {
      const circuit = circuitOf(lines);
      const { measurementProbabilities } = simulate(circuit, { shots: 0, method: "statevector" });
      const { measurementCounts } = simulate(circuit, { shots: 2000, seed: 3, method: "statevector" });
      expect(contradicts(measurementCounts, measurementProbabilities!)).toBe(false);
    }),
    { numRuns: 150 },
  );
});
