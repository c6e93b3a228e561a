import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { MethodName } from "../../../src/simulation/index.ts";
import { HEAD, run } from "../run.ts";
import { contradicts } from "./chi-square.ts";

const QUBITS = 5;

const cliffordGate = fc.constantFrom(
  ...["h", "s", "sdg", "x", "y", "z", "sx", "inv @ sx", "id", "rx(pi/2)", "ry(-pi/2)", "rz(3*pi/2)", "p(pi)"],
  ...["U(pi/2, 0, pi)", "U(pi/2, pi/2, -pi/2)", "pow(0.5) @ x", "u2(0, pi)"],
);
const cliffordPair = fc.constantFrom(
  ...[
    "cx",
    "cy",
    "cz",
    "swap",
    "cp(pi)",
    "crz(pi)",
    "crx(pi)",
    "cry(pi)",
    "negctrl @ x",
    "negctrl @ y",
    "ctrl @ s",
  ],
);
/** Pairs that are no Clifford gates after all. */
const NOT_CLIFFORD = new Set(["ctrl @ s"]);
const anyGate = fc.constantFrom("h", "t", "rx(0.7)", "ry(1.3)", "sx", "p(0.4)", "x");
const anyPair = fc.constantFrom("cx", "ch", "cp(0.9)", "crx(2)", "swap", "negctrl @ y", "cu(1, 2, 3, 0.4)");

interface Gates {
  single: fc.Arbitrary<string>;
  pair: fc.Arbitrary<string>;
}

/** Statements with measurements, resets and conditions among the gates. */
const statements = ({ single, pair }: Gates) =>
  fc.array(
    fc
      .record({
        kind: fc.constantFrom("single", "single", "single", "pair", "pair", "pair", "measure", "reset", "if"),
        single,
        pair,
        places: fc.shuffledSubarray([0, 1, 2, 3, 4], { minLength: 5 }),
        bit: fc.nat({ max: QUBITS - 1 }),
      })
      .map(({ kind, single: one, pair: two, places: [a, b], bit }) => {
        if (kind === "single") return `${one} q[${a}];`;
        if (kind === "pair") return `${two} q[${a}], q[${b}];`;
        if (kind === "measure") return `m[${bit}] = measure q[${a}];`;
        if (kind === "reset") return `reset q[${a}];`;
        return `if (m[${bit}]) { ${one} q[${a}]; } else { ${two} q[${a}], q[${b}]; }`;
      }),
    { minLength: 5, maxLength: 30 },
  );

const programOf = (body: readonly string[]) =>
  `${HEAD}qubit[${QUBITS}] q; bit[${QUBITS}] m; bit[${QUBITS}] c;\n${body.join("\n")}\nc = measure q;`;

describe("the stabilizer method", () => {
  it("has the state vector's distribution on random Clifford programs (a false alarm once in 10^7 runs of this)", () => {
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

  it("refuses a gate that is none of its own, by name and place", () => {
    for (const call of ["t q[0]", "ctrl @ s q[0], q[1]", "ccx q[0], q[1], q[2]", "rx(0.1) q[0]"]) {
      const refused = () => run(programOf(["h q;", `x q[1]; ${call};`]), { shots: 1, method: "stabilizer" });
      expect(refused).toThrow(/^5:9: .* is not a Clifford gate/);
      expect(refused).toThrow(call.slice(0, call.indexOf(" q")));
    }
    const loop = "for uint i in [0:1] {\n  t q[i];\n}";
    expect(() => run(programOf([loop]), { shots: 1, method: "stabilizer" })).toThrow(/^5:3: t is not/);
  });

  it("draws correlated outcomes of 1,000 qubits", () => {
    const program = `${HEAD}qubit[1000] q; bit[1000] c; h q[0]; for uint i in [0:998] { cx q[i], q[i+1]; } c = measure q;`;
    const { measurementCounts } = run(program, { shots: 500, seed: 1, method: "stabilizer" });
    expect(Object.keys(measurementCounts).sort()).toEqual(["0".repeat(1000), "1".repeat(1000)]);
  });

  it("teleports by measurement and correction", () => {
    const program = `${HEAD}qubit[3] q; bit[2] m; bit c;
      sx q[0]; s q[0]; h q[1]; cx q[1], q[2]; cx q[0], q[1]; h q[0];
      m[0] = measure q[0]; m[1] = measure q[1];
      if (m[1]) x q[2]; if (m[0]) z q[2];
      sdg q[2]; inv @ sx q[2]; c = measure q[2];`;
    const { measurementCounts } = run(program, { shots: 400, seed: 1, method: "stabilizer" });
    expect(Object.keys(measurementCounts).every(key => key.startsWith("0 "))).toBe(true);
    expect(Object.keys(measurementCounts)).toHaveLength(4);
  });

  it("gives every shot's outcome, and the same for the same seed", () => {
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

  it("has the state vector's exact probabilities on random Clifford programs", () => {
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

  it("gives exact probabilities of 1,000 qubits where they have few outcomes, and else says how many there are", () => {
    const program = (gates: string) => `${HEAD}qubit[1000] q; bit[1000] c; ${gates} c = measure q;`;
    const ghz = run(program("h q[0]; for uint i in [0:998] { cx q[i], q[i+1]; }"), { shots: 0 });
    expect(ghz.method.name).toBe("stabilizer");
    expect(ghz.measurementProbabilities).toEqual({ ["0".repeat(1000)]: 0.5, ["1".repeat(1000)]: 0.5 });
    expect(() => run(program("h q;"), { shots: 0 })).toThrow(
      /2\^1000 equally likely outcomes.*ask for shots/,
    );
  });
});

describe("every method", () => {
  it.each(["sparse", "matrix product state"] as const)(
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

  it.each(["statevector", "sparse", "matrix product state"] as const)(
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

describe("the sparse method", () => {
  it("draws from that distribution (a false alarm once in 10^9)", () => {
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

  it("runs programs of 1,000 qubits with few amplitudes", () => {
    const program = `${HEAD}qubit[1000] q; bit[1000] c; ry(1) q[7]; for uint i in [8:999] { cx q[7], q[i]; } for uint i in [0:6] { ccx q[7], q[8], q[i]; } c = measure q;`;
    const { measurementCounts, method } = run(program, { shots: 1000, seed: 1 });
    expect(method.name).toBe("sparse");
    expect(Object.keys(measurementCounts)).toEqual(["0".repeat(1000), "1".repeat(1000)].sort());
  });

  it("stops at the limit of memory, with the figure", () => {
    const program = `${HEAD}qubit[30] q; bit[30] c; h q; t q; c = measure q;`;
    expect(() => run(program, { shots: 1, method: "sparse", maxBytes: 2 ** 20 })).toThrow(
      /grown to .* amplitudes.*at most 1 MiB/,
    );
  });
});

describe("the choice of a method", () => {
  const chosen = (program: string, options = {}) => run(program, { shots: 10, seed: 1, ...options }).method;
  const wide = (body: string) => `${HEAD}qubit[40] q; bit[40] c; ${body} c = measure q;`;

  it("takes the stabilizer for wide Clifford programs, angles of quarter turns included", () => {
    const { name, reason } = chosen(wide("h q; rz(-pi/2) q; cx q[0:38], q[1:39];"));
    expect(name).toBe("stabilizer");
    expect(reason).toMatch(/Clifford/);
  });

  it("takes the state vector for few qubits, and for other gates", () => {
    expect(chosen(programOf(["h q;"])).name).toBe("statevector");
    expect(chosen(`${HEAD}qubit[14] q; bit[14] c; h q; t q; c = measure q;`).name).toBe("statevector");
  });

  it("takes the sparse state where a state vector does not fit", () => {
    const { name, reason } = chosen(wide("x q; t q; h q[0];"));
    expect(name).toBe("sparse");
    expect(reason).toMatch(/40 qubits does not fit \(at most 26\)/);
  });

  it("does what it is told", () => {
    for (const method of [
      "statevector",
      "stabilizer",
      "matrix product state",
      "sparse",
    ] satisfies MethodName[])
      expect(chosen(programOf(["h q[0];"]), { method })).toMatchObject({
        name: method,
        reason: expect.stringMatching(/^It was asked for\./),
      });
  });
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

  it.each(["statevector", "sparse", "stabilizer", "matrix product state"] as const)(
    "share a run by %s up to the measurement in which they differ, and one run where nothing depends on it",
    method => {
      const [once, twice] = [1000, 1500];
      expect(limited("", method, once)).not.toThrow();
      expect(limited("if (m[0]) { x q[1]; }", method, twice)).not.toThrow();
      expect(limited("if (m[0]) { x q[1]; }", method, once)).toThrow(/1,000 operations/);
    },
  );
});
