import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compile, isClifford, type OptimizationLevel, transpile } from "../../../src/simulation/index.ts";
import { TARGETS } from "./devices.ts";

const QUBITS = 7;
const qubits = fc
  .shuffledSubarray([...Array(QUBITS).keys()], { minLength: 2, maxLength: 2 })
  .map(([a, b]) => [`q[${a}]`, `q[${b}]`]);
const gate = fc
  .tuple(fc.constantFrom("h", "s", "sdg", "x", "y", "sx", "cx", "cx", "cz", "cy", "swap"), qubits)
  .map(([name, [a, b]]) => (/^(c|swap)/.test(name) ? `${name} ${a}, ${b};` : `${name} ${a};`));
const program = (lines: readonly string[]) =>
  compile({
    format: "qasm3",
    data: `OPENQASM 3.0; include "stdgates.inc"; qubit[${QUBITS}] q; bit[${QUBITS}] c; ${lines.join("\n")} c = measure q;`,
  });

describe("a transpiled Clifford circuit", () => {
  test.each(Object.keys(TARGETS))("is made of Clifford gates alone on %s, routed and optimized", name => {
    fc.assert(
      fc.property(
        fc.array(gate, { minLength: 1, maxLength: 40 }),
        fc.constantFrom<OptimizationLevel>(0, 1, 2, 3),
        (lines, optimizationLevel) => {
          const { circuit } = transpile(program(lines), TARGETS[name]!, { optimizationLevel });
          expect(isClifford(circuit)).toBe(true);
        },
      ),
      { numRuns: 25 },
    );
  });
});
