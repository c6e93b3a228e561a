import { describe, expect, test } from "vitest";
import {
  compile,
  type NoiseRule,
  type NoiseRules,
  noiseModelOfRules,
  noiseProblems,
  simulateNoisy,
} from "../../../src/simulation/index.ts";
import { HEAD } from "../run.ts";

const FLIP = 0.1;
const flip = (gates: readonly string[], more: Partial<NoiseRule> = {}): NoiseRule => ({
  gates,
  channels: [{ channel: "bit_flip", probability: FLIP }],
  ...more,
});
const resultOf = (
  body: string,
  rules: readonly NoiseRule[],
  options: object = {},
  readout: NoiseRules["readout"] = [],
) => {
  const circuit = compile({ format: "qasm3", data: HEAD + body });
  const model = noiseModelOfRules({ rules, readout }, circuit.numQubits);
  return simulateNoisy(circuit, model, { shots: 0, ...options });
};
const one = (body: string, ...rules: NoiseRule[]) =>
  resultOf(body, rules).measurementProbabilities!["1"] ?? 0;
const problemsOf = (...gates: string[]) =>
  noiseProblems({ rules: [{ gates, channels: [] }], readout: [] }).map(({ message }) => message);

describe("rules for gates by name", () => {
  test.each([
    ["cnot", "cx q[0], q[1];"],
    ["CX", "cx q[0], q[1];"],
    ["cx", "CX q[0], q[1];"],
    ["cx", "ctrl @ x q[0], q[1];"],
    ["cu1", "cphase(0) q[0], q[1];"],
  ])("%s acts after %s", (name, gate) => {
    expect(one(`qubit[2] q; bit c; ${gate} c = measure q[1];`, flip([name]))).toBeCloseTo(FLIP, 12);
  });

  test("that do not exist are refused with the name that may be meant", () => {
    expect(problemsOf("h ")[0]).toMatch(/not "h "\. Did you mean h\? A gate/);
    expect(problemsOf("foo")[0]).toMatch(/must be a gate such as cx/);
    expect(problemsOf("mesure")[0]).toMatch(/Did you mean measure\?/);
    expect(problemsOf("barrier")[0]).toMatch(/takes no time/);
    expect(problemsOf("ecr")[0]).toMatch(/noise of its parts: name s, sx, cx, x/);
    expect(problemsOf("h", "sx", "cnot", "measure", "reset", "delay", "idle", "prx")).toEqual([]);
  });

  test("are told with the result where they acted nowhere", () => {
    const body = "qubit[2] q; bit[2] c; h q[0]; cx q[0], q[1]; c = measure q;";
    const told = (...rules: NoiseRule[]) => resultOf(body, rules).method.unusedNoise;
    expect(told(flip(["cx"]), flip(["h"]))).toBeUndefined();
    expect(told(flip(["cx"]), flip(["cz", "swap"]))).toBe("Noise that acted nowhere: that after cz, swap.");
    expect(told(flip(["cx"], { qubits: [[0, 5]] }))).toBe("Noise that acted nowhere: that after cx on 0–5.");
    expect(
      told(
        flip(["cx"], {
          qubits: [
            [0, 1],
            [0, 5],
          ],
        }),
      ),
    ).toMatch(/nowhere: that after cx on 0–5\.$/);
    expect(told(flip(["cx"]), { qubits: [[7]], channels: [] })).toMatch(/nowhere: that after gates on 7\.$/);
    expect(told({ numQubits: 1, qubits: [[7]], channels: [] })).toMatch(/no gate matches/);
    const readout = [{ qubits: [0, 7], zeroGivenOne: 0.1, oneGivenZero: 0 }];
    expect(resultOf(body, [flip(["cx"])], {}, readout).method.unusedNoise).toMatch(/that of reading 7\.$/);
    expect(told(flip(["cx"]), flip(["h"]))).toBeUndefined();
  });
});

describe("noise of operations", () => {
  const rules = {
    measure: flip(["measure"]),
    reset: flip(["reset"]),
    delay: flip(["delay"]),
    idle: flip(["idle"]),
  };

  test("acts before a measurement, and on the state that it leaves", () => {
    const body = "qubit q; bit c; c = measure q;";
    expect(one(body, rules.measure)).toBeCloseTo(FLIP, 12);
    expect(
      resultOf("qubit q; bit[2] c; c[0] = measure q; c[1] = measure q;", [rules.measure])
        .measurementProbabilities,
    ).toEqual({
      "00": expect.closeTo(0.81, 10),
      "10": expect.closeTo(0.09, 10),
      "11": expect.closeTo(0.09, 10),
      "01": expect.closeTo(0.01, 10),
    });
  });

  test("acts after a reset and a delay, and in every round of a loop", () => {
    expect(one("qubit q; bit c; x q; reset q; c = measure q;", rules.reset)).toBeCloseTo(FLIP, 12);
    expect(one("qubit q; bit c; delay[1us] q; c = measure q;", rules.delay)).toBeCloseTo(FLIP, 12);
    const loop = "qubit[2] q; bit c; for int i in [0:1] { reset q[i]; } c = measure q[1];";
    expect(one(loop, rules.reset)).toBeCloseTo(FLIP, 12);
    expect(
      one("qubit q; bit c; for int i in [1:2] { delay[1us] q; } c = measure q;", rules.delay),
    ).toBeCloseTo(0.18, 12);
  });

  test("relaxes for as long as a delay takes", () => {
    const relax = (gates: string[]): NoiseRule => ({
      gates,
      channels: [{ channel: "thermal_relaxation", T1: 1000, T2: 800 }],
    });
    for (const time of [100, 700])
      expect(one(`qubit q; bit c; x q; delay[${time}ns] q; c = measure q;`, relax(["delay"]))).toBeCloseTo(
        Math.exp(-time / 1000),
        10,
      );
    const [problem] = noiseProblems({ rules: [relax(["delay", "cx"])], readout: [] });
    expect(problem).toEqual({
      path: "rules.0.channels.0.time",
      message: "is needed after anything but a delay",
    });
  });

  test("acts in each layer in which a qubit waits for another, and not before its first gate", () => {
    const wait = (gates: string) => `qubit[2] q; bit c; id q[0]; ${gates} cx q[1], q[0]; c = measure q[0];`;
    const after = (layers: number) => (1 - (1 - 2 * FLIP) ** layers) / 2;
    expect(one(wait("id q[1];"), rules.idle)).toBeCloseTo(0, 12);
    expect(one(wait("id q[1]; id q[1]; rz(1) q[1]; id q[1];"), rules.idle)).toBeCloseTo(after(2), 12);
    expect(
      one("qubit[2] q; bit c; id q[0]; id q[0]; id q[0]; cx q[0], q[1]; c = measure q[1];", rules.idle),
    ).toBeCloseTo(0, 12);
  });

  test("is the same by every method", () => {
    const body =
      "qubit[3] q; bit[3] c; h q[0]; cx q[0], q[1]; c[0] = measure q[0]; reset q[0]; delay[1us] q[1]; if (c[0]) { x q[2]; } h q[0]; cx q[0], q[2]; c[1] = measure q[1]; c[2] = measure q[2];";
    const exact = resultOf(body, Object.values(rules)).measurementProbabilities!;
    const shots = 40_000;
    for (const method of ["trajectories", "stabilizer", "matrix product state", "density matrix"]) {
      const options = method === "density matrix" ? { shots: 0, method } : { shots, seed: 3, method };
      const { measurementCounts, measurementProbabilities } = resultOf(body, Object.values(rules), options);
      for (const [key, p] of Object.entries(exact)) {
        const found = measurementProbabilities?.[key] ?? (measurementCounts[key] ?? 0) / shots;
        expect(Math.abs(found - p), `${method} ${key}`).toBeLessThan(
          5 * Math.sqrt((p * (1 - p)) / shots) + 1e-9,
        );
      }
    }
  });
});
