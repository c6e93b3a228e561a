import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { SimulateOptions } from "../../../src/simulation/index.ts";
import { contradicts } from "../chi-square.ts";
import { HEAD, run } from "../run.ts";

const method = "matrix product state";
const mps = (program: string, options: Partial<SimulateOptions> = {}) =>
  run(program, { shots: 1000, seed: 1, method, ...options });
const program = (qubits: number, body: string, bits = qubits) =>
  `${HEAD}qubit[${qubits}] q; bit[${bits}] c;\n${body}`;

/** Gates on some of so many qubits, which lie within so many places of each other. */
const gates = (qubits: number, reach = qubits) => {
  const angle = fc.double({ min: -3, max: 3, noNaN: true }).map(value => value.toFixed(3));
  const places = fc
    .tuple(
      fc.nat({ max: qubits - reach }),
      fc.uniqueArray(fc.nat({ max: reach - 1 }), { minLength: 3, maxLength: 3 }),
    )
    .map(([first, near]) => near.map(place => first + place));
  const kinds = fc.constantFrom("u3", "cx", "crx", "cp", "swap", "ccx", "cswap", "negctrl @ ctrl @ ry");
  return fc.tuple(kinds, angle, places).map(([kind, theta, [a, b, c]]) => {
    if (kind === "u3") return `u3(${theta}, 0.3, ${theta}) q[${a}];`;
    if (kind === "crx" || kind === "cp") return `${kind}(${theta}) q[${a}], q[${b}];`;
    if (kind === "cx" || kind === "swap") return `${kind} q[${a}], q[${b}];`;
    return `${kind}${kind.endsWith("ry") ? `(${theta})` : ""} q[${a}], q[${b}], q[${c}];`;
  });
};

describe("a matrix product state", () => {
  test("has the amplitudes of the state vector, global phase included, for random gates on near and far qubits", () => {
    fc.assert(
      fc.property(fc.array(gates(7), { minLength: 10, maxLength: 40 }), body => {
        const text = program(7, `h q; rz(0.4) q; gphase(0.7); ${body.join("\n")}`);
        const [found, expected] = ([method, "statevector"] as const).map(
          name => run(text, { shots: 0, statevector: true, method: name }).statevector!,
        );
        found!.forEach((part, i) => {
          expect(Math.abs(part - expected![i]!), text).toBeLessThan(1e-10);
        });
      }),
      { numRuns: 30, seed: 3 },
    );
  });

  test("has the state vector's probabilities of a few of 16 qubits, and draws from them (a false alarm once in 10^7 runs)", () => {
    fc.assert(
      fc.property(
        fc.array(gates(16, 4), { minLength: 20, maxLength: 40 }),
        fc.shuffledSubarray([...Array(16).keys()], { minLength: 5, maxLength: 5 }),
        (body, read) => {
          const reads = read.map((qubit, bit) => `c[${bit}] = measure q[${qubit}];`).join(" ");
          const text = program(16, `ry(0.9) q; ${body.join("\n")}\n${reads}`, 5);
          const expected = run(text, { shots: 0, method: "statevector" }).measurementProbabilities!;
          const found = mps(text, { shots: 0 }).measurementProbabilities!;
          for (const key of Object.keys(expected))
            expect(found[key] ?? 0, text).toBeCloseTo(expected[key]!, 9);
          expect(contradicts(mps(text, { shots: 2000 }).measurementCounts, expected), text).toBe(false);
        },
      ),
      { numRuns: 12, seed: 4 },
    );
  });

  test("draws many shots of qubits with others between them as the state vector has them, in memory too (a false alarm once in 10^7 runs)", () => {
    const layer = (theta: number) =>
      Array.from(
        { length: 12 },
        (_, i) => `ry(${theta + i / 9}) q[${i}]; cx q[${i}], q[${(i + 1) % 12}];`,
      ).join(" ");
    const reads = [2, 9, 3, 6, 10, 4, 11].map((qubit, bit) => `c[${bit}] = measure q[${qubit}];`).join(" ");
    for (const read of [reads, "c = measure q;"]) {
      const text = program(12, `${layer(0.3)} ${layer(0.8)} ${read}`, 12);
      const exact = run(text, { shots: 0, method: "statevector" }).measurementProbabilities!;
      const { measurementCounts, measurements } = mps(text, { shots: 60_000, memory: true });
      expect(contradicts(measurementCounts, exact)).toBe(false);
      const firstHalf: Record<string, number> = {};
      for (const key of measurements!.slice(0, 30_000)) firstHalf[key] = (firstHalf[key] ?? 0) + 1;
      expect(contradicts(firstHalf, exact)).toBe(false);
    }
  });

  test("is taken for few shots of a shallow program, and a state vector for so many that drawing them takes longer", () => {
    const layers = Array.from(
      { length: 3 },
      (_, layer) =>
        `u3(${layer + 1}, 0.4, 1) q; ${Array.from({ length: 9 }, (_, i) => `cx q[${2 * i + (layer % 2)}], q[${2 * i + 1 + (layer % 2)}];`).join(" ")}`,
    ).join("\n");
    const text = program(20, `${layers} c = measure q;`);
    const nameFor = (shots: number) => run(text, { shots, seed: 1 }).method.name;
    expect([100, 1_000_000].map(nameFor)).toEqual([method, "statevector"]);
  });

  test("draws what stabilizers and sparse states draw at 50 qubits", () => {
    const chain = Array.from({ length: 49 }, (_, i) => `cx q[${i}], q[${(i * 7 + 8) % 50}];`)
      .filter(gate => !/q\[(\d+)\], q\[\1\]/.test(gate))
      .join(" ");
    const reads = [3, 17, 29, 41].map((qubit, bit) => `c[${bit}] = measure q[${qubit}];`).join(" ");
    const text = program(50, `h q[0]; h q[9]; sx q[20]; h q[33]; ${chain} h q[41]; ${reads}`, 4);
    const exact = run(text, { shots: 0, method: "stabilizer" }).measurementProbabilities!;
    for (const shots of [0, 1]) {
      for (const other of [method, "sparse"] as const) {
        const found = run(text, { shots, seed: 1, method: other });
        const keys = Object.keys(found.measurementProbabilities ?? found.measurementCounts);
        expect(keys.every(key => exact[key]! > 0)).toBe(true);
        for (const key of Object.keys(found.measurementProbabilities ?? {}))
          expect(found.measurementProbabilities![key]).toBeCloseTo(exact[key]!, 10);
      }
    }
  });

  test("collapses all of a GHZ state of 300 qubits when one is measured, and continues by what was found", () => {
    const ghz = `h q[0]; for uint i in [0:298] { cx q[i], q[i + 1]; }`;
    const text = program(300, `${ghz} c[0] = measure q[150]; if (c[0]) { x q; } c = measure q;`);
    expect(mps(text, { shots: 20 }).measurementCounts).toEqual({ ["0".repeat(300)]: 20 });
  });

  test("compares two registers of 150 qubits by a swap test, whose pairs lie far apart and share one control", () => {
    const states = "for uint i in [0:149] { ry(0.02 * i) q[1 + i]; ry(0.02 * i) q[151 + i]; }";
    const pairs = Array.from({ length: 150 }, (_, i) => `cswap q[0], q[${1 + i}], q[${151 + i}];`).join(" ");
    const compare = (changed: string) => {
      const text = program(301, `${states} ${changed} h q[0]; ${pairs} h q[0]; c[0] = measure q[0];`, 1);
      return mps(text, { shots: 0 });
    };
    const same = compare("");
    expect(same.measurementProbabilities!["0"]).toBeCloseTo(1, 9);
    expect(same.method.truncation!.bondDimension).toBeLessThanOrEqual(8);
    const overlap = Math.cos(0.35) ** 2;
    expect(compare("ry(0.7) q[77];").measurementProbabilities!["1"]).toBeCloseTo((1 - overlap) / 2, 9);
  });

  test("resets a qubit that is entangled with others", () => {
    const text = program(40, "h q[0]; cx q[0], q[39]; ry(0.3) q[20]; reset q[0]; h q[0]; c = measure q;");
    const keys = Object.keys(mps(text).measurementCounts).map(key => key[0]! + key[39]!);
    expect(new Set(keys)).toEqual(new Set(["00", "01", "10", "11"]));
  });

  test("resets a qubit between two that stay entangled with each other", () => {
    const body =
      "ry(1) q[0:2]; cx q[2], q[0]; ry(1) q; cx q[0], q[1]; ry(1) q; reset q[1]; id q[1]; c = measure q;";
    const text = program(3, body);
    const { measurementCounts } = mps(text);
    const exact = run(text, { shots: 0, method: "statevector" }).measurementProbabilities!;
    expect(contradicts(measurementCounts, exact)).toBe(false);
  });

  test("is exact below the bond limit, and says what was left out at it", () => {
    const layers = Array.from(
      { length: 10 },
      (_, layer) =>
        `u3(${layer}, 0.4, 1) q; ${Array.from({ length: 7 }, (_, i) => `cx q[${2 * i + (layer % 2)}], q[${2 * i + 1 + (layer % 2)}];`).join(" ")}`,
    ).join("\n");
    const text = program(15, `${layers} c[0] = measure q[7];`, 1);
    const expected = run(text, { shots: 0, method: "statevector" }).measurementProbabilities!["1"]!;
    const found = [8, 16, 128].map(maxBondDimension => {
      const { measurementProbabilities, method: how } = mps(text, { shots: 0, maxBondDimension });
      expect(how.truncation!.bondDimension).toBeLessThanOrEqual(maxBondDimension);
      return { error: Math.abs(measurementProbabilities!["1"]! - expected), ...how.truncation! };
    });
    expect(found[2]!.error).toBeLessThan(1e-10);
    expect(found[2]!.fidelity).toBe(1);
    expect(found[1]!.fidelity).toBeLessThan(1 - 1e-6);
    expect(found[0]!.fidelity).toBeLessThan(found[1]!.fidelity);
    for (const { error, fidelity } of found) expect(error).toBeLessThan(Math.sqrt(1 - fidelity) + 1e-9);
  });

  test("lists outcomes only where they are few, and else says to ask for shots", () => {
    expect(() => mps(program(22, "ry(1.4) q; c = measure q;"), { shots: 0 })).toThrow(
      /ask for shots instead/,
    );
  });

  test("stops at the limit of memory, with the figure", () => {
    const text = program(30, `${"u3(1, 2, 0.3) q; cx q[0:28], q[1:29];".repeat(8)} c = measure q;`);
    expect(() => mps(text, { maxBytes: 2 ** 14 })).toThrow(/has grown to .* at most 16 KiB/);
  });
});
