import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type NoisyOptions,
  type PauliFactor,
  type PauliSum,
  simulateNoisy,
  uniformNoise,
} from "../../../src/simulation/index.ts";
import { controlled, H, type Matrix, phase, SX, X } from "../reference.ts";
import { DensityMatrix } from "./noisy-reference.ts";
import { channelNoise, circuit, pauliNoise } from "./noisy-run.ts";

const QUBITS = 3;
const SHOTS = 2000;
const SINGLE: Readonly<Record<string, Matrix>> = { h: H, s: phase(Math.PI / 2), x: X, sx: SX };
const PAIRS: Readonly<Record<string, Matrix>> = { cx: controlled(X), cz: controlled(phase(Math.PI)) };
/** Gates that turn phases alone have no errors. */
const HAS_NO_ERRORS = new Set(["s"]);

const factors = fc.uniqueArray(
  fc.record({
    qubit: fc.nat({ max: QUBITS - 1 }),
    pauli: fc.constantFrom<PauliFactor["pauli"][]>("X", "Y", "Z"),
  }),
  { selector: ({ qubit }) => qubit, maxLength: QUBITS },
);
const strings = fc.array(factors, { minLength: 1, maxLength: 5 });
const gates = fc.array(
  fc.record({
    name: fc.constantFrom(...Object.keys(SINGLE), ...Object.keys(PAIRS)),
    places: fc.shuffledSubarray([0, 1, 2], { minLength: 3 }),
  }),
  { minLength: 1, maxLength: 12 },
);
const bodyOf = (lines: readonly string[]) =>
  `qubit[${QUBITS}] q; bit[${QUBITS}] c;\n${lines.join("\n")}\nc = measure q;`;
const alone = (string: PauliSum[number]["string"]): PauliSum => [{ coefficient: 1, string }];

describe("expectation values under noise", () => {
  const model = pauliNoise(QUBITS, { one: 0.04, two: 0.09, zeroGivenOne: 0.2, oneGivenZero: 0.1 });

  test.each(["density matrix", "stabilizer", "trajectories", "matrix product state"] as const)(
    "of the %s are those of a density matrix that is evolved step by step, without readout errors",
    method => {
      fc.assert(
        fc.property(gates, strings, (list, observables) => {
          const rho = new DensityMatrix(QUBITS);
          const lines = list.map(({ name, places: [a, b] }) => {
            const on = name in SINGLE ? [a!] : [a!, b!];
            rho.apply((SINGLE[name] ?? PAIRS[name])!, on);
            if (!HAS_NO_ERRORS.has(name)) rho.depolarize(on, on.length === 1 ? 0.04 : 0.09);
            return `${name} ${on.map(qubit => `q[${qubit}]`).join(", ")};`;
          });
          const shots = method === "density matrix" ? 0 : SHOTS;
          const options: NoisyOptions = { shots, seed: 5, method, observables: observables.map(alone) };
          const found = simulateNoisy(circuit(bodyOf(lines)), model, options).expectations!;
          observables.forEach((string, i) => {
            const exact = rho.expectation(string);
            const { value, variance } = found[i]!;
            if (shots === 0) {
              expect(found[i], bodyOf(lines)).toEqual({ value, variance: 0, shots: 0 });
              expect(value, bodyOf(lines)).toBeCloseTo(exact, 9);
              return;
            }
            expect(variance).toBeLessThanOrEqual(1 - value ** 2 + 1e-6);
            // Eight standard deviations of values of at most 1, which a right simulator hardly ever leaves.
            expect(Math.abs(value - exact), bodyOf(lines)).toBeLessThan(8 * Math.sqrt(1 / SHOTS));
          });
        }),
        { numRuns: method === "density matrix" ? 150 : 25, seed: 11 },
      );
    },
  );

  test("of stabilizers are those of the density matrix where a program corrects what it misread", () => {
    const body = `qubit[${QUBITS}] q; bit[2] m; h q[0]; cx q[0], q[1]; m[0] = measure q[1]; if (m[0]) { x q[2]; } cx q[2], q[0]; m[1] = measure q[0]; if (m[1]) x q[0];`;
    const strings = [[0], [2], [0, 2]].map(qubits =>
      alone(qubits.map(qubit => ({ qubit, pauli: "Z" as const }))),
    );
    const [exact, drawn] = (["density matrix", "stabilizer"] as const).map(method =>
      simulateNoisy(circuit(body), model, {
        shots: method === "stabilizer" ? 20_000 : 0,
        seed: 4,
        method,
        observables: strings,
      }),
    );
    exact!.expectations!.forEach(({ value }, i) => {
      expect(Math.abs(drawn!.expectations![i]!.value - value)).toBeLessThan(5 / Math.sqrt(20_000));
    });
  });

  test("shrink by the figures of a channel", () => {
    const gamma = 0.36;
    const damping = channelNoise([{ channel: "amplitude_damping", gamma }]);
    const observables = (["X", "Z"] as const).map(pauli => alone([{ qubit: 0, pauli }]));
    const expected = [Math.sin(1) * Math.sqrt(1 - gamma), Math.cos(1) * (1 - gamma) + gamma];
    for (const method of ["density matrix", "trajectories", "matrix product state"] as const) {
      const isExact = method === "density matrix";
      const options = { shots: isExact ? 0 : 20_000, seed: 1, method, observables };
      const found = simulateNoisy(circuit("qubit q; bit c; ry(1) q; c = measure q;"), damping, options);
      found.expectations!.forEach(({ value }, i) => {
        expect(Math.abs(value - expected[i]!)).toBeLessThan(isExact ? 1e-9 : 8 / Math.sqrt(20_000));
      });
    }
  });

  test("of all shots of a density matrix are exact, and those that errors are drawn for are not", () => {
    const observables = [alone([{ qubit: 0, pauli: "Z" }])];
    const shotsOf = (method: NoisyOptions["method"]) =>
      simulateNoisy(circuit(bodyOf(["x q[0];"])), model, { shots: 300, seed: 2, method, observables })
        .expectations![0]!.shots;
    expect(shotsOf("density matrix")).toBe(0);
    for (const method of ["stabilizer", "trajectories", "matrix product state"] as const)
      expect(shotsOf(method), method).toBe(300);
  });

  test("agree where programs measure, reset and choose", () => {
    const relaxing = uniformNoise(
      {
        oneQubit: [{ channel: "thermal_relaxation", T1: 10, T2: 12, time: 1 }],
        twoQubit: [{ channel: "amplitude_damping", gamma: 0.2 }],
        readout: { zeroGivenOne: 0, oneGivenZero: 0 },
      },
      QUBITS,
    );
    const line = fc
      .record({
        kind: fc.constantFrom("one", "one", "pair", "pair", "measure", "reset", "if"),
        one: fc.constantFrom("h", "t", "ry(1.3)"),
        places: fc.shuffledSubarray([0, 1, 2], { minLength: 3 }),
      })
      .map(({ kind, one, places: [a, b] }) => {
        if (kind === "one") return `${one} q[${a}];`;
        if (kind === "pair") return `cx q[${a}], q[${b}];`;
        if (kind === "measure") return `c[${b}] = measure q[${a}];`;
        return kind === "reset" ? `reset q[${a}];` : `if (c[${b}]) { ${one} q[${a}]; }`;
      });
    fc.assert(
      fc.property(fc.array(line, { minLength: 3, maxLength: 12 }), strings, (lines, terms) => {
        const observables = terms.map(alone);
        const exact = simulateNoisy(circuit(bodyOf(lines)), relaxing, { shots: 0, observables })
          .expectations!;
        const options = { shots: SHOTS, seed: 3, method: "trajectories", observables } as const;
        const drawn = simulateNoisy(circuit(bodyOf(lines)), relaxing, options).expectations!;
        drawn.forEach(({ value }, i) => {
          expect(Math.abs(value - exact[i]!.value), bodyOf(lines)).toBeLessThan(8 / Math.sqrt(SHOTS));
        });
      }),
      { numRuns: 30, seed: 4 },
    );
  });
});
