import fc from "fast-check";
import { expect, test } from "vitest";
import { State } from "../../src/notebook/results/state.ts";

const matrices: { [pauli: string]: [re: number, im: number][][] } = {
  I: [
    [
      [1, 0],
      [0, 0],
    ],
    [
      [0, 0],
      [1, 0],
    ],
  ],
  X: [
    [
      [0, 0],
      [1, 0],
    ],
    [
      [1, 0],
      [0, 0],
    ],
  ],
  Y: [
    [
      [0, 0],
      [0, -1],
    ],
    [
      [0, 1],
      [0, 0],
    ],
  ],
  Z: [
    [
      [1, 0],
      [0, 0],
    ],
    [
      [0, 0],
      [-1, 0],
    ],
  ],
};

/** ⟨ψ|P|ψ⟩ from the elements of the whole matrix of P. */
function byMatrix(amplitudes: readonly number[], letters: string): number {
  const size = amplitudes.length / 2;
  let sum = 0;
  for (let row = 0; row < size; row++)
    for (let column = 0; column < size; column++) {
      let [re, im] = [1, 0];
      for (const [index, letter] of [...letters].entries()) {
        const qubit = letters.length - 1 - index;
        const [a, b] = matrices[letter]![(row >> qubit) & 1]![(column >> qubit) & 1]!;
        [re, im] = [re * a - im * b, re * b + im * a];
      }
      const [a, b] = [amplitudes[2 * row]!, -amplitudes[2 * row + 1]!];
      const [c, d] = [amplitudes[2 * column]!, amplitudes[2 * column + 1]!];
      const [e, f] = [a * c - b * d, a * d + b * c];
      sum += re * e - im * f;
    }
  return sum;
}

const states = fc.integer({ min: 1, max: 3 }).chain(qubits =>
  fc.tuple(
    fc.array(fc.double({ min: -1, max: 1, noNaN: true }), {
      minLength: 2 ** (qubits + 1),
      maxLength: 2 ** (qubits + 1),
    }),
    fc.array(fc.string({ unit: fc.constantFrom("I", "X", "Y", "Z"), minLength: qubits, maxLength: qubits }), {
      minLength: 1,
      maxLength: 4,
    }),
  ),
);

test("a state's mean of any sum of Pauli strings is that of their matrices", () => {
  fc.assert(
    fc.property(states, ([given, strings]) => {
      const norm = Math.hypot(...given);
      fc.pre(norm > 1e-3);
      const amplitudes = given.map(part => part / norm);
      const weights = strings.map((_, index) => index - 1.5);
      const sum = strings.map(
        (letters, index) => `${weights[index]! < 0 ? "-" : "+"} ${Math.abs(weights[index]!)}*${letters}`,
      );
      const expected = strings.reduce(
        (total, letters, index) => total + weights[index]! * byMatrix(amplitudes, letters),
        0,
      );
      expect(new State(amplitudes).expectation(sum.join(" ").replace(/^\+ /, "")).value).toBeCloseTo(
        expected,
        9,
      );
    }),
  );
});

test("a Bell state has XX = ZZ = 1 and YY = −1, exactly", () => {
  const bell = new State([Math.SQRT1_2, 0, 0, 0, 0, 0, Math.SQRT1_2, 0]);
  expect(bell.expectation("0.5*XX - ZZ").value).toBeCloseTo(-0.5, 12);
  expect(bell.expectation("Y0 Y1").value).toBeCloseTo(-1, 12);
  expect(String(bell.expectation({ XX: 1, X1: 3 }))).toBe("1 (exact)");
});

test("the last qubit stands on the left", () => {
  const one = new State([0, 0, 1, 0, 0, 0, 0, 0]);
  expect(one.expectation("IZ").value).toBe(-1);
  expect(one.expectation("Z0").value).toBe(-1);
  expect(one.expectation("ZI").value).toBe(1);
  expect(() => one.expectation("ZZZ")).toThrow("3 letters don't fit a state of 2 qubits");
  expect(() => one.expectation("Z2")).toThrow("there is no qubit 2");
});
