import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { contradicts } from "../chi-square.ts";
import { anyGate, anyPair, cliffordGate, cliffordPair, NOT_CLIFFORD } from "../random-statements.ts";
import { HEAD, run } from "../run.ts";

/** Gates on some qubits in the order of a list. */
const gatesOn = (
  qubits: readonly number[],
  single: fc.Arbitrary<string>,
  pair: fc.Arbitrary<string>,
  length: number,
) =>
  fc
    .array(fc.tuple(single, pair, fc.shuffledSubarray([...qubits], { minLength: 3, maxLength: 3 })), {
      minLength: length,
      maxLength: length,
    })
    .map(gates =>
      gates.map(([one, two, [a, b, c]]) => `${one} q[${a}]; ${two} q[${b}], q[${c}];`).join("\n"),
    );

/** Every fourth qubit from one on. */
const part = (first: number) => Array.from({ length: 6 }, (_, i) => first + 4 * i);
const pairs = cliffordPair.filter(name => !NOT_CLIFFORD.has(name));

describe("a program that splits into parts", () => {
  const program = (body: string, bits: number, reads: string) =>
    `${HEAD}qubit[24] q; bit[${bits}] c; bit m;\n${body}\n${reads}`;
  const bodies = fc.tuple(...[0, 1, 2, 3].map(first => gatesOn(part(first), anyGate, anyPair, 6)));

  test("has the state vector's distribution, whatever of its qubits is measured (a false alarm once in 10^7 runs)", () => {
    fc.assert(
      fc.property(
        bodies,
        fc.shuffledSubarray([...Array(24).keys()], { minLength: 6, maxLength: 6 }),
        (parts, read) => {
          const reads = read.map((qubit, bit) => `c[${bit}] = measure q[${qubit}];`).join(" ");
          const text = program(`ry(0.7) q;\n${parts.join("\n")}`, 6, reads);
          const expected = run(text, { shots: 0, method: "statevector" }).measurementProbabilities!;
          const found = run(text, { shots: 0 });
          expect(found.method.reason).toMatch(/^The program splits into \d+ parts/);
          for (const key of Object.keys(expected))
            expect(found.measurementProbabilities![key] ?? 0, text).toBeCloseTo(expected[key]!, 9);
          expect(contradicts(run(text, { shots: 2000, seed: 1 }).measurementCounts, expected), text).toBe(
            false,
          );
        },
      ),
      { numRuns: 4, seed: 5 },
    );
  });

  test("depends in one part on what was measured in another", () => {
    const layers = [0, 1, 2, 3]
      .flatMap(first =>
        part(first)
          .slice(1)
          .map(qubit => `ry(0.3) q[${qubit}]; cry(0.9) q[${qubit - 4}], q[${qubit}];`),
      )
      .join(" ");
    const text = program(
      `h q[0:3]; ${layers} m = measure q[0]; if (m) { x q[1]; } else { reset q[1]; }`,
      2,
      "c[0] = measure q[1]; c[1] = measure q[0];",
    );
    const { measurementCounts, method } = run(text, { shots: 3000, seed: 2 });
    expect(method.reason).toMatch(/splits into/);
    const exact = run(text, { shots: 0, method: "matrix product state" }).measurementProbabilities!;
    expect(contradicts(measurementCounts, exact)).toBe(false);
    expect(Object.keys(measurementCounts).every(key => key[0] === key[2] || key === "1 10")).toBe(true);
  });

  test("takes a tableau for a Clifford part and a state vector for another, far beyond either alone", () => {
    const [clifford] = fc.sample(gatesOn([...Array(200).keys()], cliffordGate, pairs, 600), {
      seed: 6,
      numRuns: 1,
    });
    const [dense] = fc.sample(
      gatesOn(
        Array.from({ length: 18 }, (_, i) => 200 + i),
        anyGate,
        anyPair,
        60,
      ),
      { seed: 7, numRuns: 1 },
    );
    const text = `${HEAD}qubit[218] q; bit[218] c;\nh q; cx q[0:198], q[1:199]; cx q[200:216], q[201:217];\n${clifford}\n${dense}\nc = measure q;`;
    const { measurementCounts, method } = run(text, { shots: 100, seed: 3 });
    expect(method.reason).toMatch(/200 \(extended stabilizer\), 18 \(statevector\) qubits/);
    expect(Object.values(measurementCounts).reduce((sum, count) => sum + count, 0)).toBe(100);
  });

  test("gives the same counts for the same seed, and every shot's outcome", () => {
    const text = `${HEAD}qubit[30] q; bit[30] c;\nry(0.4) q; cry(1) q[0:2:28], q[1:2:29]; c = measure q;`;
    const [first, again, other] = [1, 1, 2].map(seed => run(text, { shots: 200, seed, memory: true }));
    expect(again).toEqual(first);
    expect(other!.measurements).not.toEqual(first!.measurements);
    const counts: Record<string, number> = {};
    for (const key of first!.measurements!) counts[key] = (counts[key] ?? 0) + 1;
    expect(counts).toEqual(first!.measurementCounts);
  });
});
