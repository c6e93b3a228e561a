import { describe, expect, test } from "vitest";
import { compile, simulateNoisy } from "../../../src/simulation/index.ts";
import { agrees } from "./noisy-reference.ts";
import { exact, pauliNoise, SHOTS, sampleBy } from "./noisy-run.ts";

describe.each(["density matrix", "trajectories", "stabilizer"] as const)(
  "errors of measurements, by %s",
  method => {
    const run = sampleBy(method);
    const model = pauliNoise(3, { zeroGivenOne: 0.2, oneGivenZero: 0.05 });

    test("depend on what was found", () => {
      const counts = run("qubit[2] q; bit[2] c; x q[0]; c = measure q;", model);
      expect(agrees(counts, { "01": 0.8 * 0.95, "00": 0.2 * 0.95, 11: 0.8 * 0.05, 10: 0.2 * 0.05 })).toBe(
        true,
      );
    });

    test("mislead what the program does after it, and are not drawn again", () => {
      const body = "qubit[2] q; bit[2] c; bit d; x q[0]; d = measure q[0]; if (d) x q[1]; c = measure q;";
      const counts = run(body, { ...model, zeroGivenOne: [0.2, 0, 0], oneGivenZero: [0.05, 0, 0] });
      const expected = { "1 11": 0.64, "1 10": 0.16, "0 01": 0.16, "0 00": 0.04 };
      expect(agrees(counts, expected)).toBe(true);
    });

    test("differ from one measurement of a qubit to the next", () => {
      const counts = run(
        "qubit q; bit[2] c; x q; c[0] = measure q; c[1] = measure q;",
        pauliNoise(1, { zeroGivenOne: 0.3 }),
      );
      expect(agrees(counts, { 11: 0.49, "01": 0.21, 10: 0.21, "00": 0.09 })).toBe(true);
    });

    test("stay with a bit whose qubit continues", () => {
      const counts = run("qubit q; bit[2] c; h q; c[0] = measure q; h q; c[1] = measure q;", model);
      const one = 0.5 * 0.8 + 0.5 * 0.05;
      const expected = { 11: one ** 2, "01": one * (1 - one), 10: one * (1 - one), "00": (1 - one) ** 2 };
      expect(agrees(counts, expected)).toBe(true);
    });

    test("are drawn beside those of a qubit that next to never errs", () => {
      const errors = { ...model, zeroGivenOne: [0, 0.2, 0], oneGivenZero: [1e-310, 0.05, 0] };
      const expected = { "01": 0.8, "00": 0.2 };
      expect(
        agrees(
          run("qubit[2] q; bit[2] c; x q[1]; c[1] = measure q[0]; c[0] = measure q[1];", errors),
          expected,
        ),
      ).toBe(true);
    });

    test("do not touch bits that the program writes itself", () => {
      expect(run('qubit q; bit[2] c; c[0] = measure q; c = "10";', model)).toEqual({ 10: SHOTS });
    });
  },
);

test("a distribution that errors of measurements make too long to list is refused before it is made", () => {
  const measurements = Array.from({ length: 40 }, (_, i) => `c[${i}] = measure q;`);
  const data = `OPENQASM 3.0;\nqubit q; bit[40] c; ${measurements.join(" ")}`;
  const noise = pauliNoise(1, { zeroGivenOne: 0.2, oneGivenZero: 0.1 });
  expect(() => simulateNoisy(compile({ format: "qasm3", data }), noise, { shots: 0 })).toThrow(
    "more than 1,048,576 outcomes",
  );
});

test("errors of twelve measurements of six qubits, in two registers, are those of each by itself", () => {
  const found = exact(
    "qubit[6] q; bit[6] c; bit[6] d; h q[0]; x q[1]; ry(0.9) q[2]; c = measure q; d = measure q;",
    {
      ...pauliNoise(6),
      zeroGivenOne: [0.1, 0.2, 0, 0, 0.3, 0],
      oneGivenZero: [0.05, 0, 0.15, 0.25, 0, 0],
    },
  );
  const read = (one: number, zeroGivenOne: number, oneGivenZero: number) => (c: number, d: number) => {
    const said = (bit: number, wrongly: number) => (bit ? wrongly : 1 - wrongly);
    return (
      one * said(1 - c, zeroGivenOne) * said(1 - d, zeroGivenOne) +
      (1 - one) * said(c, oneGivenZero) * said(d, oneGivenZero)
    );
  };
  const qubits = [
    read(0.5, 0.1, 0.05),
    read(1, 0.2, 0),
    read(Math.sin(0.45) ** 2, 0, 0.15),
    read(0, 0, 0.25),
    read(0, 0.3, 0),
    read(0, 0, 0),
  ];
  let sum = 0;
  for (const [key, probability] of Object.entries(found)) {
    const [d, c] = key.split(" ").map(bits => [...bits].reverse().map(Number)) as [number[], number[]];
    expect(probability).toBeCloseTo(
      qubits.reduce((product, of, i) => product * of(c[i]!, d[i]!), 1),
      12,
    );
    sum += probability;
  }
  expect(sum).toBeCloseTo(1, 12);
});
