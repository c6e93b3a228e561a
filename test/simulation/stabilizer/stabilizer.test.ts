import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { contradicts } from "../chi-square.ts";
import { cliffordGate, cliffordPair, NOT_CLIFFORD, programOf, statements } from "../random-statements.ts";
import { HEAD, run } from "../run.ts";

describe("the stabilizer method", () => {
  test("has the state vector's distribution on random Clifford programs (a false alarm once in 10^7 runs of this)", () => {
    const clifford = statements({
      single: cliffordGate,
      pair: cliffordPair.filter(name => !NOT_CLIFFORD.has(name)),
    });
    fc.assert(
      fc.property(clifford, body => {
        const program = programOf(body);
        const exact = run(program, { shots: 0, method: "statevector" }).measurementProbabilities!;
        const { measurementCounts } = run(program, { shots: 4000, seed: 5, method: "stabilizer" });
        expect(contradicts(measurementCounts, exact), program).toBe(false);
      }),
      { numRuns: 100, seed: 11 },
    );
  });

  test("refuses a gate that is none of its own, by name and place", () => {
    for (const call of ["t q[0]", "ctrl @ s q[0], q[1]", "ccx q[0], q[1], q[2]", "rx(0.1) q[0]"]) {
      const refused = () => run(programOf(["h q;", `x q[1]; ${call};`]), { shots: 1, method: "stabilizer" });
      expect(refused).toThrow(/^5:9: .* is not a Clifford gate/);
      expect(refused).toThrow(call.slice(0, call.indexOf(" q")));
    }
    const loop = "for uint i in [0:1] {\n  t q[i];\n}";
    expect(() => run(programOf([loop]), { shots: 1, method: "stabilizer" })).toThrow(/^5:3: t is not/);
  });

  test("draws correlated outcomes of 1,000 qubits", () => {
    const program = `${HEAD}qubit[1000] q; bit[1000] c; h q[0]; for uint i in [0:998] { cx q[i], q[i+1]; } c = measure q;`;
    const { measurementCounts } = run(program, { shots: 500, seed: 1, method: "stabilizer" });
    expect(Object.keys(measurementCounts).sort()).toEqual(["0".repeat(1000), "1".repeat(1000)]);
  });

  test("teleports by measurement and correction", () => {
    const program = `${HEAD}qubit[3] q; bit[2] m; bit c;
      sx q[0]; s q[0]; h q[1]; cx q[1], q[2]; cx q[0], q[1]; h q[0];
      m[0] = measure q[0]; m[1] = measure q[1];
      if (m[1]) x q[2]; if (m[0]) z q[2];
      sdg q[2]; inv @ sx q[2]; c = measure q[2];`;
    const { measurementCounts } = run(program, { shots: 400, seed: 1, method: "stabilizer" });
    expect(Object.keys(measurementCounts).every(key => key.startsWith("0 "))).toBe(true);
    expect(Object.keys(measurementCounts)).toHaveLength(4);
  });

  test("gives every shot's outcome, and the same for the same seed", () => {
    const program = programOf(["h q[0];", "cx q[0], q[3];", "m[1] = measure q[0];", "h q[1];"]);
    const [first, again, other] = [3, 3, 4].map(seed =>
      run(program, { shots: 100, seed, method: "stabilizer", memory: true }),
    );
    expect(again).toEqual(first);
    expect(other!.measurements).not.toEqual(first!.measurements);
    const counts: Record<string, number> = {};
    for (const key of first!.measurements!) counts[key] = (counts[key] ?? 0) + 1;
    expect(counts).toEqual(first!.measurementCounts);
  });

  test("has the state vector's exact probabilities on random Clifford programs", () => {
    const clifford = statements({
      single: cliffordGate,
      pair: cliffordPair.filter(name => !NOT_CLIFFORD.has(name)),
    });
    fc.assert(
      fc.property(clifford, body => {
        const [dense, exact] = (["statevector", "stabilizer"] as const).map(
          method => run(programOf(body), { shots: 0, method }).measurementProbabilities!,
        );
        for (const key of new Set([...Object.keys(dense!), ...Object.keys(exact!)]))
          expect(exact![key] ?? 0, programOf(body)).toBeCloseTo(dense![key] ?? 0, 9);
      }),
      { numRuns: 200, seed: 13 },
    );
  });

  test("gives exact probabilities of 1,000 qubits where they have few outcomes, and else says how many there are", () => {
    const program = (gates: string) => `${HEAD}qubit[1000] q; bit[1000] c; ${gates} c = measure q;`;
    const ghz = run(program("h q[0]; for uint i in [0:998] { cx q[i], q[i+1]; }"), { shots: 0 });
    expect(ghz.method.name).toBe("stabilizer");
    expect(ghz.measurementProbabilities).toEqual({ ["0".repeat(1000)]: 0.5, ["1".repeat(1000)]: 0.5 });
    expect(() => run(program("h q; cz q[0:998], q[1:999];"), { shots: 0 })).toThrow(
      /2\^1000 equally likely outcomes.*ask for shots/,
    );
  });

  test("finds again what it has measured, through gates and measurements that do not commute with it, on 70 qubits", () => {
    const numQubits = 70;
    const qubit = fc.nat({ max: numQubits - 1 });
    const gates = fc.array(
      fc
        .record({ name: fc.constantFrom("h", "s", "cx", "cx", "cz"), a: qubit, b: qubit })
        .filter(({ a, b }) => a !== b),
      { minLength: 150, maxLength: 250 },
    );
    const one = ({ name, a, b }: { name: string; a: number; b: number }) =>
      name.startsWith("c") ? `${name} q[${a}], q[${b}];` : `${name} q[${a}];`;
    const inverse = (gate: { name: string; a: number; b: number }) =>
      gate.name === "s" ? `inv @ ${one(gate)}` : one(gate);
    const measured = fc.uniqueArray(qubit, { minLength: 10, maxLength: 50 });
    fc.assert(
      fc.property(gates, gates, gates, measured, measured, (first, second, third, before, qubits) => {
        const measureAll = (name: string, list: readonly number[]) =>
          list.map((q, i) => `${name}[${i}] = measure q[${q}];`).join(" ");
        const declared = ["a", "b", "c", "p"].map(name => `bit[${numQubits}] ${name};`).join(" ");
        const parity = `reset q[${numQubits}]; ${qubits.map(q => `cx q[${q}], q[${numQubits}];`).join(" ")} p[0] = measure q[${numQubits}];`;
        const program = `${HEAD}qubit[${numQubits + 1}] q; ${declared}
          ${first.map(one).join(" ")} ${measureAll("a", before)}
          ${second.map(one).join(" ")} ${measureAll("b", qubits)} ${parity}
          ${third.map(one).join(" ")} ${third.toReversed().map(inverse).join(" ")}
          ${measureAll("c", qubits)}`;
        const { measurements } = run(program, { shots: 40, seed: 1, method: "stabilizer", memory: true });
        for (const key of measurements!) {
          const [p, c, b] = key.split(" ") as [string, string, string];
          expect(c).toBe(b);
          expect(Number(p.at(-1))).toBe(b.replaceAll("0", "").length % 2);
        }
      }),
      { numRuns: 25, seed: 17 },
    );
  });
});
