import { describe, expect, test, vi } from "vitest";
import { compile, simulate, simulateNoisy, uniformNoise } from "../../../src/simulation/index.ts";
import { StateVector } from "../../../src/simulation/statevector/state-vector.ts";

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

  test.each([0, 500])("release every state of a run that is stopped (%i shots)", shots => {
    const released = vi.spyOn(StateVector.prototype, "release");
    const copied = vi.spyOn(StateVector.prototype, "clone");
    for (const maxOperations of [1, 40]) {
      released.mockClear();
      copied.mockClear();
      expect(() => simulate(circuit(tree), { shots, seed: 5, maxOperations })).toThrow(/stopped/);
      expect(released).toHaveBeenCalledTimes(1 + copied.mock.calls.length);
    }
    vi.restoreAllMocks();
  });
});

test("an exact run whose branches have no room to wait is refused, with the memory that it needs", () => {
  const wide = `qubit[22] q; bit[3] c; h q; ${[0, 1, 2]
    .map(i => `ry(0.3) q[${i}]; c[${i}] = measure q[${i}]; if (c[${i}]) t q[3];`)
    .join(" ")}`;
  const exactly = () => simulate(circuit(wide), { shots: 0, method: "statevector", maxBytes: 2 ** 26 });
  expect(exactly).toThrow(
    /need [\d.]+ MiB at a time in an exact run; at most 64 MiB may be used here\. Ask for shots/,
  );
});
