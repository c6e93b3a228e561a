import fc from "fast-check";
import { expect, test } from "vitest";
import { contradicts } from "../chi-square.ts";
import { cliffordGate, cliffordPair, programOf } from "../random-statements.ts";
import { HEAD, run } from "../run.ts";

const pauli = fc.constantFrom("x", "y", "z", "id", "rx(pi)", "p(pi)", "U(pi, 0, pi)");
const statement = fc
  .tuple(
    fc.nat({ max: 9 }),
    fc.tuple(cliffordGate, cliffordPair, pauli, pauli),
    fc.shuffledSubarray([0, 1, 2, 3, 4], { minLength: 5 }),
  )
  .map(([kind, [one, two, first, second], [a, b, bit, other]]) => {
    if (kind < 2) return `${one} q[${a}];`;
    if (kind < 4) return `${two.replace("ctrl @ s", "cz")} q[${a}], q[${b}];`;
    if (kind < 6) return `m[${bit}] = measure q[${a}];`;
    if (kind === 6) return `if (m[${bit}]) { ${first} q[${a}]; ${second} q[${b}]; }`;
    if (kind === 7) return `if (!m[${bit}]) ${first} q[${a}];`;
    if (kind === 8) return `if (m[${bit}] == 0) { ${first} q[${a}]; barrier q; ${second} q[${a}]; }`;
    return `if (m[${bit}]) { ${first} q[${a}]; m[${other}] = measure q[${a}]; } reset q[${b}];`;
  });

test("Paulis on a condition have the state vector's exact distribution, and its shots", () => {
  fc.assert(
    fc.property(fc.array(statement, { minLength: 8, maxLength: 30 }), lines => {
      const program = programOf(["h q[0]; h q[1]; m[0] = measure q[0]; m[1] = measure q[1];", ...lines]);
      const { measurementProbabilities: exact } = run(program, { shots: 0, method: "statevector" });
      const { measurementProbabilities: found } = run(program, { shots: 0, method: "stabilizer" });
      for (const key of new Set([...Object.keys(exact!), ...Object.keys(found!)]))
        expect(found![key] ?? 0).toBeCloseTo(exact![key] ?? 0, 9);
      const { measurementCounts } = run(program, { shots: 1000, seed: 2, method: "stabilizer" });
      expect(contradicts(measurementCounts, exact!)).toBe(false);
    }),
    { numRuns: 100 },
  );
});

test("a chain of teleportations is run once for all shots", () => {
  const [a, b, c] = ["q[0]", "q[1]", "q[2]"];
  const hop = `reset ${b}; reset ${c}; h ${b}; cx ${b}, ${c}; cx ${a}, ${b}; h ${a}; m[0] = measure ${a}; m[1] = measure ${b};
if (m[1]) x ${c}; if (m[0] == 1) z ${c}; swap ${a}, ${c};`;
  const program = `${HEAD}qubit[3] q; bit[2] m; bit[1] r; h ${a}; s ${a};\n${hop.repeat(200)}\nsdg ${a}; h ${a}; r[0] = measure ${a};`;
  const { measurementCounts } = run(program, {
    shots: 1000,
    seed: 1,
    method: "stabilizer",
    maxOperations: 10_000,
  });
  expect(Object.keys(measurementCounts).sort()).toEqual(["0 00", "0 01", "0 10", "0 11"]);
});
