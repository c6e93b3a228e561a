import { describe, expect, test } from "vitest";
import { Result, Results, type ResultsRow } from "../../src/index.ts";
import { simulatedExpectation } from "../../src/results/index.ts";
import {
  compile,
  type ObservableMean,
  type PauliSum,
  simulate,
  simulateNoisy,
} from "../../src/simulation/index.ts";
import { channelNoise } from "../simulation/noise/noisy-run.ts";
import { HEAD } from "../simulation/run.ts";
import { bundleOf } from "./bundle.ts";

/** A point of a chart, with its interval. */
interface Point {
  readonly low: number;
  readonly high: number;
}

const REPETITIONS = 2000;
/** Coverage of 95% less three standard deviations of its estimate. */
const LEAST = 0.935;

let state = 1;
const random = () => {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
  return state / 2 ** 32;
};
const isWithin = ({ low, high }: { low?: number; high?: number }, truth: number) =>
  low! <= truth + 1e-9 && truth <= high! + 1e-9;

/** Draws counts of outcomes. */
function draw(probabilities: Readonly<Record<string, number>>, shots: number): Record<string, number> {
  const counts: Record<string, number> = {};
  for (let shot = 0; shot < shots; shot++) {
    let left = random();
    for (const [outcome, probability] of Object.entries(probabilities)) {
      left -= probability;
      if (left >= 0) continue;
      counts[outcome] = (counts[outcome] ?? 0) + 1;
      break;
    }
  }
  return counts;
}

describe("intervals of counts contain the truth in at least 95% of all runs", () => {
  const probabilities = { "000": 0.7035, "011": 0.2, "101": 0.08, "110": 0.012, "111": 0.004, "001": 0.0005 };
  const means = { ZZZ: 0.7035 + 0.2 + 0.08 + 0.012 - 0.004 - 0.0005, "ZII + IZI + 3*IIZ": 0 };
  for (const [outcome, p] of Object.entries(probabilities)) {
    const [a, b, c] = [...outcome].map(bit => 1 - 2 * Number(bit));
    means["ZII + IZI + 3*IIZ"] += p * (a! + b! + 3 * c!);
  }

  test.each([50, 200])("of outcomes that are seen, and of means, in %d shots", shots => {
    const [seen, covered] = [new Map<string, number>(), new Map<string, number>()];
    const count = (key: string, isCovered: boolean) => {
      seen.set(key, (seen.get(key) ?? 0) + 1);
      if (isCovered) covered.set(key, (covered.get(key) ?? 0) + 1);
    };
    for (let i = 0; i < REPETITIONS; i++) {
      const result = Result.from({ resultData: { measurementCounts: draw(probabilities, shots) } });
      for (const row of result.toRows() as ResultsRow[])
        count(row.outcome!, isWithin(row, probabilities[row.outcome as keyof typeof probabilities]));
      for (const [observable, mean] of Object.entries(means))
        count(observable, isWithin(result.expectation(observable), mean));
    }
    for (const [key, times] of seen)
      expect(covered.get(key)! / times, key).toBeGreaterThan(times > 200 ? LEAST : 0.9);
  });
});

test("intervals of the likeliest of many outcomes contain the truth, although these were chosen for their counts", () => {
  for (const outcomes of [64, 256, 1024]) {
    let [covered, shown] = [0, 0];
    for (let i = 0; i < 60; i++) {
      const counts: Record<string, number> = {};
      for (let shot = 0; shot < 1000; shot++) {
        const key = Math.floor(random() * outcomes)
          .toString(2)
          .padStart(10, "0");
        counts[key] = (counts[key] ?? 0) + 1;
      }
      for (const { low, high } of Result.from({ resultData: { measurementCounts: counts } }).top(16)) {
        shown++;
        if (low! <= 1 / outcomes && 1 / outcomes <= high!) covered++;
      }
    }
    expect(covered / shown, `${outcomes} outcomes`).toBeGreaterThan(0.94);
  }
});

test("intervals over a sweep contain the truth, although the outcomes that are drawn were chosen for their counts", () => {
  const outcomes = 256;
  let [covered, shown] = [0, 0];
  for (let i = 0; i < 60; i++) {
    const results = [0, 1].map(theta => {
      const measurementCounts: Record<string, number> = {};
      for (let shot = 0; shot < 500; shot++) {
        const key = Math.floor(random() * outcomes)
          .toString(2)
          .padStart(8, "0");
        measurementCounts[key] = (measurementCounts[key] ?? 0) + 1;
      }
      const program = `const float theta = ${theta}; /* input */ qubit q;`;
      return Result.from({ resultData: { measurementCounts }, context: { program } });
    });
    const { spec } = (Results.from(results) as Results).chart();
    const { data } = spec as unknown as { data: { values: Point[] } };
    for (const { low, high } of data.values) {
      shown++;
      if (low <= 1 / outcomes && 1 / outcomes <= high) covered++;
    }
  }
  expect(shown).toBe(60 * 8);
  expect(covered / shown).toBeGreaterThan(0.95);
});

describe("intervals of observables contain the truth in at least 95% of all runs", () => {
  const z1: PauliSum = [{ coefficient: 1, string: [{ qubit: 1, pauli: "Z" }] }];
  const rare = (p: number) =>
    `qubit[2] q; bit c; ry(${2 * Math.asin(Math.sqrt(p))}) q[0]; c = measure q[0]; if (c) x q[1];`;
  const loop =
    "qubit[2] q; bit c; for int i in [1:5] { ry(0.5) q[0]; c = measure q[0]; if (c) rx(0.7) q[1]; }";
  const observe = (body: string, shots: number, seed?: number) =>
    simulate(compile({ format: "qasm3", data: HEAD + body }), {
      shots,
      observables: [z1],
      ...(seed && { seed }),
    }).expectations![0]!;
  /** Returns how many intervals contain the truth, and their mean half width in standard deviations of the values. */
  function trial(truth: number, repetitions: number, once: (seed: number) => ObservableMean) {
    let [covered, width, squares] = [0, 0, 0];
    for (let seed = 1; seed <= repetitions; seed++) {
      const mean = once(seed);
      const interval = simulatedExpectation("Z1", mean);
      if (isWithin(interval, truth)) covered++;
      if (mean.shots === 0) expect(mean.value).toBeCloseTo(truth, 9);
      width += (interval.high - interval.low) / 2 / repetitions;
      squares += (mean.value - truth) ** 2 / repetitions;
    }
    return { coverage: covered / repetitions, ratio: width / Math.sqrt(squares) };
  }

  test.each([
    ["a branch of p = 0.0025", rare(0.0025), 50],
    ["a branch of p = 0.02", rare(0.02), 50],
    ["a branch of p = 0.02", rare(0.02), 400],
    ["a loop that measures", loop, 50],
    ["a loop that measures", loop, 400],
  ])("after %s", (_, body, shots) => {
    const truth = observe(body, 0).value;
    expect(trial(truth, 500, seed => observe(body, shots, seed)).coverage).toBeGreaterThan(0.92);
  });

  test("of trajectories with rare errors, without being much wider than they need to", () => {
    const circuit = compile({
      format: "qasm3",
      data: `${HEAD}qubit[2] q; x q[0]; h q[1]; cx q[0], q[1]; ry(0.6) q[1]; cx q[1], q[0];`,
    });
    const noise = channelNoise([{ channel: "amplitude_damping", gamma: 0.01 }], 2);
    const observe = (options: object) =>
      simulateNoisy(circuit, noise, { shots: 0, observables: [z1], ...options }).expectations![0]!;
    const truth = observe({}).value;
    const { coverage, ratio } = trial(truth, 500, seed =>
      observe({ shots: 1000, seed, method: "trajectories" }),
    );
    expect(coverage).toBeGreaterThan(0.92);
    expect(ratio).toBeLessThan(2 * 1.96);
  });
});

describe("a truncated matrix product state", () => {
  const layers = Array.from({ length: 10 }, (_, layer) => {
    const turns = Array.from(
      { length: 20 },
      (_, q) => `ry(${3 * random()}) q[${q}]; rz(${3 * random()}) q[${q}];`,
    );
    const pairs = Array.from({ length: 9 + ((layer + 1) % 2) }, (_, i) => 2 * i + (layer % 2));
    return [...turns, ...pairs.map(q => `cx q[${q}], q[${q + 1}];`)].join("\n");
  });
  const program = `${HEAD}qubit[20] q; bit[3] c;\n${layers.join("\n")}\nc = measure q[8:10];`;
  const strings = Array.from(
    { length: 19 },
    (_, q): PauliSum => [
      { coefficient: 1, string: [{ qubit: q, pauli: "Z" }] },
      {
        coefficient: q % 2,
        string: [
          { qubit: q, pauli: "X" },
          { qubit: q + 1, pauli: "Y" },
        ],
      },
    ],
  );
  const simulated = (options: object) =>
    simulate(compile({ format: "qasm3", data: program }), {
      shots: 0,
      observables: strings,
      precision: "double",
      ...options,
    });

  test("has intervals that contain the truth, of observables and of probabilities, at every bond", () => {
    const truth = simulated({ method: "statevector" });
    const fidelities = [4, 8, 16, 64].map(maxBondDimension => {
      const found = simulated({ method: "matrix product state", maxBondDimension });
      const { fidelity } = found.method.truncation!;
      found.expectations!.forEach((mean, q) => {
        const observable = q % 2 ? `Z${q} + X${q} Y${q + 1}` : `Z${q}`;
        expect(
          isWithin(simulatedExpectation(observable, mean, fidelity), truth.expectations![q]!.value),
        ).toBe(true);
      });
      const { measurementProbabilities } = found;
      const result = Result.from({ resultData: { measurementProbabilities, estimatedFidelity: fidelity } });
      for (const row of result.toRows()) {
        const exact = truth.measurementProbabilities![row.outcome!]!;
        expect(isWithin(fidelity < 1 ? row : { low: row.probability!, high: row.probability! }, exact)).toBe(
          true,
        );
      }
      return fidelity;
    });
    expect(fidelities).toEqual(fidelities.toSorted((a, b) => a - b));
    expect(fidelities[0]).toBeLessThan(0.9);
    expect(fidelities[3]).toBe(1);
  });

  test("is shown as approximate, in its histogram, table, text and means", () => {
    const counted = Result.from({
      resultData: { measurementCounts: { "0": 60, "1": 40 }, estimatedFidelity: 0.93 },
    });
    const exact = Result.from({
      resultData: { measurementProbabilities: { "0": 0.6, "1": 0.4 }, estimatedFidelity: 0.93 },
    });
    for (const result of [counted, exact]) {
      expect(bundleOf(result)["text/plain"]).toContain("approximate: estimated fidelity 0.93");
      expect(bundleOf(result.compare(counted))["text/plain"]).toContain(
        "approximate: estimated fidelity 0.93",
      );
      expect(result.estimatedFidelity).toBe(0.93);
      expect(result.marginal([0]).toRows()).toEqual(result.toRows());
    }
    expect(bundleOf(exact)["text/plain"]).not.toMatch(/exact/);
    expect(`${exact}`).toMatch(/^Approximate result/);
    const { state } = Result.from({
      resultData: { measurementProbabilities: { "": 1 }, statevector: [1, 0, 0, 0], estimatedFidelity: 0.93 },
    });
    expect(bundleOf(state)["text/plain"]).toContain("approximate: estimated fidelity 0.93");
    expect(`${state} ${state.expectation("Z")}`).toContain("1.00 [0.86, 1.00] (at least 95%, approximate)");
    expect(exact.toCSV()).toMatch(/^outcome,probability,low,high\r\n0,0\.6,0\.3/);
    expect(`${exact.expectation("Z")}`).toBe("0.20 [-0.33, 0.67] (at least 95%, approximate)");
    expect(Result.from(JSON.parse(JSON.stringify(exact))).toRows()).toEqual(exact.toRows());
    expect(() =>
      Result.from({ resultData: { measurementCounts: { "0": 1 }, estimatedFidelity: 2 } }),
    ).toThrow("resultData.estimatedFidelity must be a number from 0 to 1");
  });
});
