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
