import { describe, expect, test } from "vitest";
import { simulateDevice } from "../../../src/simulation/index.ts";
import { circuit, countsOn, exactOn, figuresOf, perth } from "./devices.ts";

const quiet = { relaxation: false, gates: false, readout: false };

describe("noise that is off by default", () => {
  test("rotates too far by a part, which adds up over gates", () => {
    for (const pulses of [1, 5, 9]) {
      const body = `bit c; ${"x $0;".repeat(pulses)} c = measure $0;`;
      const { "1": one } = exactOn(perth, body, { ...quiet, overRotation: 0.02 });
      expect(one).toBeCloseTo(Math.sin((Math.PI / 2) * pulses * 1.02) ** 2, 10);
    }
    const virtual = exactOn(perth, "bit c; sx $0; rz(pi) $0; sx $0; c = measure $0;", {
      ...quiet,
      overRotation: 0.1,
    });
    expect(virtual["0"]).toBeCloseTo(1, 12);
  });

  test("couples neighbours of two-qubit gates that run at once, and not where a barrier parts them", () => {
    const pair = (barrier: string) =>
      `bit[2] c; h $3; h $5; cx $1, $3; ${barrier} cx $5, $6; barrier $1, $3, $5, $6; h $3; c[0] = measure $3;`;
    const zero = (barrier: string, crosstalk: number) => {
      const found = exactOn(perth, pair(barrier), { ...quiet, crosstalk });
      return found["00"] ?? 0;
    };
    expect(zero("", 0)).toBeCloseTo(1, 12);
    expect(zero("barrier $1, $3, $5, $6;", 500)).toBeCloseTo(1, 12);
    const lengths = [
      [1, 3],
      [5, 6],
    ].map(([a, b]) => perth.pairs.find(pair => pair.a === a && pair.b === b)!.gates.cx!.length);
    const overlap = Math.min(...lengths);
    const angle = Math.PI * 500e-6 * overlap;
    expect(zero("", 500)).toBeCloseTo((1 + Math.cos(angle)) / 2, 10);
  });

  test("misreads neighbours together, where they are measured at once at the end", () => {
    const together = "bit[2] c; x $1; c[0] = measure $0; c[1] = measure $1;";
    const found = exactOn(perth, together, { ...quiet, correlatedReadout: 0.04 });
    expect(found).toEqual({ "01": expect.closeTo(0.04, 12), 10: expect.closeTo(0.96, 12) });
    for (const body of [
      "bit[2] c; c[0] = measure $0; c[1] = measure $6;",
      "bit[2] c; c[0] = measure $0; barrier $0, $1; c[1] = measure $1;",
      "bit[2] c; bit d; c[0] = measure $0; c[1] = measure $1; if (c[0]) { x $2; } d = measure $2;",
    ])
      expect(exactOn(perth, body, { ...quiet, correlatedReadout: 0.04 })).toSatisfy(
        (found: Record<string, number>) => Math.abs((found["00"] ?? found["0 00"])! - 1) < 1e-12,
      );
  });

  test("drifts within a job: a Ramsey fringe fades, an echo restores it", () => {
    const delay = "delay[10us] $3;";
    const options = { noise: { ...quiet, drift: 30 }, shots: 8000 };
    const ramsey = countsOn(
      perth,
      `bit c; sx $3; ${delay} ${delay} rz(pi) $3; sx $3; c = measure $3;`,
      options,
    );
    const echo = countsOn(
      perth,
      `bit c; sx $3; ${delay} x $3; ${delay} sx $3; rz(pi) $3; c = measure $3;`,
      options,
    );
    expect(ramsey["1"] ?? 0).toBeGreaterThan(400);
    expect(echo["1"] ?? 0).toBeLessThan(40);
    const again = simulateDevice(circuit("bit c; sx $3; delay[10us] $3; sx $3; c = measure $3;"), perth, {
      shots: 100,
      seed: 4,
      memory: true,
      noise: { drift: 30 },
    });
    expect(again.measurements).toHaveLength(100);
    expect(
      simulateDevice(circuit("bit c; sx $3; delay[10us] $3; sx $3; c = measure $3;"), perth, {
        shots: 100,
        seed: 4,
        memory: true,
        noise: { drift: 30 },
      }),
    ).toEqual(again);
  });
});

describe("wide programs", () => {
  const path = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13];
  const ghz = `bit[14] c; h $0; ${path
    .slice(1)
    .map(q => `cx $${q - 1}, $${q};`)
    .join(" ")} ${path.map(q => `c[${q}] = measure $${q};`).join(" ")}`;
  const brisbane = figuresOf("brisbane");
  const shots = 4000;

  test("of Clifford gates run as stabilizers under the Pauli twirl of relaxation, as other methods have it", () => {
    const stabilizer = simulateDevice(circuit(ghz), brisbane, { shots, seed: 1 });
    expect(stabilizer.method.name).toBe("stabilizer");
    expect(stabilizer.method.reason).toMatch(/twirled/);
    const mps = simulateDevice(circuit(ghz), brisbane, { shots, seed: 2, method: "matrix product state" });
    const weight = ({ measurementCounts }: typeof mps) => {
      const ones = (key: string) => [...key].filter(bit => bit === "1").length;
      return Object.entries(measurementCounts).reduce((sum, [key, n]) => sum + (ones(key) > 7 ? n : 0), 0);
    };
    const intact = ({ measurementCounts: counts }: typeof mps) =>
      (counts["0".repeat(14)] ?? 0) + (counts["1".repeat(14)] ?? 0);
    for (const figure of [weight, intact])
      expect(Math.abs(figure(stabilizer) - figure(mps))).toBeLessThan(6 * Math.sqrt(shots / 2));
    expect(intact(stabilizer)).toBeGreaterThan(0.3 * shots);
    expect(intact(stabilizer)).toBeLessThan(0.8 * shots);
  });

  test("of qubits that do not act on each other are not twirled: T1 of all of brisbane at once", () => {
    const { measurementCounts, method } = simulateDevice(
      circuit("qubit[127] q; bit[127] c; x q; delay[100us] q; c = measure q;"),
      brisbane,
      { shots: 300, seed: 1, noise: { readout: false } },
    );
    expect(method.name).toBe("matrix product state");
    let [ones, expected, variance] = [0, 0, 0];
    for (const [key, count] of Object.entries(measurementCounts))
      ones += count * [...key].filter(bit => bit === "1").length;
    for (const { T1 } of brisbane.qubits) {
      const one = Math.exp(-100_000 / T1);
      expected += 300 * one;
      variance += 300 * one * (1 - one);
    }
    expect(Math.abs(ones - expected)).toBeLessThan(6 * Math.sqrt(variance) + 0.002 * expected);
  });

  test("that make too many choices to be scheduled run with the errors of their gates, and say so", () => {
    const body =
      "bit c; int n = 0; for int i in [1:40] { sx $0; c = measure $0; if (c) { n += i * i; x $1; } if (n > 5000) { x $2; } } c = measure $2;";
    const { method } = simulateDevice(circuit(body), perth, { shots: 20, seed: 1 });
    expect(method.reason).toMatch(/too many choices to be scheduled/);
  });
});
