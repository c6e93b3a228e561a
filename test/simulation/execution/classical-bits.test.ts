import { afterEach, describe, expect, test, vi } from "vitest";
import { ClassicalBits } from "../../../src/simulation/execution/classical-bits.ts";
import {
  compile,
  simulate,
  simulateNoisy,
  stepProgram,
  uniformNoise,
} from "../../../src/simulation/index.ts";
import { HEAD } from "../run.ts";

const circuitOf = (body: string) => compile({ format: "qasm3", data: HEAD + body });
const stepping = { seed: 1, outcomes: [], maxSteps: 100 };
const noise = uniformNoise({ oneQubit: [], twoQubit: [], readout: { zeroGivenOne: 0, oneGivenZero: 0 } }, 2);

afterEach(() => vi.restoreAllMocks());

describe("where a measurement is written into a bit", () => {
  const steered = circuitOf(
    "qubit[2] q; bit[2] c; x q[0]; c[0] = measure q[0]; if (c[0]) x q[1]; c[1] = measure q[1];",
  );
  const superposed = circuitOf("qubit[2] q; bit[2] c; h q[0]; cx q[0], q[1]; c = measure q;");
  const pure = [
    "statevector",
    "stabilizer",
    "extended stabilizer",
    "matrix product state",
    "sparse",
  ] as const;
  const noisy = ["trajectories", "density matrix", "stabilizer", "matrix product state"] as const;
  const runs = [
    ...pure.map(method => ({
      name: method,
      run: (shots: number) => (of: typeof steered) => simulate(of, { shots, seed: 1, method }),
    })),
    ...noisy.map(method => ({
      name: `${method}, under noise`,
      run: (shots: number) => (of: typeof steered) => simulateNoisy(of, noise, { shots, seed: 1, method }),
    })),
  ];

  test.each(runs)("is ClassicalBits, in $name: without it outcomes stay 0", ({ run }) => {
    expect(run(100)(steered).measurementCounts).toEqual({ 11: 100 });
    expect(Object.keys(run(100)(superposed).measurementCounts).sort()).toEqual(["00", "11"]);
    vi.spyOn(ClassicalBits.prototype, "measured").mockImplementation(() => {});
    for (const circuit of [steered, superposed])
      expect(run(100)(circuit).measurementCounts).toEqual({ "00": 100 });
  });

  test("is ClassicalBits, step by step", () => {
    const bits = () => [...stepProgram(steered, stepping).steps.at(-1)!.bits];
    expect(bits()).toEqual([1, 1]);
    vi.spyOn(ClassicalBits.prototype, "measured").mockImplementation(() => {});
    expect(bits()).toEqual([0, 0]);
  });
});

test("a bit that waits for a measurement has its outcome once that is settled, unless it was written since", () => {
  const bits = new ClassicalBits(3);
  for (const bit of [0, 1, 2]) bits.measured(7, bit, 0, 7);
  bits.write(1, 0);
  const copy = new ClassicalBits(bits);
  bits.settle(7, 1);
  expect([...bits.values]).toEqual([1, 0, 1]);
  expect([...bits.origins]).toEqual([7, -1, 7]);
  expect(bits.open).toEqual([null, null, null]);
  expect(copy.open).toEqual([7, null, 7]);
});
