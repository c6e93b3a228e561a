import { describe, expect, test } from "vitest";
import { compile, simulate, simulateNoisy, uniformNoise } from "../../../src/simulation/index.ts";

const circuit = (body: string) =>
  compile({ format: "qasm3", data: `OPENQASM 3.0;\ninclude "stdgates.inc";\n${body}` });
const depolarizing = (probability: number, qubits: number) => {
  const channels = [{ channel: "depolarizing", probability }] as const;
  const readout = { zeroGivenOne: 0.01, oneGivenZero: 0.02 };
  return uniformNoise({ oneQubit: channels, twoQubit: channels, readout }, qubits);
};

describe("branches that fork", () => {
  const tree = `qubit[3] q; bit[6] c; ${Array.from(
    { length: 6 },
    (_, i) =>
      `ry(0.3 + ${i}) q[0]; cx q[0], q[1]; c[${i}] = measure q[0]; if (c[${i}]) { rx(0.7) q[1]; x q[2]; }`,
  ).join(" ")}`;

  test("give the same whether they wait in memory or begin anew for want of it", () => {
    const bytes = 16 * 2 ** 3;
    for (const shots of [0, 500]) {
      const options = { shots, seed: 5, memory: true };
      expect(simulate(circuit(tree), { ...options, maxBytes: bytes })).toEqual(
        simulate(circuit(tree), options),
      );
    }
  });

  test("give the same under noise, too", () => {
    const noise = depolarizing(0.02, 3);
    const run = (maxBytes: number) =>
      simulateNoisy(circuit(tree), noise, { shots: 300, seed: 2, method: "trajectories", maxBytes });
    expect(run(16 * 2 ** 3)).toEqual(run(2 ** 31));
  });
});
