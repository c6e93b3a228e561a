import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { UniformChannel } from "../../../src/simulation/noise-rules.ts";
import { exact } from "./noisy-run.ts";
import { model } from "./rules.ts";

/** The probability of finding 0 after a state was prepared, a noisy identity was done, and the preparation undone. */
function fidelityOf(state: string, undo: string, channel: UniformChannel, times = 1): number {
  const noise = model([{ numQubits: 1, qubits: [[1]], channels: [channel] }], 2);
  const body = `qubit[2] q; bit c; ${state} q[0]; swap q[0], q[1]; ${"id q[1]; ".repeat(times)}swap q[0], q[1]; ${undo} q[0]; c = measure q[0];`;
  return exact(body, noise)["0"] ?? 0;
}

const share = fc.double({ min: 0, max: 1, noNaN: true });

describe("a channel has its analytic fidelity", () => {
  const states = [
    ["id", "id"],
    ["x", "x"],
    ["h", "h"],
    ["sx", "inv @ sx"],
  ] as const;
  const fidelities = (channel: UniformChannel) =>
    states.map(([state, undo]) => fidelityOf(state, undo, channel));
  const expectEach = (found: number[], expected: number[]) => {
    found.forEach((value, i) => {
      expect(value).toBeCloseTo(expected[i]!, 10);
    });
  };

  test("depolarizing: every state alike", () => {
    fc.assert(
      fc.property(share, probability => {
        const f = 1 - (2 / 3) * probability;
        expectEach(fidelities({ channel: "depolarizing", probability }), [f, f, f, f]);
      }),
      { numRuns: 20, seed: 1 },
    );
  });

  test("amplitude damping: 0 stays, 1 decays, equators shrink by the root", () => {
    fc.assert(
      fc.property(share, gamma => {
        const equator = (1 + Math.sqrt(1 - gamma)) / 2;
        expectEach(fidelities({ channel: "amplitude_damping", gamma }), [1, 1 - gamma, equator, equator]);
      }),
      { numRuns: 20, seed: 2 },
    );
  });

  test("phase damping: both values stay, equators shrink", () => {
    fc.assert(
      fc.property(share, lambda => {
        const equator = (1 + Math.sqrt(1 - lambda)) / 2;
        expectEach(fidelities({ channel: "phase_damping", lambda }), [1, 1, equator, equator]);
      }),
      { numRuns: 20, seed: 3 },
    );
  });

  test("thermal relaxation: exponentials of T1 and T2, however the time is cut", () => {
    const ratio = fc.double({ min: 0.1, max: 2, noNaN: true });
    fc.assert(
      fc.property(
        ratio,
        fc.double({ min: 0.01, max: 3, noNaN: true }),
        fc.integer({ min: 1, max: 5 }),
        (r, t, cuts) => {
          const channel = {
            channel: "thermal_relaxation",
            T1: 100,
            T2: 100 * r,
            time: (100 * t) / cuts,
          } as const;
          expect(fidelityOf("x", "x", channel, cuts)).toBeCloseTo(Math.exp(-t), 10);
          expect(fidelityOf("h", "h", channel, cuts)).toBeCloseTo((1 + Math.exp(-t / r)) / 2, 10);
        },
      ),
      { numRuns: 30, seed: 4 },
    );
  });

  test("depolarizing of a pair: a Bell state loses 8 of its 15 errors from its correlation", () => {
    fc.assert(
      fc.property(share, probability => {
        const noise = model([{ numQubits: 2, channels: [{ channel: "depolarizing", probability }] }], 2);
        const bell = exact("qubit[2] q; bit[2] c; h q[0]; cx q[0], q[1]; c = measure q;", noise);
        expect(bell["00"]! + bell["11"]!).toBeCloseTo(1 - (8 / 15) * probability, 10);
      }),
      { numRuns: 20, seed: 5 },
    );
  });
});
