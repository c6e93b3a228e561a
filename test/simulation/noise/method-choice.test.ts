import { describe, expect, test } from "vitest";
import { type MethodName, SimulationError, simulate, simulateNoisy } from "../../../src/simulation/index.ts";
import type { NoiseModel } from "../../../src/simulation/noise-model.ts";
import { channelNoise, circuit } from "./noisy-run.ts";

describe("the choice of a method under noise", () => {
  const chosen = (body: string, model: NoiseModel, shots = 10) =>
    simulateNoisy(circuit(body), model, { shots, seed: 1 }).method;
  const depolarizing = channelNoise([{ channel: "depolarizing", probability: 0.01 }], 40);
  const damping = channelNoise([{ channel: "amplitude_damping", gamma: 0.01 }], 40);

  test("takes the density matrix for few qubits, however many are idle", () => {
    const { name, reason } = chosen("qubit[40] q; bit c; h q[7]; t q[7]; c = measure q[7];", damping);
    expect(name).toBe("density matrix");
    expect(reason).toMatch(/uses 1 qubit/);
  });

  test("takes the density matrix for more where many shots would each have other errors", () => {
    const body = `qubit[8] q; bit[8] c; ${"h q; t q; cx q[0:6], q[1:7]; ".repeat(20)} c = measure q;`;
    expect(chosen(body, damping, 100).name).toBe("trajectories");
    expect(chosen(body, damping, 2000).name).toBe("density matrix");
    expect(chosen(body, channelNoise([{ channel: "amplitude_damping", gamma: 1e-6 }], 8), 2000).name).toBe(
      "trajectories",
    );
  });

  test("takes stabilizers for wide Clifford programs under Pauli errors, and trajectories for others", () => {
    const wide = (gate: string, last = 39) =>
      `qubit[40] q; bit[40] c; ${gate} q[0:${last}]; cx q[0], q[1]; c[0:1] = measure q[0:1];`;
    expect(chosen(wide("h"), depolarizing).name).toBe("stabilizer");
    expect(chosen(wide("t", 9), depolarizing).name).toBe("trajectories");
    expect(chosen(wide("h", 9), damping).name).toBe("trajectories");
  });

  test("takes trajectories where a program continues with what it has measured", () => {
    expect(
      chosen("qubit q; bit[2] c; h q; c[0] = measure q; h q; t q; c[1] = measure q;", depolarizing).name,
    ).toBe("trajectories");
  });

  test.each(["statevector", "sparse", "extended stabilizer", "no such method"])(
    "refuses %j, which simulates no noise, and says what does",
    method => {
      const run = () =>
        simulateNoisy(circuit("qubit q; bit c; c = measure q;"), damping, {
          shots: 10,
          method: method as "trajectories",
        });
      expect(run).toThrow(SimulationError);
      expect(run).toThrow(/choose one of .*density matrix.*trajectories/);
    },
  );

  test("refuses methods for noise where there is none", () => {
    const bell = circuit("qubit q; bit c; h q; c = measure q;");
    const methods = ["trajectories"] as unknown as MethodName[];
    expect(() => simulate(bell, { shots: 10, method: methods[0]! })).toThrow(
      /under noise only; choose one of statevector/,
    );
    expect(() => simulate(bell, { shots: 10, methods })).toThrow(
      /under noise only; choose one of statevector/,
    );
    expect(() => simulate(bell, { shots: 10, methods: [] })).toThrow(/list of methods is empty/);
  });
});
