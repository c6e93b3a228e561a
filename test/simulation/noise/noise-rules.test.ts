import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type NoiseRule,
  type NoiseRules,
  noiseModelOfRules,
  type RuleChannel,
  simulateNoisy,
} from "../../../src/simulation/index.ts";
import { contradicts } from "../chi-square.ts";
import type { Complex, Matrix } from "../reference.ts";
import { DensityMatrix } from "./noisy-reference.ts";
import { channelNoise, circuit, exact } from "./noisy-run.ts";

const rulesOf = (rules: readonly NoiseRule[], more: Partial<NoiseRules> = {}): NoiseRules => ({
  rules,
  readout: [],
  ...more,
});
const model = (rules: readonly NoiseRule[], numQubits: number, more: Partial<NoiseRules> = {}) =>
  noiseModelOfRules(rulesOf(rules, more), numQubits);
const onAll = (channels: readonly RuleChannel[], numQubits = 1) => model([{ channels }], numQubits);

const [c, s] = [Math.cos(0.3), Math.sin(0.3)];
const kraus = (...operators: number[][][]): RuleChannel => ({ channel: "kraus", operators });
/** A measurement of a turned qubit, whose outcome turns it further: neither unital nor a mixture of unitary gates. */
const TURNED = kraus(
  [
    [0.9 * c, -0.9 * s],
    [0.6 * s, 0.6 * c],
  ],
  [
    [0.8 * s, 0.8 * c],
    [Math.sqrt(0.19) * c, -Math.sqrt(0.19) * s],
  ],
);
/** Amplitude damping of both qubits at once: 11 decays to 00. */
const PAIR_DECAY = kraus(
  [
    [1, 0, 0, 0],
    [0, 1, 0, 0],
    [0, 0, 1, 0],
    [0, 0, 0, 0.8],
  ],
  [
    [0, 0, 0, 0.6],
    [0, 0, 0, 0],
    [0, 0, 0, 0],
    [0, 0, 0, 0],
  ],
);
const COHERENT = kraus([
  [c, -s],
  [s, c],
]);
const PAULI: RuleChannel = { channel: "pauli", probabilities: { X: 0.1, Z: 0.05 } };
const PAULI_PAIR: RuleChannel = { channel: "pauli", probabilities: { XX: 0.1, ZY: 0.05, IZ: 0.02 } };
const DAMPING: RuleChannel = { channel: "amplitude_damping", gamma: 0.3 };

describe("a channel of a noise rule", () => {
  const sx = "qubit[1] q; bit[1] c; sx q[0]; c = measure q;";

  test("flips a bit with its probability", () => {
    const found = exact(
      "qubit[1] q; bit[1] c; x q[0]; c = measure q;",
      onAll([{ channel: "bit_flip", probability: 0.2 }]),
    );
    expect(found["0"]).toBeCloseTo(0.2, 12);
  });

  test("flips a phase with its probability", () => {
    const found = exact(
      "qubit[1] q; bit[1] c; h q[0]; z q[0]; rx(0) q[0]; h q[0]; c = measure q;",
      model([{ gates: ["rx"], channels: [{ channel: "phase_flip", probability: 0.2 }] }], 1),
    );
    expect(found["0"]).toBeCloseTo(0.2, 12);
  });

  test.each<[RuleChannel, RuleChannel[]]>([
    [{ channel: "amplitude_damping", gamma: 0.3 }, [{ channel: "amplitude_damping", gamma: 0.3 }]],
    [{ channel: "phase_damping", lambda: 0.3 }, [{ channel: "phase_damping", lambda: 0.3 }]],
    [
      { channel: "thermal_relaxation", T1: 10, T2: 14, time: 3 },
      [
        kraus(
          [
            [1, 0],
            [0, Math.exp(-3 / 14)],
          ],
          [
            [0, Math.sqrt(1 - Math.exp(-3 / 10))],
            [0, 0],
          ],
          [
            [0, 0],
            [0, Math.sqrt(Math.exp(-3 / 10) - Math.exp(-6 / 14))],
          ],
        ),
      ],
    ],
    [
      { channel: "depolarizing", probability: 0.3 },
      [{ channel: "pauli", probabilities: { X: 0.1, Y: 0.1, Z: 0.1 } }],
    ],
  ])("is the same as a named model's, and as its Kraus operators: %j", (channel, same) => {
    const body = `${sx.replace("c = measure q;", "")} t q[0]; sx q[0]; h q[0]; c = measure q;`;
    const found = exact(body, onAll([channel]))["1"];
    expect(found).toBeCloseTo(exact(body, onAll(same))["1"]!, 12);
    if (channel.channel !== "depolarizing")
      expect(found).toBeCloseTo(exact(body, channelNoise([channel as never]))["1"]!, 12);
  });

  test.each([
    ["TURNED", TURNED, 1],
    ["PAIR_DECAY", PAIR_DECAY, 2],
    ["COHERENT", COHERENT, 1],
  ] as const)("by Kraus operators evolves the density matrix by their sum: %s", (_, channel, width) => {
    const body = `qubit[2] q; bit[2] c; h q[0]; ry(0.7) q[1]; ${width === 1 ? "rx(0) q[0];" : "cu(0, 0, 0, 0) q[0], q[1];"} h q[0]; h q[1]; c = measure q;`;
    const gates = width === 1 ? ["rx"] : ["cu"];
    const found = exact(body, model([{ gates, channels: [channel] }], 2));
    const expected: Record<string, number> = {};
    for (const operator of (channel as RuleChannel & { channel: "kraus" }).operators) {
      const one = new DensityMatrix(2);
      const half = Math.SQRT1_2;
      const hadamard = [
        [half, half],
        [half, -half],
      ];
      const turn = [
        [Math.cos(0.35), -Math.sin(0.35)],
        [Math.sin(0.35), Math.cos(0.35)],
      ];
      const complex = (rows: readonly (readonly unknown[])[]): Matrix =>
        rows.map(row => row.map((x): Complex => [x as number, 0]));
      one.apply(complex(hadamard), [0]);
      one.apply(complex(turn), [1]);
      one.apply(complex(operator), width === 1 ? [0] : [0, 1]);
      one.apply(complex(hadamard), [0]);
      one.apply(complex(hadamard), [1]);
      const noReadout = { zeroGivenOne: [0, 0], oneGivenZero: [0, 0] };
      for (const [key, p] of Object.entries(one.outcomes(noReadout as never)))
        expected[key] = (expected[key] ?? 0) + p;
    }
    for (const [key, p] of Object.entries(expected)) expect(found[key] ?? 0).toBeCloseTo(p, 10);
  });

  test("acts in the order of its list", () => {
    const body = "qubit[1] q; bit[1] c; x q[0]; c = measure q;";
    const flip: RuleChannel = { channel: "bit_flip", probability: 1 };
    expect(exact(body, onAll([flip, DAMPING]))["1"] ?? 0).toBeCloseTo(0, 12);
    expect(exact(body, onAll([DAMPING, flip]))["1"]).toBeCloseTo(0.3, 12);
  });
});

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
