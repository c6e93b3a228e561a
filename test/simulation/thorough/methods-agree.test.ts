import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type NoisyOptions, simulate, simulateNoisy, uniformNoise } from "../../../src/simulation/index.ts";
import type { NoiseModel } from "../../../src/simulation/noise-model.ts";
import { contradicts } from "../chi-square.ts";
import { channelNoise, circuit, exact } from "../noise/noisy-run.ts";

const NAMES = { clifford: ["h", "s", "sx", "x", "id"], any: ["h", "t", "sx", "rx(0.7)", "ry(1.3)", "id"] };
const PAIRS = ["cx", "cz", "swap"];

/** Random programs on 4 qubits with measurements, resets and conditions. */
const programs = (kind: keyof typeof NAMES) =>
  fc
    .array(
      fc
        .record({
          kind: fc.constantFrom("one", "one", "pair", "pair", "measure", "reset", "if", "mix"),
          one: fc.constantFrom(...NAMES[kind]),
          pair: fc.constantFrom(...PAIRS, ...(kind === "any" ? ["crx(0.9)", "cswap q[3],"] : [])),
          places: fc.shuffledSubarray([0, 1, 2], { minLength: 3 }),
        })
        .map(({ kind: what, one, pair, places: [a, b] }) => {
          if (what === "one") return `${one} q[${a}];`;
          if (what === "pair") return `${pair} q[${a}], q[${b}];`;
          if (what === "measure") return `m[${b}] = measure q[${a}];`;
          if (what === "reset") return `reset q[${a}];`;
          if (what === "mix") return `mix q[${a}], q[${b}];`;
          return `if (m[${b}]) { ${one} q[${a}]; } else { ${pair} q[${a}], q[${b}]; }`;
        }),
      { minLength: 3, maxLength: 14 },
    )
    .map(
      lines =>
        `gate mix a, b { h a; cx a, b; s b; }\nqubit[4] q; bit[3] m; bit[4] c;\n${lines.join("\n")}\nc = measure q;`,
    );

describe("the methods of noise agree", () => {
  const paulis = uniformNoise(
    {
      oneQubit: [
        { channel: "depolarizing", probability: 0.04 },
        { channel: "phase_damping", lambda: 0.1 },
      ],
      twoQubit: [{ channel: "depolarizing", probability: 0.08 }],
      readout: { zeroGivenOne: 0.06, oneGivenZero: 0.02 },
    },
    4,
  );
  const relaxing = uniformNoise(
    {
      oneQubit: [{ channel: "thermal_relaxation", T1: 10, T2: 12, time: 1 }],
      twoQubit: [
        { channel: "amplitude_damping", gamma: 0.2 },
        { channel: "phase_damping", lambda: 0.1 },
        { channel: "depolarizing", probability: 0.05 },
      ],
      readout: { zeroGivenOne: 0.03, oneGivenZero: 0.01 },
    },
    4,
  );
  const resetting = uniformNoise(
    {
      oneQubit: [{ channel: "thermal_relaxation", T1: 10, T2: 7, time: 1 }],
      twoQubit: [
        { channel: "thermal_relaxation", T1: 10, T2: 10, time: 2 },
        { channel: "depolarizing", probability: 0.05 },
      ],
      readout: { zeroGivenOne: 0.03, oneGivenZero: 0.01 },
    },
    4,
  );
  const models = [paulis, relaxing, resetting];
  /** The exact distributions, which are the same for all methods. */
  const known = new Map<string, Record<string, number>>();
  const agree = (
    kind: keyof typeof NAMES,
    model: NoiseModel,
    method: NoisyOptions["method"],
    seed: number,
  ) => {
    fc.assert(
      fc.property(programs(kind), body => {
        const place = `${models.indexOf(model)} ${body}`;
        const probabilities = known.get(place) ?? exact(body, model);
        known.set(place, probabilities);
        const { measurementCounts } = simulateNoisy(circuit(body), model, { shots: 4000, seed: 3, method });
        expect(contradicts(measurementCounts, probabilities), body).toBe(false);
      }),
      { numRuns: method === "matrix product state" ? 25 : 60, seed },
    );
  };

  test.each([
    ["stabilizer", "clifford", paulis],
    ["trajectories", "any", paulis],
    ["trajectories", "any", relaxing],
    ["trajectories", "any", resetting],
    ["density matrix", "any", relaxing],
    ["matrix product state", "any", relaxing],
    ["matrix product state", "any", resetting],
  ] as const)(
    "%s with exact probabilities, on random %s programs (a false alarm once in 10^7 runs of this)",
    (method, kind, model) => agree(kind, model, method, 7),
  );

  test("with a run without noise, where there is none", () => {
    const nothing = channelNoise([], 4);
    fc.assert(
      fc.property(programs("any"), body => {
        const probabilities = exact(body, nothing);
        const ideal = simulate(circuit(body), { shots: 0 }).measurementProbabilities!;
        for (const key of new Set([...Object.keys(probabilities), ...Object.keys(ideal)]))
          expect(probabilities[key] ?? 0, body).toBeCloseTo(ideal[key] ?? 0, 9);
      }),
      { numRuns: 60, seed: 8 },
    );
  });

  test("on gates with many controls", () => {
    const calls = [
      "ctrl(5) @ x",
      "ctrl(4) @ swap",
      "negctrl @ ctrl(4) @ ry(0.8)",
      "ctrl(6) @ gphase(1.1)",
      "ctrl(3) @ x",
    ];
    const model = uniformNoise(
      {
        oneQubit: [],
        twoQubit: [
          { channel: "depolarizing", probability: 0.01 },
          { channel: "amplitude_damping", gamma: 0.02 },
        ],
        readout: { zeroGivenOne: 0, oneGivenZero: 0 },
      },
      6,
    );
    for (const call of calls) {
      const qubits = ["q[2]", "q[0]", "q[1]", "q[5]", "q[4]", "q[3]"].slice(0, call.includes("(3)") ? 4 : 6);
      const body = `qubit[6] q; bit[6] c; for int i in [0:5] { ry(1 + 0.2 * i) q[i]; p(0.7 * i) q[i]; } ${call} ${qubits.join(", ")}; rx(0.6) q; c = measure q;`;
      const ideal = simulate(circuit(body), { shots: 0 }).measurementProbabilities!;
      const quiet = exact(body, channelNoise([], 6));
      for (const [key, probability] of Object.entries(ideal))
        expect(quiet[key] ?? 0).toBeCloseTo(probability, 10);
      const options = { shots: 4000, seed: 4, method: "trajectories" } as const;
      const { measurementCounts } = simulateNoisy(circuit(body), model, options);
      expect(contradicts(measurementCounts, exact(body, model)), call).toBe(false);
    }
  });

  test("trajectories of a state in the kernels' memory, with a qubit that others are damped by", () => {
    const model = uniformNoise(
      {
        oneQubit: [{ channel: "amplitude_damping", gamma: 0.3 }],
        twoQubit: [{ channel: "amplitude_damping", gamma: 0.2 }],
        readout: { zeroGivenOne: 0, oneGivenZero: 0 },
      },
      14,
    );
    const few = "ry(1.2) q[0]; cx q[0], q[1]; rx(0.4) q[1]; h q[2]; cx q[2], q[0]; id q;";
    const wide = `qubit[14] q; bit[3] c; ry(1) q[3:13]; ${few.replace("id q", "id q[0:2]")} c = measure q[0:2];`;
    const narrow = `qubit[3] q; bit[3] c; ${few} c = measure q;`;
    const { measurementCounts, method } = simulateNoisy(circuit(wide), model, {
      shots: 400,
      seed: 1,
      method: "trajectories",
    });
    expect(method.name).toBe("trajectories");
    expect(contradicts(measurementCounts, exact(narrow, model))).toBe(false);
  });

  test("refuse by name what they cannot do", () => {
    const body = "qubit q; bit c; h q; c = measure q;";
    const refused = (options: NoisyOptions) => () => simulateNoisy(circuit(body), relaxing, options);
    for (const method of ["trajectories", "stabilizer", "matrix product state"] as const)
      expect(refused({ shots: 0, method })).toThrow(/no exact probabilities; a density matrix does/);
    expect(refused({ shots: 1, method: "stabilizer" })).toThrow(/supports only Pauli errors/);
  });

  test("share a run among all shots up to their first error, told by the operations that are done", () => {
    const body = `qubit[6] q; bit[6] c; ${"h q; t q;".repeat(100)} c = measure q;`;
    const rare = channelNoise([{ channel: "depolarizing", probability: 1e-6 }], 6);
    const options = { shots: 1000, seed: 1, method: "trajectories" } as const;
    const { measurementCounts } = simulateNoisy(circuit(body), rare, { ...options, maxOperations: 5000 });
    expect(measurementCounts).not.toEqual({});
    const often = channelNoise([{ channel: "depolarizing", probability: 0.01 }], 6);
    expect(() => simulateNoisy(circuit(body), often, { ...options, maxOperations: 5000 })).toThrow(
      /5,000 operations/,
    );
  });

  test("give each shot's outputs as they were read, and the same for the same seed", () => {
    const body =
      "qubit[3] q; bit[3] c; output int n; h q; cx q[0], q[1]; c = measure q; n = int(c[0]) + int(c[1]) + int(c[2]);";
    for (const method of ["density matrix", "trajectories", "stabilizer"] as const) {
      const options = { shots: 300, seed: 2, memory: true, method };
      const first = simulateNoisy(circuit(body), paulis, options);
      expect(first.outputs!.map(({ n }) => n)).toEqual(
        first.measurements!.map(bits => [...bits].filter(bit => bit === "1").length),
      );
      expect(simulateNoisy(circuit(body), paulis, options)).toEqual(first);
    }
  });
});
