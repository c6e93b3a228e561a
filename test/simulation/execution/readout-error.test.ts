import { afterEach, describe, expect, test, vi } from "vitest";
import { ReadoutError } from "../../../src/simulation/execution/readout-error.ts";
import {
  compile,
  type NoisyOptions,
  simulateNoisy,
  stepProgram,
  uniformNoise,
} from "../../../src/simulation/index.ts";
import { HEAD } from "../run.ts";

const circuitOf = (body: string) => compile({ format: "qasm3", data: HEAD + body });
const ended = circuitOf("qubit[2] q; bit[2] c; x q[0]; c = measure q;");
const steered = circuitOf(
  "qubit[2] q; bit[2] c; x q[0]; c[0] = measure q[0]; if (c[0]) x q[1]; c[1] = measure q[1];",
);
const readout = { zeroGivenOne: 0.3, oneGivenZero: 0.3 };
const noise = uniformNoise({ oneQubit: [], twoQubit: [], readout }, 2);

/** Lets every measurement read the wrong value. */
const misreadAll = () =>
  vi.spyOn(ReadoutError.prototype, "probability").mockImplementation(qubit => Number(qubit >= 0));

afterEach(() => vi.restoreAllMocks());

describe("where a readout error acts", () => {
  const runs: (Pick<NoisyOptions, "shots" | "method"> & { name: string })[] = [
    ...(["trajectories", "stabilizer", "matrix product state", "density matrix"] as const).map(method => ({
      name: `shots by ${method}`,
      shots: 200,
      method,
    })),
    { name: "exact probabilities", shots: 0, method: "density matrix" },
  ];

  test.each(runs)(
    "is ReadoutError, in $name: on final outcomes and on those that a program reads",
    options => {
      const found = (of: typeof ended) => {
        const { measurementProbabilities, measurementCounts } = simulateNoisy(of, noise, {
          ...options,
          seed: 2,
        });
        const all = Object.entries(measurementProbabilities ?? measurementCounts);
        return all.flatMap(([key, value]) => (value > 1e-9 ? [key] : [])).sort();
      };
      for (const circuit of [ended, steered]) expect(found(circuit)).toEqual(["00", "01", "10", "11"]);
      misreadAll();
      expect(found(ended)).toEqual(["10"]);
      expect(found(steered)).toEqual(["10"]);
    },
  );

  test("is ReadoutError, step by step", () => {
    const bits = () => [
      ...stepProgram(steered, { seed: 1, outcomes: [1, null], maxSteps: 50, noise }).steps.at(-1)!.bits,
    ];
    misreadAll();
    expect(bits()).toEqual([0, 1]);
    vi.restoreAllMocks();
    vi.spyOn(ReadoutError.prototype, "probability").mockImplementation(() => 0);
    expect(bits()).toEqual([1, 1]);
  });
});
