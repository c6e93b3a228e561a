import { describe, expect, it } from "vitest";
import {
  chooseSimulator,
  compile,
  type SimulationRequest,
  simulate,
  simulateNoisy,
  uniformNoise,
} from "../../../src/simulation/index.ts";

const circuit = (body: string) =>
  compile({ format: "qasm3", data: `OPENQASM 3.0;\ninclude "stdgates.inc";\n${body}` });
const request: SimulationRequest = {
  shots: 100,
  statevector: false,
  noise: null,
  precision: undefined,
  maxQubits: undefined,
  maxBytes: 2 ** 31,
  maxBondDimension: 128,
  threads: undefined,
};
const chosen = (body: string, wanted: Partial<SimulationRequest> = {}) => {
  const { simulator, reason } = chooseSimulator(circuit(body), { ...request, ...wanted });
  return [simulator.name, reason];
};

const depolarizing = (probability: number, qubits: number) => {
  const channels = [{ channel: "depolarizing", probability }] as const;
  const readout = { zeroGivenOne: 0.01, oneGivenZero: 0.02 };
  return uniformNoise({ oneQubit: channels, twoQubit: channels, readout }, qubits);
};

const wide = (qubits: number, gate: string) => `qubit[${qubits}] q; bit c; ${gate} q; c = measure q[0];`;

describe("the registry of methods", () => {
  it("takes the method that costs the least of those that can, and says why", () => {
    expect(chosen(wide(3, "h"))).toEqual([
      "statevector",
      "The program uses 3 qubits, which take little memory.",
    ]);
    expect(chosen(wide(40, "h"))).toEqual(["stabilizer", "The program is made of Clifford gates alone."]);
    expect(chosen(wide(20, "t"))).toEqual([
      "statevector",
      "The program has other than Clifford gates, and uses 20 qubits, for which there is memory.",
    ]);
    expect(chosen(wide(26, "t"))[0]).toBe("statevector");
    expect(chosen(wide(26, "t"), { maxBytes: 2 ** 28 })[0]).toBe("sparse");
    expect(chosen(wide(40, "t"))).toEqual([
      "sparse",
      "A state vector of 40 qubits does not fit (at most 26), and the program is not made of Clifford gates alone.",
    ]);
  });

  it("asks the methods for noise where there is noise", () => {
    const noise = depolarizing(0.01, 40);
    expect(chosen(wide(3, "h"), { noise })[0]).toBe("density matrix");
    expect(chosen(wide(40, "h"), { noise })[0]).toBe("stabilizer");
    expect(chosen(wide(15, "t"), { noise })[0]).toBe("trajectories");
    expect(() => chosen(wide(15, "t"), { noise, shots: 0 })).toThrow(/density matrix, which for 15 qubits/);
  });

  it("tells what a method costs: twice the bytes for twice the amplitudes", () => {
    const cost = (qubits: number) => {
      const of = circuit(wide(qubits, "t"));
      return chooseSimulator(of, request).simulator.cost(of, request);
    };
    expect(cost(21).bytes).toBe(2 * cost(20).bytes);
    expect(cost(21).operations).toBeGreaterThan(cost(20).operations);
  });
});

describe("courses that part", () => {
  const tree = `qubit[3] q; bit[6] c; ${Array.from(
    { length: 6 },
    (_, i) =>
      `ry(0.3 + ${i}) q[0]; cx q[0], q[1]; c[${i}] = measure q[0]; if (c[${i}]) { rx(0.7) q[1]; x q[2]; }`,
  ).join(" ")}`;

  it("give the same whether they wait in memory or begin anew for want of it", () => {
    const bytes = 16 * 2 ** 3;
    for (const shots of [0, 500]) {
      const options = { shots, seed: 5, memory: true };
      expect(simulate(circuit(tree), { ...options, maxBytes: bytes })).toEqual(
        simulate(circuit(tree), options),
      );
    }
  });

  it("give the same under noise, too", () => {
    const noise = depolarizing(0.02, 3);
    const run = (maxBytes: number) =>
      simulateNoisy(circuit(tree), noise, { shots: 300, seed: 2, method: "trajectories", maxBytes });
    expect(run(16 * 2 ** 3)).toEqual(run(2 ** 31));
  });
});
