import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  compile,
  type PauliSum,
  simulate,
  simulateNoisy,
  uniformNoise,
} from "../../../src/simulation/index.ts";
import { contradicts } from "../chi-square.ts";
import { HEAD as LIBRARY } from "../run.ts";

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

describe("exact runs join branches that meet", () => {
  const noise = uniformNoise(
    {
      oneQubit: [{ channel: "amplitude_damping", gamma: 0.02 }],
      twoQubit: [{ channel: "depolarizing", probability: 0.01 }],
      readout: { zeroGivenOne: 0.02, oneGivenZero: 0.01 },
    },
    3,
  );
  /** Runs a program exactly. Returns the mean of Z of qubit 0, and the probabilities. */
  const zOf = (program: string, isNoisy: boolean) => {
    const circuit = compile({ format: "qasm3", data: LIBRARY + program });
    const observables: PauliSum[] = [[{ coefficient: 1, string: [{ qubit: 0, pauli: "Z" }] }]];
    const options = { shots: 0, observables } as const;
    const result = isNoisy ? simulateNoisy(circuit, noise, options) : simulate(circuit, options);
    return { mean: result.expectations![0]!.value, probabilities: result.measurementProbabilities! };
  };

  test("of teleportations, whose state is kept", () => {
    const chain = `qubit[3] q; bit[2] c; ry(0.7) q[0]; for int i in [1:20] {
      reset q[1]; reset q[2]; h q[1]; cx q[1], q[2]; cx q[0], q[1]; h q[0];
      c[0] = measure q[0]; c[1] = measure q[1];
      if (c[1]) x q[2]; if (c[0]) z q[2];
      reset q[0]; swap q[0], q[2];
    }`;
    const { mean, probabilities } = zOf(chain, false);
    expect(mean).toBeCloseTo(Math.cos(0.7), 10);
    expect(Object.values(probabilities)).toEqual([0.25, 0.25, 0.25, 0.25].map(p => expect.closeTo(p, 10)));
    expect(Math.abs(zOf(chain, true).mean)).toBeLessThan(0.5);
  });

  test.each([false, true])("of a walk that counts its steps (noisy: %s)", isNoisy => {
    const walk = (rounds: number) =>
      `qubit[1] q; bit c; bit out; int n = 0; for int i in [1:${rounds}] { h q[0]; c = measure q[0]; if (c) { n += 1; } reset q[0]; } if (n > ${rounds / 2}) x q[0]; out = measure q[0];`;
    const more = (rounds: number, one: number) => {
      let [sum, term] = [0, (1 - one) ** rounds];
      for (let n = 0; n <= rounds; n++) {
        if (n > rounds / 2) sum += term;
        term *= ((rounds - n) / (n + 1)) * (one / (1 - one));
      }
      return sum;
    };
    const ones = isNoisy ? 0.49 * 0.98 + 0.51 * 0.01 : 0.5;
    const isRead = (x: number) => (isNoisy ? x * 0.98 * 0.98 + (1 - x * 0.98) * 0.01 : x);
    const { probabilities } = zOf(walk(40), isNoisy);
    const [zero = 0, one = 0] = ["1 0", "1 1"].map(key => probabilities[key]);
    expect(zero + one).toBeCloseTo(isRead(more(40, ones)), 9);
  });
});
