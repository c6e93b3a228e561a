import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { circuits, program, type QasmProgram, State } from "../../src/index.ts";

/** Returns the state that a program of gates prepares. */
const stateOf = (made: QasmProgram) =>
  State.from(Float64Array.from(made.unitary().flatMap(row => [row[0]!.re, row[0]!.im])));

describe("circuits", () => {
  const probabilities = (made: QasmProgram) => stateOf(made).amplitudes;
  const probabilityOf = (made: QasmProgram, bits: string) => stateOf(made).probability(bits);

  test("qft is the discrete Fourier transform", () => {
    const n = 4;
    const size = 2 ** n;
    circuits
      .qft(n)
      .unitary()
      .forEach((row, y) => {
        row.forEach(({ re, im }, x) => {
          const angle = (2 * Math.PI * x * y) / size;
          expect(re).toBeCloseTo(Math.cos(angle) / Math.sqrt(size), 9);
          expect(im).toBeCloseTo(Math.sin(angle) / Math.sqrt(size), 9);
        });
      });
  });

  test("ghz and wState prepare their states", () => {
    expect(probabilityOf(circuits.ghz(4), "1111")).toBeCloseTo(0.5);
    for (const one of ["0001", "0010", "0100", "1000"])
      expect(probabilityOf(circuits.wState(4), one)).toBeCloseTo(0.25);
    expect(probabilities(circuits.ghz(1))[0]).toBeCloseTo(Math.SQRT1_2);
  });

  test("grover finds what is marked", () => {
    expect(probabilityOf(circuits.grover(2, "10"), "10")).toBeCloseTo(1);
    expect(probabilityOf(circuits.grover(5, 19), "10011")).toBeGreaterThan(0.99);
    const several = circuits.grover(4, [3, "1000"]);
    expect(probabilityOf(several, "0011") + probabilityOf(several, "1000")).toBeGreaterThan(0.94);
    expect(() => circuits.grover(3, "10")).toThrow('"10" is not a state of 3 qubits');
  });

  test("phaseEstimation reads exact phases", () => {
    for (const phase of [1, 3, 6]) {
      const unitary = program(1, q => q.p((2 * Math.PI * phase) / 8, 0));
      const made = circuits.phaseEstimation(unitary, 3, { prepare: program(1, q => q.x(0)) });
      expect(probabilityOf(made, `1${phase.toString(2).padStart(3, "0")}`)).toBeCloseTo(1);
    }
  });

  test("adder adds all numbers of two bits", () => {
    for (let a = 0; a < 4; a++)
      for (let b = 0; b < 4; b++) {
        const set = program(6, q => {
          for (const k of [0, 1]) {
            if ((a >> k) & 1) q.x(1 + k);
            if ((b >> k) & 1) q.x(3 + k);
          }
        });
        const wanted = ((a + b) << 3) + (a << 1);
        expect(
          probabilityOf(set.compose(circuits.adder(2)), wanted.toString(2).padStart(6, "0")),
        ).toBeCloseTo(1);
      }
  });

  test("trotter is exact for terms that commute, and converges for others", () => {
    const zz = circuits.trotter("0.7*ZZ + 0.2*ZI", 0.9);
    expect(zz.equals(program(2, q => q.rzz(2 * 0.7 * 0.9, 0, 1).rz(2 * 0.2 * 0.9, 1)))).toBe(true);
    expect(circuits.trotter("Y1", 0.4).equals(program(2, q => q.ry(0.8, 1)))).toBe(true);
    const error = (steps: number, order: 1 | 2) => {
      const made = circuits.trotter("X0 + Z0", 1, { steps, order });
      return (
        1 - (made.counterexample(circuits.trotter("X0 + Z0", 1, { steps: 300, order: 2 }))?.fidelity ?? 1)
      );
    };
    expect(error(10, 2)).toBeLessThan(error(10, 1));
    expect(error(20, 1)).toBeLessThan(error(10, 1));
  });

  test("qaoa has inputs, or angles", () => {
    const edges = [
      [0, 1],
      [1, 2],
    ] as const;
    const open = circuits.qaoa(3, edges, 1);
    const set = circuits.qaoa(3, edges, [{ gamma: 0.4, beta: 0.3 }]);
    expect(open.assign({ gamma0: 0.4, beta0: 0.3 }).equals(set)).toBe(true);
    expect(set.gateCounts).toEqual({ h: 3, rzz: 2, rx: 3 });
  });

  test("random is the same for a seed", () => {
    expect(circuits.random(4, 5, { seed: 3 }).data).toBe(circuits.random(4, 5, { seed: 3 }).data);
    expect(circuits.random(4, 5, { seed: 3 }).data).not.toBe(circuits.random(4, 5, { seed: 4 }).data);
    expect(circuits.random(4, 5).gateCounts).toEqual({ U: 20, cz: 8 });
  });

  test("statePreparation prepares any state", () => {
    const amplitude = fc.tuple(
      fc.double({ min: -1, max: 1, noNaN: true }),
      fc.double({ min: -1, max: 1, noNaN: true }),
    );
    const states = fc
      .integer({ min: 1, max: 4 })
      .chain(n => fc.array(amplitude, { minLength: 2 ** n, maxLength: 2 ** n }))
      .map(list => list.flat())
      .filter(parts => Math.hypot(...parts) > 0.1)
      .map(parts => Float64Array.from(parts, part => part / Math.hypot(...parts)));
    fc.assert(
      fc.property(states, wanted => {
        const got = probabilities(circuits.statePreparation(wanted));
        let [re, im] = [0, 0];
        for (let i = 0; i < wanted.length; i += 2) {
          re += wanted[i]! * got[i]! + wanted[i + 1]! * got[i + 1]!;
          im += wanted[i]! * got[i + 1]! - wanted[i + 1]! * got[i]!;
        }
        expect(Math.hypot(re, im)).toBeCloseTo(1, 7);
      }),
      { numRuns: 60 },
    );
  });
});
