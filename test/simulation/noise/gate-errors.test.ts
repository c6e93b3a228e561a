import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { RuleChannel } from "../../../src/simulation/index.ts";
import type { NoiseModel } from "../../../src/simulation/noise-model.ts";
import { controlled, H, type Matrix, phase, SWAP, SX, X } from "../reference.ts";
import { agrees, DensityMatrix } from "./noisy-reference.ts";
import { pauliNoise, SHOTS, sampleBy } from "./noisy-run.ts";
import { model } from "./rules.ts";

const depolarizing = (probability: number): RuleChannel => ({ channel: "depolarizing", probability });

/** Errors of each qubit, those of one pair, and those of all others. */
const modelOf = (
  oneQubit: readonly number[],
  { pair, probability, otherwise }: { pair: readonly number[]; probability: number; otherwise: number },
): NoiseModel =>
  model(
    [
      ...oneQubit.map((p, qubit) => ({
        numQubits: 1 as const,
        qubits: [[qubit]],
        channels: [depolarizing(p)],
      })),
      { numQubits: 2, channels: [depolarizing(otherwise)] },
      { numQubits: 2, qubits: [pair], channels: [depolarizing(probability)] },
    ],
    oneQubit.length,
  );

const METHODS = ["density matrix", "trajectories"] as const;

describe.each(METHODS)("errors of gates, by %s", method => {
  const run = sampleBy(method);

  test("flip a qubit with two of the three errors of a one-qubit gate", () => {
    const p = 0.06;
    const counts = run("qubit q; bit c; x q; c = measure q;", pauliNoise(1, { one: p }));
    expect(agrees(counts, { 1: 1 - (2 * p) / 3, 0: (2 * p) / 3 })).toBe(true);
    expect(agrees(counts, { 1: 1 - p, 0: p })).toBe(false);
  });

  test("add up over many gates as the depolarizing channel does", () => {
    const p = 0.01;
    const counts = run(
      "qubit q; bit c; for int i in [1:101] { x q; } c = measure q;",
      pauliNoise(1, { one: p }),
    );
    const one = (1 + (1 - (4 * p) / 3) ** 101) / 2;
    expect(agrees(counts, { 1: one, 0: 1 - one })).toBe(true);
  });

  test.each(["", "h q; "])("take 8 of 15 errors of a pair out of a Bell pair's correlation %#", turn => {
    const p = 0.1;
    const counts = run(
      `qubit[2] q; bit[2] c; h q[0]; cx q[0], q[1]; ${turn}c = measure q;`,
      pauliNoise(2, { two: p }),
    );
    const odd = (8 / 15) * p;
    expect(agrees(counts, { "00": (1 - odd) / 2, "11": (1 - odd) / 2, "01": odd / 2, 10: odd / 2 })).toBe(
      true,
    );
  });

  test("take the figures of each qubit and pair, and the default for pairs that are not listed", () => {
    const model = modelOf([0, 0.3, 0, 0], { pair: [1, 0], probability: 0.15, otherwise: 0.6 });
    const flips = (counts: Record<string, number>) => 1 - (counts["00"] ?? 0) / SHOTS;
    const body = (gates: string) =>
      `qubit[4] q; bit[2] c; ${gates} c[0] = measure q[0]; c[1] = measure q[1];`;
    expect(flips(run(body("x q[0]; x q[0];"), model))).toBe(0);
    expect(flips(run(body("x q[1]; x q[1];"), model))).toBeCloseTo(0.4 * 0.8, 1);
    expect(flips(run(body("cx q[0], q[1];"), model))).toBeCloseTo((0.15 * 12) / 15, 2);
    expect(flips(run(body("cx q[1], q[2];"), model))).toBeCloseTo((0.6 * 8) / 15, 2);
  });

  test("leave gates alone that only turn a phase, and identities not", () => {
    const model = pauliNoise(1, { one: 0.75 });
    const body = (gate: string) => `qubit q; bit c; ${gate} q; c = measure q;`;
    for (const gate of ["z", "s", "rz(0.3)", "p(1)"]) expect(run(body(gate), model)).toEqual({ 0: SHOTS });
    expect(agrees(run(body("id"), model), { 0: 0.5, 1: 0.5 })).toBe(true);
  });

  test("follow a density matrix, for random programs with gates of several steps and loops", () => {
    const oneQubit = [0.02, 0.05, 0.01];
    const model: NoiseModel = {
      ...modelOf(oneQubit, { pair: [0, 1], probability: 0.08, otherwise: 0.04 }),
      zeroGivenOne: [0.03, 0.06, 0.01],
      oneGivenZero: [0.01, 0.02, 0.05],
    };
    const pair = (a: number, b: number) => (a + b === 1 ? 0.08 : 0.04);
    const step = fc.record({
      gate: fc.constantFrom("h", "sx", "t", "cx", "cz", "swap", "ccx", "mix", "loop"),
      turn: fc.nat(2),
      back: fc.boolean(),
    });
    const widths: Record<string, number> = { h: 1, sx: 1, t: 1, ccx: 3 };
    const matrices: Record<string, Matrix> = {
      h: H,
      sx: SX,
      t: phase(Math.PI / 4),
      cx: controlled(X),
      cz: controlled(phase(Math.PI)),
      swap: SWAP,
      ccx: controlled(controlled(X)),
    };
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 8 }), fc.nat(2 ** 31), (steps, seed) => {
        const rho = new DensityMatrix(3);
        const elementary = (gate: string, qubits: number[]) => {
          rho.apply(matrices[gate]!, qubits);
          const [a, b, c] = qubits as [number, number, number];
          if (gate === "h" || gate === "sx") rho.depolarize([a], oneQubit[a]!);
          const pairs =
            qubits.length === 3
              ? [
                  [a, b],
                  [a, c],
                  [b, c],
                ]
              : qubits.length === 2
                ? [[a, b]]
                : [];
          const times = gate === "swap" ? 3 : gate === "ccx" ? 2 : 1;
          for (const [i, j] of pairs as [number, number][])
            for (let k = 0; k < times; k++) rho.depolarize([i, j], pair(i, j));
        };
        let body = "gate mix a, b { h a; cx a, b; sx b; } qubit[3] q; bit[3] c;\n";
        for (const { gate, turn, back } of steps) {
          const all = [0, 1, 2].map(i => (back ? 3 - i + turn : i + turn) % 3);
          if (gate === "loop") {
            body += "for int i in [0:1] { mix q[i], q[i + 1]; }\n";
            for (const [a, b] of [
              [0, 1],
              [1, 2],
            ] as const) {
              elementary("h", [a]);
              elementary("cx", [a, b]);
              elementary("sx", [b]);
            }
            continue;
          }
          const qubits = all.slice(0, widths[gate] ?? 2);
          body += `${gate} ${qubits.map(qubit => `q[${qubit}]`).join(", ")};\n`;
          if (gate === "mix") {
            elementary("h", [qubits[0]!]);
            elementary("cx", qubits);
            elementary("sx", [qubits[1]!]);
          } else elementary(gate, qubits);
        }
        const counts = run(`${body}c = measure q;`, model, { shots: 4000, seed });
        expect(agrees(counts, rho.outcomes(model)), body).toBe(true);
      }),
      { numRuns: 60, seed: 1 },
    );
  });
});
