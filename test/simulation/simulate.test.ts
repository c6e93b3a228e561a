import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { MethodName } from "../../src/simulation/index.ts";
import { contradicts } from "./chi-square.ts";
import { anyGate, anyPair, programOf, statements } from "./random-statements.ts";
import { run } from "./run.ts";

describe("every method", () => {
  test.each(["sparse", "matrix product state", "extended stabilizer"] as const)(
    "%s has the state vector's exact distribution on random programs with measurements and conditions",
    method => {
      fc.assert(
        fc.property(statements({ single: anyGate, pair: anyPair }), body => {
          const [dense, other] = (["statevector", method] as const).map(
            name => run(programOf(body), { shots: 0, method: name }).measurementProbabilities!,
          );
          for (const key of new Set([...Object.keys(dense!), ...Object.keys(other!)]))
            expect(other![key] ?? 0, programOf(body)).toBeCloseTo(dense![key] ?? 0, 9);
        }),
        { numRuns: 100, seed: 12 },
      );
    },
  );

  test.each(["statevector", "sparse", "matrix product state", "extended stabilizer"] as const)(
    "%s draws from the exact distribution of random programs with measurements and conditions (a false alarm once in 10^7 runs of this)",
    method => {
      fc.assert(
        fc.property(statements({ single: anyGate, pair: anyPair }), body => {
          const exact = run(programOf(body), { shots: 0, method: "statevector" }).measurementProbabilities!;
          const { measurementCounts } = run(programOf(body), { shots: 4000, seed: 6, method });
          expect(contradicts(measurementCounts, exact), programOf(body)).toBe(false);
        }),
        { numRuns: 60, seed: 14 },
      );
    },
  );
});

describe("shots", () => {
  const layers = (gate: string) => `${gate} q; cz q[0:3], q[1:4];\n`.repeat(50);
  const limited = (reads: string, method: MethodName, maxOperations: number) => () =>
    run(programOf([layers("h"), "m[0] = measure q[0];", reads, layers("s")]), {
      shots: 1000,
      seed: 1,
      method,
      maxOperations,
    });

  test.each(["statevector", "sparse", "stabilizer", "matrix product state", "extended stabilizer"] as const)(
    "share a run by %s up to the measurement in which they differ, and one run where nothing depends on it",
    method => {
      const [once, twice] = [1000, 1500];
      expect(limited("", method, once)).not.toThrow();
      expect(limited("if (m[0]) { sx q[1]; }", method, twice)).not.toThrow();
      expect(limited("if (m[0]) { sx q[1]; }", method, once)).toThrow(/1,000 operations/);
    },
  );
});
