import { describe, expect, test } from "vitest";
import {
  type DeviceOptions,
  type NoiseRules,
  noiseModelOfRules,
  type SimulationResult,
  simulate,
  simulateDevice,
  simulateNoisy,
} from "../../src/simulation/index.ts";
import { circuit, perth } from "./schedule/devices.ts";

const SEEDS = 120;
const SHOTS = 32;
/** A correlation that chance exceeds once in 40,000, for so many pairs of seeds. */
const LIMIT = 4.2 / Math.sqrt(SEEDS - 1);

const PLAIN = "qubit[2] q; bit[2] c; h q[0]; cx q[0], q[1]; h q[0]; c = measure q;";
const ADAPTIVE =
  "qubit[2] q; bit[2] c; ry(1.2) q[0]; c[0] = measure q[0]; if (c[0]) { h q[1]; } h q[0]; t q[0]; h q[0]; c[1] = measure q[1]; c[0] = measure q[0];";
const CLIFFORD =
  "qubit[2] q; bit[2] c; h q[0]; c[0] = measure q[0]; if (c[0]) { h q[1]; } c[1] = measure q[1];";
const RULES: NoiseRules = {
  rules: [{ channels: [{ channel: "amplitude_damping", gamma: 0.2 }] }],
  readout: [{ zeroGivenOne: 0.1, oneGivenZero: 0.2 }],
};
const PAULI: NoiseRules = {
  ...RULES,
  rules: [{ channels: [{ channel: "depolarizing", probability: 0.3 }] }],
};

const noisy = (body: string, rules: NoiseRules, method: NonNullable<DeviceOptions["method"]>) => {
  const [program, model] = [circuit(body), noiseModelOfRules(rules, 2)];
  return (seed: number) => simulateNoisy(program, model, { seed, shots: SHOTS, memory: true, method });
};
const ideal = (body: string, options: object) => {
  const program = circuit(body);
  return (seed: number) => simulate(program, { seed, shots: SHOTS, memory: true, ...options });
};
const RAMSEY = "bit[2] c; sx $3; delay[10us] $3; sx $3; c[0] = measure $3; h $1; c[1] = measure $1;";
const onDevice = (noise: DeviceOptions["noise"]) => {
  const program = circuit(RAMSEY);
  return (seed: number) =>
    simulateDevice(program, perth, { seed, shots: SHOTS, memory: true, ...(noise ? { noise } : {}) });
};

const runs: Record<string, (seed: number) => SimulationResult> = {
  ...Object.fromEntries(
    (["statevector", "matrix product state", "sparse", "automatic"] as const).flatMap(method => [
      [`${method}`, ideal(PLAIN, { method })],
      [`${method}, adaptive`, ideal(ADAPTIVE, { method })],
    ]),
  ),
  "statevector, reproducible": ideal(PLAIN, { method: "statevector", precision: "reproducible" }),
  stabilizer: ideal(PLAIN, { method: "stabilizer" }),
  "stabilizer, adaptive": ideal(CLIFFORD, { method: "stabilizer" }),
  "extended stabilizer": ideal("qubit[2] q; bit[2] c; h q; t q; h q; cx q[0], q[1]; h q[0]; c = measure q;", {
    method: "extended stabilizer",
  }),
  "density matrix": noisy(PLAIN, RULES, "density matrix"),
  "density matrix, adaptive": noisy(ADAPTIVE, RULES, "density matrix"),
  trajectories: noisy(PLAIN, RULES, "trajectories"),
  "trajectories, adaptive": noisy(ADAPTIVE, RULES, "trajectories"),
  "noisy stabilizer": noisy(PLAIN, PAULI, "stabilizer"),
  "noisy matrix product state": noisy(ADAPTIVE, RULES, "matrix product state"),
  device: onDevice({}),
  "device that drifts": onDevice({ drift: 40 }),
  "device with correlated readouts": onDevice({ correlatedReadout: 0.2 }),
};

/** Returns the correlation of two lists of numbers. */
function correlation(xs: readonly number[], ys: readonly number[]): number {
  const mean = (values: readonly number[]) => values.reduce((a, b) => a + b, 0) / values.length;
  const [x, y] = [mean(xs), mean(ys)];
  const product = (f: (i: number) => number) => xs.reduce((sum, _, i) => sum + f(i), 0);
  const both = product(i => (xs[i]! - x) * (ys[i]! - y));
  return both / Math.sqrt(product(i => (xs[i]! - x) ** 2) * product(i => (ys[i]! - y) ** 2));
}

describe("neighbouring seeds are independent", () => {
  test.each(Object.entries(runs))("%s", (_, simulateWith) => {
    const results = Array.from({ length: SEEDS }, (_, seed) => simulateWith(seed).measurements!);
    for (const bit of [0, 1]) {
      const ones = results.map(shots => shots.reduce((sum, shot) => sum + Number(shot[bit] === "1"), 0));
      for (const distance of [1, 2])
        expect(Math.abs(correlation(ones.slice(distance), ones.slice(0, -distance)))).toBeLessThan(LIMIT);
      const usual = Array.from(
        { length: SHOTS },
        (_, i) => results.reduce((sum, shots) => sum + Number(shots[i]![bit]), 0) / SEEDS,
      );
      const shotsOf = (list: typeof results) =>
        list.flatMap(shots => shots.map((shot, i) => Number(shot[bit]) - usual[i]!));
      const [later, earlier] = [shotsOf(results.slice(1)), shotsOf(results.slice(0, -1))];
      for (const lag of [-1, 0, 1]) {
        const [first, last] = [Math.max(lag, 0), later.length + Math.min(lag, 0)];
        const found = correlation(later.slice(first, last), earlier.slice(first - lag, last - lag));
        expect(Math.abs(found) * Math.sqrt(SHOTS)).toBeLessThan(LIMIT);
      }
    }
  });
});
