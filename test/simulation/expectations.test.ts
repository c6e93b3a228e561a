import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { MethodName, PauliFactor, PauliString, PauliSum } from "../../src/simulation/index.ts";
import {
  anyGate,
  anyPair,
  cliffordGate,
  cliffordPair,
  NOT_CLIFFORD,
  programOf,
  statements,
} from "./random-statements.ts";
import { HEAD, run } from "./run.ts";

const QUBITS = 5;
const PAULIS: readonly PauliFactor["pauli"][] = ["X", "Y", "Z"];
const stringOf = (numQubits: number): fc.Arbitrary<PauliString> =>
  fc.uniqueArray(fc.record({ qubit: fc.nat({ max: numQubits - 1 }), pauli: fc.constantFrom(...PAULIS) }), {
    selector: ({ qubit }) => qubit,
    maxLength: numQubits,
  });
const strings = (numQubits: number) => fc.array(stringOf(numQubits), { minLength: 1, maxLength: 6 });
const clifford = statements({
  single: cliffordGate,
  pair: cliffordPair.filter(name => !NOT_CLIFFORD.has(name)),
});
const alone = (string: PauliString): PauliSum => [{ coefficient: 1, string }];
const expectations = (program: string, observables: readonly PauliString[], method: MethodName) =>
  run(program, {
    shots: 0,
    observables: observables.map(alone),
    method,
    precision: "double",
  }).expectations!.map(({ value }) => value);
/** Returns the expectation value of a Pauli string, from all amplitudes. */
function fromAmplitudes(amplitudes: readonly number[], string: PauliString): number {
  let sum = 0;
  for (let i = 0; i < amplitudes.length / 2; i++) {
    let [re, im, j] = [amplitudes[2 * i]!, amplitudes[2 * i + 1]!, i];
    for (const { qubit, pauli } of string) {
      const bit = (i >> qubit) & 1;
      if (pauli !== "Z") j ^= 1 << qubit;
      if (pauli === "Y") [re, im] = bit ? [im, -re] : [-im, re];
      if (pauli === "Z" && bit) [re, im] = [-re, -im];
    }
    sum += re * amplitudes[2 * j]! + im * amplitudes[2 * j + 1]!;
  }
  return sum;
}
const close = (found: readonly number[], expected: readonly number[], program: string) =>
  expected.forEach((value, i) => {
    expect(found[i], program).toBeCloseTo(value, 9);
  });

describe("expectation values of Pauli strings", () => {
  const methods = ["statevector", "sparse", "matrix product state", "extended stabilizer"] as const;

  test("are those of the final amplitudes, by every method", () => {
    const gates = statements({ single: anyGate, pair: anyPair }).map(body =>
      body.filter(line => !/measure|reset|if/.test(line)),
    );
    fc.assert(
      fc.property(gates, strings(QUBITS), (body, observables) => {
        const program = `${HEAD}qubit[${QUBITS}] q;\n${body.join("\n")}`;
        const { statevector } = run(program, { shots: 0, statevector: true });
        const expected = observables.map(string => fromAmplitudes(statevector!, string));
        for (const method of methods) close(expectations(program, observables, method), expected, program);
      }),
      { numRuns: 100, seed: 3 },
    );
  });

  test("are the same by every method where programs measure, reset and choose", () => {
    fc.assert(
      fc.property(statements({ single: anyGate, pair: anyPair }), strings(QUBITS), (body, observables) => {
        const [first, ...others] = methods.map(method => expectations(programOf(body), observables, method));
        for (const other of others) close(other, first!, programOf(body));
      }),
      { numRuns: 100, seed: 4 },
    );
  });

  test("are those of the state vector by stabilizers, with resets, before the last measurements", () => {
    const withoutChoices = clifford.map(body => body.filter(line => !/measure|if/.test(line)));
    fc.assert(
      fc.property(withoutChoices, strings(QUBITS), (body, observables) => {
        const program = programOf(body);
        close(
          expectations(program, observables, "stabilizer"),
          expectations(program, observables, "statevector"),
          program,
        );
      }),
      { numRuns: 150, seed: 5 },
    );
  });

  test("are those of the state vector by stabilizers where programs measure and choose, of shots about so", () => {
    fc.assert(
      fc.property(clifford, strings(QUBITS), (body, observables) => {
        const program = programOf(body);
        const expected = expectations(program, observables, "statevector");
        close(expectations(program, observables, "stabilizer"), expected, program);
        const options = { shots: 400, seed: 3, method: "stabilizer" } as const;
        const { expectations: drawn } = run(program, { ...options, observables: observables.map(alone) });
        expected.forEach((value, i) => {
          expect(Math.abs(drawn![i]!.value - value), program).toBeLessThan(0.3);
        });
      }),
      { numRuns: 150, seed: 9 },
    );
  });

  test.each([
    ["cx q[0], q[1];", 0],
    ["s q[0];", 0],
    ["", 1],
  ])("keep no coherence of a qubit that is measured before %j acts on it", (after, coherence) => {
    const program = programOf(["h q[0];", "m[0] = measure q[0];", after]);
    const xy: PauliString[] = [[{ qubit: 0, pauli: "X" }], [{ qubit: 0, pauli: "Y" }]];
    for (const method of ["statevector", "sparse", "matrix product state"] as const)
      expect(expectations(program, xy, method)[0]).toBeCloseTo(coherence, 12);
    expect(expectations(program, xy, "statevector")[1]).toBeCloseTo(0, 12);
    const amplitudes = () => run(program, { shots: 0, statevector: true });
    if (coherence === 0) expect(amplitudes).toThrow(/more than one state/);
    else expect(amplitudes).not.toThrow();
  });

  test.each([
    ["single", 5],
    ["double", 9],
    ["reproducible", 9],
  ] as const)(
    "of states in the kernels' memory in %s precision are those of matrix product states",
    (precision, digits) => {
      const numQubits = 18;
      const real = `${HEAD}qubit[${numQubits}] q; ry(0.3) q; cx q[0:16], q[1:17];`;
      fc.assert(
        fc.property(
          strings(numQubits),
          fc.constantFrom(1, 3),
          fc.constantFrom("", "t q; rx(1.1) q[2:12];"),
          (observables, threads, phases) => {
            const program = `${real} ${phases} cz q[3], q[13]; x q[4]; cx q[5], q[12];`;
            const expected = expectations(program, observables, "matrix product state");
            const found = run(program, {
              shots: 0,
              observables: observables.map(alone),
              method: "statevector",
              precision,
              threads,
            }).expectations!;
            expected.forEach((value, i) => {
              expect(found[i]!.value).toBeCloseTo(value, digits);
            });
          },
        ),
        { numRuns: 10, seed: 6 },
      );
    },
  );

  test("of wide states with few amplitudes are found without making more of them", () => {
    const program = `${HEAD}qubit[60] q; h q[0]; cx q[0:58], q[1:59]; ry(0.4) q[0:5]; t q;`;
    fc.assert(
      fc.property(strings(60), observables => {
        const expected = expectations(program, observables, "matrix product state");
        close(expectations(program, observables, "sparse"), expected, program);
        close(expectations(program, observables, "extended stabilizer"), expected, program);
      }),
      { numRuns: 20, seed: 8 },
    );
  });

  test("of programs that split into parts are products of those of the parts", () => {
    const numQubits = 28;
    const half = (first: number) =>
      `ry(0.3) q[${first}:${first + 13}]; cx q[${first}:${first + 12}], q[${first + 1}:${first + 13}]; t q[${first}:${first + 13}]; rx(1.1) q[${first + 2}:${first + 9}];`;
    const program = `${HEAD}qubit[${numQubits}] q; ${half(0)} ${half(14)}`;
    const [left, right] = [0, 14].map(first => ({ qubit: first + 3, pauli: "Y" as const }));
    const strings: PauliString[] = [[left!, right!], [left!], [right!, { qubit: 16, pauli: "Z" }]];
    const { expectations: found, method } = run(program, { shots: 0, observables: strings.map(alone) });
    expect(method.reason).toMatch(/splits into 2 parts/);
    close(
      found!.map(({ value }) => value),
      expectations(program, strings, "matrix product state"),
      program,
    );
  });

  test("of sums are the sums of the strings', by their coefficients, with the variance between shots", () => {
    const observables = strings(QUBITS);
    const coefficients = fc.array(fc.double({ min: -2, max: 2, noNaN: true }), {
      minLength: 6,
      maxLength: 6,
    });
    fc.assert(
      fc.property(
        statements({ single: anyGate, pair: anyPair }),
        observables,
        coefficients,
        (body, terms, by) => {
          const sum = terms.map((string, i) => ({ coefficient: by[i]!, string }));
          const [found] = run(programOf(body), { shots: 0, observables: [sum] }).expectations!;
          const values = expectations(programOf(body), terms, "statevector");
          const expected = values.reduce((total, value, i) => total + by[i]! * value, 0);
          expect(found, programOf(body)).toEqual({
            value: expect.closeTo(expected, 9),
            variance: 0,
            shots: 0,
          });
        },
      ),
      { numRuns: 50, seed: 7 },
    );
  });

  test("of shots that end alike are exact", () => {
    const observables = [alone([{ qubit: 0, pauli: "X" }])];
    const { expectations: found } = run(programOf(["ry(1) q[0];"]), { shots: 10, observables });
    expect(found).toEqual([{ value: expect.closeTo(Math.sin(1), 6), variance: 0, shots: 0 }]);
  });

  const branching = (angle: number) =>
    programOf([`ry(${angle}) q[0];`, "m[0] = measure q[0];", "if (m[0]) { x q[1]; }"]);
  const z1 = alone([{ qubit: 1, pauli: "Z" }]);

  test("of shots are exact where every final state is sure to be seen", () => {
    const { expectations: found } = run(branching(1), { shots: 500, seed: 2, observables: [z1] });
    expect(found).toEqual([{ value: expect.closeTo(Math.cos(1), 12), variance: 0, shots: 0 }]);
  });

  test("of shots that all took one branch are not exact, and say which share of the states is unknown", () => {
    const rare = (1 - Math.cos(0.1)) / 2;
    for (let seed = 1; seed <= 30; seed++) {
      const { expectations: found } = run(branching(0.1), { shots: 100, seed, observables: [z1] });
      expect(found![0]).toMatchObject({ shots: 100, drawn: { share: expect.closeTo(rare, 12) } });
      expect(Math.abs(found![0]!.value - Math.cos(0.1))).toBeLessThanOrEqual(2 * rare + 1e-12);
    }
  });

  test("are found of 200 qubits, by the cheapest method that has them", () => {
    const ghz = `${HEAD}qubit[200] q; h q[0]; for uint i in [0:198] { cx q[i], q[i+1]; }`;
    const all = (pauli: "X" | "Z", count: number): PauliString =>
      Array.from({ length: count }, (_, qubit) => ({ qubit, pauli }));
    const observables = [all("X", 200), all("Z", 2), all("Z", 3), all("X", 199)];
    const { expectations: found, method } = run(ghz, { shots: 0, observables: observables.map(alone) });
    expect(method.name).toBe("stabilizer");
    expect(found!.map(({ value }) => value)).toEqual([1, 1, 0, 0]);
    const turned = run(`${ghz} ry(0.4) q;`, { shots: 0, observables: observables.map(alone) });
    expect(turned.expectations![1]!.value).toBeCloseTo(Math.cos(0.4) ** 2, 9);
  });

  test("are refused for qubits that are not there or named twice", () => {
    const ask = (observables: PauliString[], method?: MethodName) => () =>
      run(`${HEAD}qubit[2] q; h q;`, {
        shots: 0,
        observables: observables.map(alone),
        ...(method ? { method } : {}),
      });
    const z = (qubit: number) => ({ qubit, pauli: "Z" }) as const;
    expect(ask([[z(2)]])).toThrow(/qubit 2; the program has 2 \(0 to 1\)/);
    expect(ask([[z(1), z(1)]])).toThrow(/names qubit 1 twice/);
  });
});
