import { describe, expect, test } from "vitest";
import { CancelledError } from "../../../src/simulation/index.ts";
import { contradicts } from "../chi-square.ts";
import { HEAD, run } from "../run.ts";

const layers = (numQubits: number, count: number) =>
  Array.from({ length: count }, (_, i) => {
    const last = numQubits - 1;
    return `rx(${0.3 + i}) q; t q; cz q[0:${last - 1}], q[1:${last}]; h q; cx q[${i % numQubits}], q[${(i + 5) % numQubits}];`;
  }).join("\n");
const program = (numQubits: number, body: string) =>
  `${HEAD}qubit[${numQubits}] q; bit[${numQubits}] c;\n${body}\nc = measure q;`;

describe("wide runs as a state vector", () => {
  test("give the same counts for any number of threads", () => {
    const [one, two, three] = [1, 2, 3].map(
      threads => run(program(18, layers(18, 4)), { shots: 5000, seed: 9, threads }).measurementCounts,
    );
    expect(two).toEqual(one);
    expect(three).toEqual(one);
  });

  test("draw in single precision from the distribution in double (a false alarm once in 10^9)", () => {
    const narrow = program(14, layers(14, 3)).replace("c = measure q;", "c[0:5] = measure q[8:13];");
    const exact = run(narrow, { shots: 0 }).measurementProbabilities!;
    const { measurementCounts } = run(narrow, { shots: 100_000, seed: 4 });
    expect(contradicts(measurementCounts, exact)).toBe(false);
  });

  test("keep copies and parities of qubits right when their originals change", () => {
    const body =
      "ry(0.7) q[0]; cx q[0], q[1]; cx q[1], q[2]; x q[1]; ry(1.1) q[3]; cx q[3], q[2]; cswap q[0], q[1], q[3]; h q[0]; cp(0.9) q[2], q[0]; crx(0.4) q[1], q[0]; h q[2];";
    const bare = run(program(4, body), { shots: 0, statevector: true }).statevector!;
    const joined = run(program(4, `rx(0) q; h q; h q; ${body}`), { shots: 0, statevector: true })
      .statevector!;
    let overlap = 0;
    let crossed = 0;
    for (let i = 0; i < bare.length; i += 2) {
      overlap += bare[i]! * joined[i]! + bare[i + 1]! * joined[i + 1]!;
      crossed += bare[i]! * joined[i + 1]! - bare[i + 1]! * joined[i]!;
    }
    expect(Math.hypot(overlap, crossed)).toBeCloseTo(1, 12);
  });

  test("measure and condition on the way", () => {
    const body = `${layers(14, 2)} reset q; x q[3]; h q[0]; c[0] = measure q[0]; if (c[0]) { x q[1]; } else { x q[2]; }`;
    const { measurementCounts } = run(program(14, body), { shots: 300, seed: 1, method: "statevector" });
    expect(Object.keys(measurementCounts).sort()).toEqual(["00000000001011", "00000000001100"]);
  });

  test("stop while the kernels are at work", () => {
    const start = performance.now();
    const signal = {
      get aborted() {
        return performance.now() - start > 100;
      },
    };
    const long = program(20, `for int i in [0:1000] { ${layers(20, 4)} }`);
    expect(() => run(long, { shots: 1, seed: 1, signal })).toThrow(CancelledError);
    expect(run(program(14, "h q; t q;"), { shots: 1, seed: 1 }).method.name).toBe("statevector");
  });

  test("refuse what the kernels' memory cannot hold, before any of it is taken, with the figure", () => {
    const wide = { shots: 1, method: "statevector", maxQubits: 40, maxBytes: 2 ** 40 } as const;
    expect(() => run(program(30, "h q;"), wide)).toThrow(/30 qubits, which takes 8 GiB; at most 3.9 GiB/);
  });
});
