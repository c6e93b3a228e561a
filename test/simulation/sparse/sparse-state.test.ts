import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { contradicts } from "../chi-square.ts";
import { programOf } from "../random-statements.ts";
import { HEAD, run } from "../run.ts";

describe("the sparse method", () => {
  test("draws from that distribution (a false alarm once in 10^9)", () => {
    const program = programOf([
      "h q[0];",
      "ry(1) q[1];",
      "cx q[0], q[2];",
      "crx(2) q[1], q[3];",
      "t q[0];",
      "h q[0];",
    ]);
    const exact = run(program, { shots: 0 }).measurementProbabilities!;
    const { measurementCounts } = run(program, { shots: 20_000, seed: 2, method: "sparse" });
    expect(contradicts(measurementCounts, exact)).toBe(false);
  });

  const program = (gates: readonly string[], places: readonly number[]) =>
    `${HEAD}qubit[${Math.max(...places) + 1}] q; bit[4] c; ${gates.join(" ")} ${places.map((place, i) => `c[${i}] = measure q[${place}];`).join(" ")}`;
  const calls = ["ry(1.1)", "x", "t", "y", "cx", "cp(0.7)", "swap", "cswap", "ccx", "negctrl @ swap"].concat(
    "negctrl @ ry(0.4)",
    "ctrl(2) @ swap",
    "ctrl @ negctrl @ y",
    "reset",
  );
  const operands = (call: string) =>
    call.startsWith("ctrl(2)") ? 4 : /cswap|ccx|@ swap|@ y/.test(call) ? 3 : /^c|swap|@/.test(call) ? 2 : 1;

  test("has the state vector's distribution, in whatever words its qubits are kept", () => {
    const order = fc.shuffledSubarray([0, 1, 2, 3], { minLength: 4 });
    const gates = fc.array(fc.tuple(fc.constantFrom(...calls), order), { minLength: 6, maxLength: 24 });
    const sites = fc.uniqueArray(fc.nat({ max: 99 }), { minLength: 4, maxLength: 4 });
    const at = (called: readonly [string, number[]][], places: readonly number[]) =>
      program(
        called.map(
          ([call, on]) =>
            `${call} ${on
              .slice(0, operands(call))
              .map(i => `q[${places[i]}]`)
              .join(", ")};`,
        ),
        places,
      );
    fc.assert(
      fc.property(gates, sites, (called, places) => {
        const exact = run(at(called, [0, 1, 2, 3]), { shots: 0, method: "statevector" });
        const sparse = run(at(called, places), { shots: 0, method: "sparse" });
        const expected = new Map(Object.entries(exact.measurementProbabilities!));
        for (const [key, p] of Object.entries(sparse.measurementProbabilities!))
          expect(p).toBeCloseTo(expected.get(key) ?? 0, 9);
      }),
      { numRuns: 60 },
    );
  });

  test("runs programs of 1,000 qubits with few amplitudes", () => {
    const program = `${HEAD}qubit[1000] q; bit[1000] c; ry(1) q[7]; for uint i in [8:999] { cx q[7], q[i]; } for uint i in [0:6] { ccx q[7], q[8], q[i]; } c = measure q;`;
    const { measurementCounts } = run(program, { shots: 1000, seed: 1, method: "sparse" });
    expect(Object.keys(measurementCounts)).toEqual(["0".repeat(1000), "1".repeat(1000)].sort());
  });

  test("stops at the limit of memory, with the figure", () => {
    const program = `${HEAD}qubit[30] q; bit[30] c; h q; t q; c = measure q;`;
    expect(() => run(program, { shots: 1, method: "sparse", maxBytes: 2 ** 20 })).toThrow(
      /grown to .* amplitudes.*at most 1 MiB/,
    );
  });
});
