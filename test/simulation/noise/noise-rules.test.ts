import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type NoiseRule,
  noiseModelOfRules,
  type RuleChannel,
  simulateNoisy,
} from "../../../src/simulation/index.ts";
import { contradicts } from "../chi-square.ts";
import { circuit, exact } from "./noisy-run.ts";
import { COHERENT, DAMPING, model, onAll, PAIR_DECAY, PAULI, PAULI_PAIR, TURNED } from "./rules.ts";

describe("noise rules", () => {
  const flip = (probability: number): RuleChannel => ({ channel: "bit_flip", probability });
  const program = "qubit[3] q; bit[3] c; x q[0]; x q[1]; cx q[0], q[2]; c = measure q;";

  test("act by gate and qubit, and the last that matches counts", () => {
    const found = exact(
      program,
      model(
        [
          { numQubits: 1, channels: [flip(0.5)] },
          { gates: ["x"], qubits: [[0]], channels: [flip(0)] },
          { gates: ["x"], qubits: [[1]], channels: [flip(0.25)] },
          { numQubits: 2, qubits: [[2, 0]], channels: [{ channel: "pauli", probabilities: { IX: 0.125 } }] },
        ],
        3,
      ),
    );
    expect(found["111"]).toBeCloseTo(0.75 * 0.875, 12);
    expect(found["101"]).toBeCloseTo(0.25 * 0.875, 12);
    expect(found["011"]).toBeCloseTo(0.75 * 0.125, 12);
  });

  test("leave diagonal one-qubit gates alone unless they name them", () => {
    const body = "qubit[1] q; bit[1] c; rz(0.3) q[0]; c = measure q;";
    expect(exact(body, onAll([flip(0.5)]))).toEqual({ "0": 1 });
    expect(exact(body, model([{ gates: ["rz"], channels: [flip(0.5)] }], 1))["1"]).toBeCloseTo(0.5, 12);
  });

  test("take a swap for three gates of its pair, and a larger gate for two on each pair, unless they name it", () => {
    const pair = (p: number): NoiseRule => ({
      numQubits: 2,
      channels: [{ channel: "pauli", probabilities: { XI: p } }],
    });
    const onSwap = exact("qubit[2] q; bit[2] c; swap q[0], q[1]; c = measure q;", model([pair(0.1)], 2));
    expect(onSwap["01"]).toBeCloseTo((1 - 0.8 ** 3) / 2, 12);
    const named: NoiseRule = { gates: ["ccx"], channels: [flip(0.1)] };
    const onCcx = exact(
      "qubit[3] q; bit[3] c; ccx q[0], q[1], q[2]; c = measure q;",
      model([pair(0.2), named], 3),
    );
    expect(onCcx["000"]).toBeCloseTo(0.9 ** 3, 12);
  });

  test("read out each qubit by its own errors", () => {
    const found = exact(
      "qubit[2] q; bit[2] c; x q[1]; c = measure q;",
      model([], 2, {
        readout: [
          { zeroGivenOne: 0.1, oneGivenZero: 0.2 },
          { qubits: [1], zeroGivenOne: 0.3, oneGivenZero: 0 },
        ],
      }),
    );
    expect(found["10"]).toBeCloseTo(0.8 * 0.7, 12);
    expect(found["01"]).toBeCloseTo(0.2 * 0.3, 12);
  });

  test("are twirled to Pauli errors where they ask for it, which stabilizers simulate, and the method says so", () => {
    const twirled = model([{ channels: [DAMPING] }], 1, { isTwirled: true });
    const body = "qubit[1] q; bit[1] c; x q[0]; c = measure q;";
    expect(exact(body, twirled)["0"]).toBeCloseTo(0.15, 12);
    const { method, measurementCounts } = simulateNoisy(circuit(body), twirled, {
      shots: 20_000,
      seed: 1,
      method: "stabilizer",
    });
    expect(method.reason).toContain("twirled to Pauli errors");
    expect(contradicts(measurementCounts, { "0": 0.15, "1": 0.85 })).toBe(false);
  });

  test("that are no Pauli errors are refused by stabilizers", () => {
    expect(() =>
      simulateNoisy(circuit("qubit[1] q; bit[1] c; x q[0]; c = measure q;"), onAll([DAMPING]), {
        shots: 10,
        method: "stabilizer",
      }),
    ).toThrow(/Pauli/);
  });
});

describe("every method agrees with the density matrix", () => {
  const NAMES = ["h", "t", "sx", "rx(0.7)", "ry(1.3)", "z", "x"];
  const programs = fc
    .array(
      fc
        .record({
          kind: fc.constantFrom("one", "one", "pair", "pair", "measure", "reset", "if"),
          one: fc.constantFrom(...NAMES),
          pair: fc.constantFrom("cx", "cz", "swap", "crx(0.9)"),
          places: fc.shuffledSubarray([0, 1, 2], { minLength: 2 }),
        })
        .map(({ kind, one, pair, places: [a, b] }) => {
          if (kind === "one") return `${one} q[${a}];`;
          if (kind === "pair") return `${pair} q[${a}], q[${b}];`;
          if (kind === "measure") return `m[${b}] = measure q[${a}];`;
          if (kind === "reset") return `reset q[${a}];`;
          return `if (m[${b}]) { ${one} q[${a}]; } else { ${pair} q[${a}], q[${b}]; }`;
        }),
      { minLength: 2, maxLength: 10 },
    )
    .map(lines => `qubit[3] q; bit[3] m; bit[3] c;\n${lines.join("\n")}\nc = measure q;`);

  const one = model(
    [
      { numQubits: 1, channels: [PAULI, TURNED] },
      { numQubits: 2, channels: [PAULI_PAIR, DAMPING] },
    ],
    3,
  );
  const pairs = model(
    [
      { numQubits: 1, channels: [COHERENT, DAMPING, PAULI] },
      { numQubits: 2, channels: [DAMPING, PAULI_PAIR, PAIR_DECAY] },
      { gates: ["z"], channels: [TURNED] },
    ],
    3,
  );
  test.each([
    ["one qubit", "trajectories", one],
    ["pairs", "trajectories", pairs],
    ["one qubit", "matrix product state", one],
  ] as const)("jumps of %s by %s", (_, method, noise) => {
    fc.assert(
      fc.property(programs, fc.nat(1e6), (body, seed) => {
        const { measurementCounts } = simulateNoisy(circuit(body), noise, { shots: 2000, seed, method });
        return !contradicts(measurementCounts, exact(body, noise));
      }),
      { numRuns: 12 },
    );
  });

  test("states that are large for the kernels, too", () => {
    const idle = Array.from({ length: 13 }, (_, i) => `h q[${i + 3}];`).join(" ");
    const body = (width: number, rest: string) =>
      `qubit[${width}] q; bit[3] c; h q[0]; ry(0.4) q[1]; cx q[0], q[2]; cx q[1], q[2]; ry(0.9) q[2]; ${rest} c[0] = measure q[0]; c[1] = measure q[1]; c[2] = measure q[2];`;
    const large = { ...pairs, ...noiseModelOfRules(pairs.rules!, 16) };
    const { measurementCounts, method } = simulateNoisy(circuit(body(16, idle)), large, {
      shots: 400,
      seed: 3,
      method: "trajectories",
    });
    expect(method.name).toBe("trajectories");
    expect(contradicts(measurementCounts, exact(body(3, ""), pairs))).toBe(false);
  });

  test("matrix product states refuse jumps of pairs", () => {
    const run = () =>
      simulateNoisy(circuit("qubit[2] q; bit[2] c; cx q[0], q[1]; c = measure q;"), pairs, {
        shots: 10,
        method: "matrix product state",
      });
    expect(run).toThrow(/pairs of qubits/);
  });
});
