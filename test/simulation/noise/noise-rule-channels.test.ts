import { describe, expect, test } from "vitest";
import type { RuleChannel } from "../../../src/simulation/index.ts";
import { contradicts } from "../chi-square.ts";
import type { Complex, Matrix } from "../reference.ts";
import { DensityMatrix } from "./noisy-reference.ts";
import { channelNoise, exact, sampleBy } from "./noisy-run.ts";
import { COHERENT, DAMPING, kraus, model, onAll, PAIR_DECAY, TURNED } from "./rules.ts";

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

  test.each(["trajectories", "matrix product state"] as const)(
    "acts after a relaxation that resets its qubits, drawn by %s",
    method => {
      const body = "qubit[2] q; bit[2] c; x q; cx q[0], q[1]; h q[0]; c = measure q;";
      const reset: RuleChannel = { channel: "thermal_relaxation", T1: 10, T2: 8, time: 20 };
      const noise = onAll([reset, { channel: "depolarizing", probability: 0.3 }], 2);
      expect(contradicts(sampleBy(method)(body, noise), exact(body, noise))).toBe(false);
    },
  );
});
