import { describe, expect, test } from "vitest";
import { SimulationError, simulate, simulateNoisy } from "../../../src/simulation/index.ts";
import type { NoiseModel } from "../../../src/simulation/noise-model.ts";
import { agrees } from "./noisy-reference.ts";
import { circuit, pauliNoise, sampleBy } from "./noisy-run.ts";

describe("a noisy run", () => {
  const run = sampleBy();
  const teleport = `qubit[3] q; bit[2] m; bit c; x q[0]; h q[1]; cx q[1], q[2]; cx q[0], q[1]; h q[0];
    m[0] = measure q[0]; m[1] = measure q[1]; if (m[1]) x q[2]; if (m[0]) z q[2]; reset q[0]; h q[0]; h q[0]; c = measure q[2];`;
  const model = pauliNoise(3, { one: 0.02, two: 0.05, zeroGivenOne: 0.03, oneGivenZero: 0.02 });

  test("gives what a run without noise gives, where the noise is nothing", () => {
    const ideal = simulate(circuit(teleport), { shots: 0 }).measurementProbabilities!;
    expect(agrees(run(teleport, pauliNoise(3, {})), ideal)).toBe(true);
  });

  test("respects measurements, resets and feed-forward in the middle", () => {
    const counts = run(
      `qubit q; bit[3] c; h q; c[0] = measure q; reset q; x q; c[1] = measure q; if (c[0]) x q; c[2] = measure q;`,
      pauliNoise(1, { one: 0.03 }),
    );
    const f = 0.02;
    const expected = {
      110: 0.5 * (1 - f),
      "000": 0.5 * f,
      "011": 0.5 * (1 - f) * (1 - f),
      111: 0.5 * (1 - f) * f,
      101: 0.5 * f * (1 - f),
      "001": 0.5 * f * f,
    };
    expect(agrees(counts, expected)).toBe(true);
  });

  test("gives the same for the same seed, with and without memory, and however little room there is", () => {
    const program = circuit(teleport);
    const options = { shots: 3000, seed: 11 };
    const first = simulateNoisy(program, model, options);
    const again = simulateNoisy(program, model, { ...options, memory: true });
    const tight = simulateNoisy(program, model, { ...options, maxBytes: 128 });
    const other = simulateNoisy(program, model, { ...options, seed: 12 });
    expect(again.measurementCounts).toEqual(first.measurementCounts);
    expect(tight).toEqual(first);
    expect(other).not.toEqual(first);
    const tally = Object.groupBy(again.measurements!, outcome => outcome);
    for (const [outcome, seen] of Object.entries(tally))
      expect(first.measurementCounts[outcome]).toBe(seen!.length);
  });

  test("runs a program on the physical qubits that it names, those between them left out", () => {
    const wide = pauliNoise(127, { zeroGivenOne: 0 });
    wide.oneGivenZero[126] = 0.25;
    const counts = run("bit[2] c; h $3; cx $3, $126; c[0] = measure $3; c[1] = measure $126;", wide);
    expect(agrees(counts, { "00": 0.375, 10: 0.125, 11: 0.5 })).toBe(true);
  });

  test("refuses what does not fit, with the figures", () => {
    const refused =
      (body: string, on: NoiseModel, options = {}) =>
      () =>
        run(body, on, options);
    const wide = "qubit[30] q; bit c; h q; t q; h q; c = measure q[0];";
    expect(refused(wide, pauliNoise(20, {}))).toThrow(
      "The program has 30 qubits; the device has 20 (0 to 19).",
    );
    expect(refused(wide, pauliNoise(36, {}), { method: "trajectories" })).toThrow(
      /a state of 30 qubits, which takes 8 GiB; at most 2 GiB/,
    );
    expect(refused(wide, pauliNoise(36, {}), { shots: 0 })).toThrow(
      /a density matrix, which for 30 qubits takes 8 EiB; at most 12 qubits.*Ask for shots/,
    );
    expect(refused("qubit q; bit c; c = measure q;", pauliNoise(1, {}), { statevector: true })).toThrow(
      /no state vector/,
    );
    expect(refused(wide, pauliNoise(20, {}))).toThrow(SimulationError);
  });

  test.each(["trajectories", "density matrix"] as const)("ends when it is cancelled, by %s", method => {
    let looks = 0;
    const signal = {
      get aborted() {
        return ++looks > 3;
      },
    };
    const body = "qubit[8] q; bit[8] c; for int i in [1:300] { h q; } c = measure q;";
    expect(() => run(body, pauliNoise(10, { one: 0.01 }), { signal, method })).toThrow(
      "The simulation was cancelled.",
    );
  });
});
