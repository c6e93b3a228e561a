import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Precision } from "../../../src/simulation/execution/simulator.ts";
import { adjoint, type Matrix } from "../../../src/simulation/linear-algebra/matrix.ts";
import { matrix2, X } from "../../../src/simulation/linear-algebra/one-qubit.ts";
import { philox } from "../../../src/simulation/sampling/philox.ts";
import type { Amplitudes } from "../../../src/simulation/statevector/amplitudes.ts";
import { UNMETERED } from "../../../src/simulation/statevector/amplitudes.ts";
import { LargeAmplitudes } from "../../../src/simulation/statevector/large-amplitudes.ts";
import { SmallAmplitudes } from "../../../src/simulation/statevector/small-amplitudes.ts";

const TOLERANCE = { single: 2e-5, double: 1e-12, reproducible: 1e-12 };
const precisions: Precision[] = ["single", "double", "reproducible"];

function unitary(theta: number, phi: number, lambda: number): Matrix {
  const [c, s] = [Math.cos(theta / 2), Math.sin(theta / 2)];
  return matrix2(
    c,
    0,
    -s * Math.cos(lambda),
    -s * Math.sin(lambda),
    s * Math.cos(phi),
    s * Math.sin(phi),
    c * Math.cos(phi + lambda),
    c * Math.sin(phi + lambda),
  );
}

const special = [0, Math.PI / 2, Math.PI, -Math.PI / 2, 2 * Math.PI];
const angle = fc.oneof(fc.constantFrom(...special), fc.double({ min: -7, max: 7, noNaN: true }));
const gate = fc.record({
  kind: fc.constantFrom(
    "matrix",
    "matrix",
    "matrix",
    "phase",
    "phase",
    "controlledX",
    "cnot",
    "cnot",
    "cnot",
    "controlled",
  ),
  angles: fc.tuple(angle, angle, angle),
  order: fc.array(fc.nat({ max: 1e6 }), { minLength: 5, maxLength: 5 }),
  controls: fc.integer({ min: 1, max: 4 }),
  on: fc.nat({ max: 15 }),
});
type Call = typeof gate extends fc.Arbitrary<infer T> ? T : never;

/** Applies a call to the positions that it names, of as many as there are. */
function apply(state: Amplitudes, { kind, angles, order, controls, on }: Call, numPositions: number): void {
  const free = Array.from({ length: numPositions }, (_, i) => i);
  const positions = order.map(n => free.splice(n % free.length, 1)[0]!);
  const masks = positions
    .slice(1, 1 + controls)
    .map((position, i) => ({ bit: 1 << position, on: (on >> i) & 1 }));
  const mask = masks.reduce((sum, { bit }) => sum | bit, 0);
  const wanted = masks.reduce((sum, { bit, on: set }) => sum | (set ? bit : 0), 0);
  const target = positions[0]!;
  if (kind === "matrix") state.matrix(target, 0, 0, unitary(...angles));
  else if (kind === "controlled") state.matrix(target, mask, wanted, unitary(...angles));
  else if (kind === "controlledX") state.matrix(target, mask, wanted, X);
  else if (kind === "cnot") state.matrix(target, masks[0]!.bit, masks[0]!.on ? masks[0]!.bit : 0, X);
  else state.phase(mask, wanted, Math.cos(angles[0]), Math.sin(angles[0]));
}

function zeros(numPositions: number): SmallAmplitudes {
  const state = new SmallAmplitudes();
  for (let i = 0; i < numPositions; i++) state.addQubit();
  return state;
}

/** The distance of two states but for a phase of both. */
function distance(a: Amplitudes, b: Amplitudes): number {
  const [p, q] = [a.planes(), b.planes()];
  const size = 2 ** a.numPositions;
  let [re, im] = [0, 0];
  for (let i = 0; i < size; i++) {
    re += p.re[i]! * q.re[i]! + p.im[i]! * q.im[i]!;
    im += p.re[i]! * q.im[i]! - p.im[i]! * q.re[i]!;
  }
  return Math.abs(1 - Math.hypot(re, im));
}

const large = (numPositions: number, precision: Precision, threads = 1) => {
  const state = LargeAmplitudes.of(zeros(12), { precision, threads, meter: UNMETERED });
  for (let i = 12; i < numPositions; i++) state.addQubit();
  return state;
};

describe("the kernels", () => {
  test("do random circuits on 13 qubits as plain loops do, in each precision", () => {
    fc.assert(
      fc.property(fc.array(gate, { minLength: 1, maxLength: 60 }), calls => {
        const expected = zeros(13);
        for (const call of calls) apply(expected, call, 13);
        for (const precision of precisions) {
          const state = large(13, precision);
          for (const call of calls) apply(state, call, 13);
          expect(distance(expected, state), precision).toBeLessThan(TOLERANCE[precision]);
          state.release();
        }
      }),
      { numRuns: 60, seed: 1 },
    );
  });

  test("do random circuits on 18 qubits, in several tiles, as plain loops do, in each precision", () => {
    fc.assert(
      fc.property(fc.array(gate, { minLength: 30, maxLength: 60 }), calls => {
        const expected = zeros(18);
        for (const call of calls) apply(expected, call, 18);
        for (const precision of precisions) {
          const state = large(18, precision, 2);
          for (const call of calls) apply(state, call, 18);
          expect(distance(expected, state), precision).toBeLessThan(TOLERANCE[precision]);
          state.release();
        }
      }),
      { numRuns: 12, seed: 2 },
    );
  });

  test("do gates on parts that have not met, and then on all qubits, as plain loops do, in each precision", () => {
    const place = fc.nat({ max: 17 });
    const local = fc.record({ turns: fc.tuple(angle, angle, angle), from: place, to: place });
    const locals = fc.array(local, { minLength: 30, maxLength: 60 });
    const cuts = fc.array(fc.integer({ min: 5, max: 13 }), { minLength: 1, maxLength: 2 });
    fc.assert(
      fc.property(cuts, locals, locals, fc.array(gate, { maxLength: 15 }), (ends, first, second, last) => {
        const part = (position: number) => ends.filter(end => position >= end).length;
        const run = (state: Amplitudes, calls: typeof first) => {
          for (const { turns, from, to } of calls) {
            if (Math.max(from, to) >= state.numPositions) continue;
            state.matrix(from, 0, 0, unitary(...turns));
            if (from === to || part(from) !== part(to)) continue;
            state.phase((1 << from) | (1 << to), 1 << to, Math.cos(turns[0]), Math.sin(turns[0]));
            if (turns[1] > 0) state.matrix(to, 1 << from, 1 << from, X);
          }
        };
        const expected = zeros(13);
        run(expected, first);
        const states = precisions.map(precision =>
          LargeAmplitudes.of(expected.copy(), { precision, threads: 1, meter: UNMETERED }),
        );
        for (const one of [expected, ...states]) {
          for (let i = 13; i < 18; i++) one.addQubit();
          run(one, second);
          for (const call of last) apply(one, call, 18);
        }
        states.forEach((state, i) => {
          expect(distance(expected, state), precisions[i]).toBeLessThan(TOLERANCE[precisions[i]!]);
          state.release();
        });
      }),
      { numRuns: 20, seed: 4 },
    );
  });

  test("do layers of rotations by large and tiny angles between phases as plain loops do, in each precision", () => {
    const small = fc.integer({ min: 1, max: 14 }).map(digits => 3 * 10 ** -digits);
    const turn = fc.tuple(fc.oneof(angle, small), angle, angle);
    const pair = fc.tuple(fc.nat({ max: 16 }), fc.nat({ max: 16 }), angle);
    const layer = fc.record({
      turns: fc.array(turn, { minLength: 17, maxLength: 17 }),
      pairs: fc.array(pair, { maxLength: 12 }),
    });
    fc.assert(
      fc.property(fc.array(layer, { minLength: 2, maxLength: 6 }), layers => {
        const states = [zeros(17), ...precisions.map(precision => large(17, precision))];
        for (const state of states)
          for (const { turns, pairs } of layers) {
            for (const [i, angles] of turns.entries()) state.matrix(i, 0, 0, unitary(...angles));
            for (const [a, b, phase] of pairs)
              state.phase((1 << a) | (1 << b), 1 << a, Math.cos(phase), Math.sin(phase));
          }
        precisions.forEach((precision, i) => {
          expect(distance(states[0]!, states[i + 1]!), precision).toBeLessThan(TOLERANCE[precision]);
          states[i + 1]!.release();
        });
      }),
      { numRuns: 8, seed: 4 },
    );
  });

  test("do real gates, reads and then complex gates on 18 qubits as plain loops do, in each precision", () => {
    const flat = fc.tuple(angle, fc.constantFrom(0, Math.PI), fc.constantFrom(0, Math.PI));
    const realGate = fc.tuple(gate, flat).map(([call, angles]): Call => {
      const isPhase = call.kind === "phase";
      return { ...call, angles: isPhase ? [angles[1], 0, 0] : angles };
    });
    const reads = fc.constantFrom("weights", "copy", "project", "marginal", "none");
    const calls = (of: fc.Arbitrary<Call>) => fc.array(of, { minLength: 12, maxLength: 25 });
    fc.assert(
      fc.property(calls(realGate), reads, calls(realGate), calls(gate), (first, read, second, third) => {
        const through = (before: Amplitudes) => {
          for (let i = 0; i < 18; i++) before.matrix(i, 0, 0, unitary(0.5 + i, 0, 0));
          for (const call of first) apply(before, call, 18);
          const state = read === "copy" ? before.copy() : read === "project" ? before.project(7, 0) : before;
          if (read === "weights") state.weights(7);
          if (read === "marginal") state.marginal([7]);
          for (const call of [...second, ...third]) apply(state, call, 17);
          if (state !== before) before.release();
          return state;
        };
        const expected = through(zeros(18));
        const p = expected.weights(3);
        for (const precision of precisions) {
          const state = through(large(18, precision, 2));
          expect(distance(expected, state), precision).toBeLessThan(TOLERANCE[precision]);
          const q = state.weights(3);
          expect(q.one / (q.one + q.zero), precision).toBeCloseTo(p.one / (p.one + p.zero), 5);
          state.release();
        }
      }),
      { numRuns: 10, seed: 5 },
    );
  });

  test("measure and project as plain loops do, in each precision", () => {
    fc.assert(
      fc.property(
        fc.array(gate, { minLength: 20, maxLength: 40 }),
        fc.nat({ max: 14 }),
        (calls, position) => {
          const states = [zeros(15), ...precisions.map(precision => large(15, precision))];
          for (const state of states) {
            for (let i = 0; i < 15; i++) state.matrix(i, 0, 0, unitary(0.3 + i, i, 1));
            for (const call of calls) apply(state, call, 15);
          }
          const [a, ...others] = states.map(state => state.weights(position));
          for (const b of others)
            expect(b.one / (b.one + b.zero)).toBeCloseTo(a!.one / (a!.one + a!.zero), 5);
          const value = a!.one > a!.zero ? 1 : 0;
          const [expected, ...rests] = states.map(state => state.project(position, value));
          for (const state of [expected!, ...rests]) for (const call of calls) apply(state, call, 14);
          const positions = [3, 13, 0];
          const p = expected!.marginal(positions);
          rests.forEach((rest, at) => {
            expect(distance(expected!, rest), precisions[at]).toBeLessThan(TOLERANCE[precisions[at]!]);
            const q = rest.marginal(positions);
            p.forEach((probability, i) => {
              expect(q[i], precisions[at]).toBeCloseTo(probability, 5);
            });
            rest.release();
          });
        },
      ),
      { numRuns: 15, seed: 3 },
    );
  });

  test("keep the phases of gates that undo each other, but for rounding or a tiny angle", () => {
    const tiny = fc.integer({ min: 7, max: 16 }).map(digits => 3 * 10 ** -digits);
    const turns = fc.array(fc.tuple(angle, angle, angle), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(turns, fc.tuple(tiny, tiny, tiny), fc.tuple(angle, angle, angle), (there, left, wide) => {
        const gates = there.map(angles => unitary(...angles));
        const states: Amplitudes[] = [zeros(13), large(13, "double")];
        for (const state of states)
          for (let i = 0; i < 13; i++) {
            state.matrix(i, 0, 0, unitary(...wide));
            state.phase(3 << Math.max(0, i - 1), 3 << Math.max(0, i - 1), 0.6, 0.8);
            for (const gate of gates) state.matrix(i, 0, 0, gate);
            for (const gate of gates.toReversed()) state.matrix(i, 0, 0, adjoint(gate));
            state.matrix(i, 0, 0, unitary(...left));
            state.phase(3 << Math.max(0, i - 1), 0, 0.8, 0.6);
            state.matrix(i, 0, 0, unitary(1, 0, Math.PI));
          }
        expect(distance(states[0]!, states[1]!)).toBeLessThan(TOLERANCE.double);
        states[1]!.release();
      }),
      { numRuns: 60, seed: 5 },
    );
  });

  test("give bit for bit the same for any number of threads", () => {
    const bits = [1, 2, 3].map(threads => {
      const state = large(18, "single", threads);
      for (let layer = 0; layer < 6; layer++)
        for (let i = 0; i < 18; i++) {
          state.matrix(i, 0, 0, unitary(1 + i, layer, 0.3));
          state.phase(
            (1 << i) | (1 << ((i + 5) % 18)),
            (1 << i) | (1 << ((i + 5) % 18)),
            Math.cos(i),
            Math.sin(i),
          );
        }
      const drawn = state.draw(2000, philox(7), 0, 2);
      const { re, im } = state.planes();
      state.release();
      return { re, im, drawn };
    });
    expect(bits[1]).toEqual(bits[0]);
    expect(bits[2]).toEqual(bits[0]);
  });

  test("give the same in tiles of different sizes", () => {
    const states = precisions.map(precision => {
      const state = large(20, precision, 2);
      for (let layer = 0; layer < 5; layer++)
        for (let i = 0; i < 20; i++) {
          const partner = (i + 3 + 2 * layer) % 20;
          state.matrix(i, 0, 0, unitary(1 + i, layer, 0.3 * i));
          if (i % 3 === 0) state.phase((1 << i) | (1 << partner), 1 << i, Math.cos(i), Math.sin(i));
          if (i % 3 === 1) state.matrix(i, 1 << partner, 0, X);
          if (i % 7 === 2) state.matrix(i, 1 << partner, 1 << partner, unitary(i, 1, layer));
        }
      return state;
    });
    for (const state of states) expect(distance(states[1]!, state)).toBeLessThan(TOLERANCE.single);
    for (const state of states) state.release();
  });

  test("keep a copy apart from its original", () => {
    const state = large(14, "single");
    for (let i = 0; i < 14; i++) state.matrix(i, 0, 0, unitary(i, 1, 2));
    const copy = state.copy();
    const before = copy.planes();
    state.matrix(3, 1, 1, X);
    state.matrix(2, 0, 0, unitary(1, 1, 1));
    state.weights(0);
    expect(copy.planes()).toEqual(before);
    state.release();
    copy.release();
  });

  test("draw from the distribution (chi-square; a false alarm once in 10^6)", () => {
    const state = large(13, "single");
    for (let i = 0; i < 13; i++) state.matrix(i, 0, 0, unitary(0.4 + i / 3, i, 0));
    for (let i = 0; i < 12; i++) state.matrix(i, 2 << i, 2 << i, X);
    const shots = 400_000;
    const counts = new Float64Array(2 ** 13);
    for (const index of state.draw(shots, philox(3), 0, 2)) counts[index]!++;
    const probabilities = state.marginal(Array.from({ length: 13 }, (_, i) => i));
    let [chi, bins, restCount, restExpected] = [0, 0, 0, 0];
    probabilities.forEach((probability, i) => {
      const expected = probability * shots;
      if (expected < 10) {
        restCount += counts[i]!;
        restExpected += expected;
      } else {
        chi += (counts[i]! - expected) ** 2 / expected;
        bins++;
      }
    });
    if (restExpected > 0) chi += (restCount - restExpected) ** 2 / restExpected;
    expect(chi).toBeLessThan(bins + 4.75 * Math.sqrt(2 * bins) + 20);
    state.release();
  });

  test("are the same whether they were drawn from on the way or not, with phases between", () => {
    fc.assert(
      fc.property(
        fc.array(gate, { minLength: 1, maxLength: 30 }),
        fc.array(gate, { maxLength: 30 }),
        (...runs) => {
          const [state, expected] = [large(14, "double"), large(14, "double")];
          for (const calls of runs) {
            for (const call of calls) for (const one of [state, expected]) apply(one, call, 14);
            state.phase(0b11, 0b11, 0, 1);
            expected.phase(0b11, 0b11, 0, 1);
            state.draw(10, philox(1), 0, 0);
            state.marginal([0, 5]);
          }
          expect(distance(expected, state)).toBeLessThan(TOLERANCE.double);
          state.release();
          expected.release();
        },
      ),
      { numRuns: 30, seed: 3 },
    );
  });

  test("stay in range over thousands of rotations", () => {
    const state = large(13, "single");
    for (let layer = 0; layer < 300; layer++)
      for (let i = 0; i < 13; i++) {
        state.matrix(i, 0, 0, unitary(1.5, 0, 0));
        state.matrix(i, 1 << ((i + 1) % 13), 1 << ((i + 1) % 13), X);
      }
    const { re, im } = state.planes();
    const norm = re.reduce((sum, x, i) => sum + x * x + im[i]! ** 2, 0);
    expect(norm).toBeCloseTo(1, 3);
    state.release();
  });
});
