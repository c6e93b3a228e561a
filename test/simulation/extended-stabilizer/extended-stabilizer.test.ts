import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { SimulateOptions } from "../../../src/simulation/index.ts";
import { contradicts } from "../chi-square.ts";
import { cliffordGate, cliffordPair, NOT_CLIFFORD } from "../random-statements.ts";
import { HEAD, run } from "../run.ts";

const method = "extended stabilizer";
const extended = (text: string, options: Partial<SimulateOptions> = {}) =>
  run(text, { shots: 1000, seed: 1, method, ...options });
const program = (qubits: number, body: string, bits = qubits) =>
  `${HEAD}qubit[${qubits}] q; bit[${bits}] c;\n${body}`;

/** Clifford gates on some of so many qubits, in layers. */
const clifford = (qubits: number, length: number) =>
  fc
    .array(
      fc.tuple(
        cliffordGate,
        cliffordPair.filter(name => !NOT_CLIFFORD.has(name)),
        fc.uniqueArray(fc.nat({ max: qubits - 1 }), { minLength: 3, maxLength: 3 }),
      ),
      { minLength: length, maxLength: length },
    )
    .map(gates =>
      gates.map(([one, two, [a, b, c]]) => `${one} q[${a}]; ${two} q[${b}], q[${c}];`).join("\n"),
    );

const others = (qubits: number) =>
  fc
    .tuple(
      fc.constantFrom(
        "t",
        "ry(0.4)",
        "u3(0.5, 2, 1)",
        "cp(0.3)",
        "crx(1.1)",
        "ch",
        "ccx",
        "negctrl @ ctrl @ rz(0.8)",
        "cswap",
      ),
      fc.uniqueArray(fc.nat({ max: qubits - 1 }), { minLength: 3, maxLength: 3 }),
    )
    .map(([name, [a, b, c]]) => {
      const count = /ccx|cswap|@/.test(name) ? 3 : /^c/.test(name) ? 2 : 1;
      return `${name} ${[a, b, c]
        .slice(0, count)
        .map(qubit => `q[${qubit}]`)
        .join(", ")};`;
    });

const mixed = (qubits: number, parts: number, length: number) =>
  fc
    .array(fc.tuple(clifford(qubits, length), others(qubits)), { minLength: parts, maxLength: parts })
    .chain(list =>
      clifford(qubits, length).map(last => `${list.map(([a, b]) => `${a}\n${b}`).join("\n")}\n${last}`),
    );

describe("the extended stabilizer", () => {
  test("has the state vector's probabilities for Clifford gates and a few others on 8 qubits", () => {
    fc.assert(
      fc.property(mixed(8, 4, 12), body => {
        const text = program(8, `h q; ${body}\nc = measure q;`);
        const expected = run(text, { shots: 0, method: "statevector" }).measurementProbabilities!;
        const found = extended(text, { shots: 0 }).measurementProbabilities!;
        for (const key of new Set([...Object.keys(expected), ...Object.keys(found)]))
          expect(found[key] ?? 0, text).toBeCloseTo(expected[key] ?? 0, 9);
      }),
      { numRuns: 60, seed: 1 },
    );
  });

  test("draws from the state vector's distribution at 20 qubits (a false alarm once in 10^7 runs)", () => {
    fc.assert(
      fc.property(
        mixed(20, 5, 20),
        fc.shuffledSubarray([...Array(20).keys()], { minLength: 5, maxLength: 5 }),
        (body, read) => {
          const reads = read.map((qubit, bit) => `c[${bit}] = measure q[${qubit}];`).join(" ");
          const text = program(20, `h q; ${body}\n${reads}`, 5);
          const expected = run(text, { shots: 0, method: "statevector" }).measurementProbabilities!;
          expect(contradicts(extended(text, { shots: 2000 }).measurementCounts, expected), text).toBe(false);
        },
      ),
      { numRuns: 12, seed: 2 },
    );
  });

  test("has a matrix product state's probabilities at 50 qubits", () => {
    const bonds = Array.from({ length: 49 }, (_, i) => `cx q[${i}], q[${i + 1}];`).join(" ");
    const turned = "h q[0:3:48]; s q[1:2:49]; t q[7]; ry(0.3) q[20]; t q[33]; t q[48];";
    const reads = [3, 17, 29, 41].map((qubit, bit) => `c[${bit}] = measure q[${qubit}];`).join(" ");
    const text = program(50, `${turned} ${bonds} h q; t q[9]; h q[9]; ${reads}`, 4);
    const expected = run(text, { shots: 0, method: "matrix product state" }).measurementProbabilities!;
    const found = extended(text, { shots: 0 }).measurementProbabilities!;
    for (const key of Object.keys(expected)) expect(found[key] ?? 0).toBeCloseTo(expected[key]!, 9);
  });

  test("undoes 1,000 qubits of Clifford gates around a single other", () => {
    const [random] = fc.sample(clifford(1000, 1500), { seed: 3, numRuns: 1 });
    const undo = random!
      .split("\n")
      .reverse()
      .map(line => {
        const [one, two] = line.split(";") as [string, string];
        return `inv @ ${two.trim()}; inv @ ${one.trim()};`;
      })
      .join("\n");
    const text = program(
      1000,
      `h q; s q;\n${random}\nt q[5]; tdg q[5];\n${undo}\nsdg q; h q; c = measure q;`,
    );
    const { measurementCounts, method: how } = run(text, { shots: 200, seed: 1 });
    expect(measurementCounts).toEqual({ ["0".repeat(1000)]: 200 });
    expect(how.name).toBe("extended stabilizer");
    expect(how.reason).toMatch(/^Besides Clifford gates the program has few others\./);
  });

  test("is chosen for 40 qubits of entangling Clifford gates with ten others", () => {
    const [body] = fc.sample(mixed(40, 10, 40), { seed: 4, numRuns: 1 });
    const { method: how } = run(program(40, `h q; ${body}\nc = measure q;`), { shots: 100, seed: 1 });
    expect(how.name).toBe("extended stabilizer");
  });

  test("is chosen where such a program depends on what it measures on its way", () => {
    const layers = fc.sample(clifford(40, 60), { seed: 4, numRuns: 11 });
    const body = layers.join("\nt q[7];\n");
    const text = `h q; ${body}\nc[0] = measure q[0]; if (c[0]) { x q[1]; h q[2]; }\nh q[0]; c = measure q;`;
    const { method: how } = run(program(40, text), { shots: 20, seed: 1 });
    expect(how.name).toBe("extended stabilizer");
    expect(how.reason).toMatch(/^Besides Clifford gates the program has few others\./);
  });

  test("refuses a program with too many other gates, with the figures", () => {
    expect(() => extended(program(40, "h q; t q; h q; t q; c = measure q;"))).toThrow(/at most 28 qubits/);
    expect(() => extended(program(2, "t q; c = measure q;"), { statevector: true })).toThrow(
      /no state vectors/,
    );
  });
});
