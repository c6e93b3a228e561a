/** A complex number. */
export type Complex = readonly [re: number, im: number];
/** A square matrix; the first operand of a gate is the highest bit of an index. */
export type Matrix = readonly (readonly Complex[])[];

export const times = ([a, b]: Complex, [c, d]: Complex): Complex => [a * c - b * d, a * d + b * c];
export const plus = ([a, b]: Complex, [c, d]: Complex): Complex => [a + c, b + d];
export const turn = (angle: number): Complex => [Math.cos(angle), Math.sin(angle)];
const scaled = (m: Matrix, by: Complex): Matrix => m.map(row => row.map(entry => times(entry, by)));
const of = (...rows: (number | Complex)[][]): Matrix =>
  rows.map(row => row.map(entry => (typeof entry === "number" ? [entry, 0] : entry)));

export const multiply = (a: Matrix, b: Matrix): Matrix =>
  a.map(row =>
    b.map((_, j) => row.reduce<Complex>((sum, entry, k) => plus(sum, times(entry, b[k]![j]!)), [0, 0])),
  );
export const adjoint = (m: Matrix): Matrix =>
  m.map((row, i) => row.map((_, j) => [m[j]![i]![0], -m[j]![i]![1]]));
export const identity = (size: number): Matrix =>
  Array.from({ length: size }, (_, i) =>
    Array.from({ length: size }, (_, j): Complex => [i === j ? 1 : 0, 0]),
  );

/** The matrix that acts where the new, highest bit equals `on`. */
export function controlled(m: Matrix, on = 1): Matrix {
  const size = m.length;
  return identity(2 * size).map((row, i) =>
    row.map((entry, j) =>
      Math.floor(i / size) === on && Math.floor(j / size) === on ? m[i % size]![j % size]! : entry,
    ),
  );
}

export const X = of([0, 1], [1, 0]);
export const Y = of([0, [0, -1]], [[0, 1], 0]);
export const Z = of([1, 0], [0, -1]);
export const H = of([Math.SQRT1_2, Math.SQRT1_2], [Math.SQRT1_2, -Math.SQRT1_2]);
export const phase = (angle: number) => of([1, 0], [0, turn(angle)]);
export const SX = of(
  [
    [0.5, 0.5],
    [0.5, -0.5],
  ],
  [
    [0.5, -0.5],
    [0.5, 0.5],
  ],
);
/** exp(-iθP/2) of a matrix P whose square is 1. */
export const rotation = (p: Matrix, theta: number): Matrix =>
  p.map((row, i) =>
    row.map(
      ([re, im], j): Complex => [
        (i === j ? Math.cos(theta / 2) : 0) + im * Math.sin(theta / 2),
        -re * Math.sin(theta / 2),
      ],
    ),
  );
export const u = (theta: number, phi: number, lambda: number) =>
  scaled(
    multiply(multiply(rotation(Z, phi), rotation(Y, theta)), rotation(Z, lambda)),
    turn((phi + lambda) / 2),
  );
export const SWAP = of([1, 0, 0, 0], [0, 0, 1, 0], [0, 1, 0, 0], [0, 0, 0, 1]);
export const kron = (a: Matrix, b: Matrix): Matrix =>
  a.flatMap(rowA => b.map(rowB => rowA.flatMap(x => rowB.map(y => times(x, y)))));
export { scaled };

/** Applies a matrix to operands of a state; qubit 0 is the lowest bit of an index of the state. */
export function apply(state: readonly Complex[], m: Matrix, qubits: readonly number[]): Complex[] {
  const place = (index: number) => qubits.reduce((bits, qubit) => (bits << 1) | ((index >> qubit) & 1), 0);
  const mask = qubits.reduce((bits, qubit) => bits | (1 << qubit), 0);
  const spread = m.map((_, bits) =>
    qubits.reduce((sum, qubit, i) => sum | (((bits >> (qubits.length - 1 - i)) & 1) << qubit), 0),
  );
  const out = state.map((): Complex => [0, 0]);
  state.forEach((amplitude, from) => {
    m.forEach((row, i) => {
      const to = (from & ~mask) | spread[i]!;
      out[to] = plus(out[to]!, times(row[place(from)]!, amplitude));
    });
  });
  return out;
}

/** The state in which each of the qubits is 0. */
export const zeros = (numQubits: number): Complex[] =>
  Array.from({ length: 2 ** numQubits }, (_, i): Complex => [i === 0 ? 1 : 0, 0]);

/** Returns the largest distance between two states' amplitudes. */
export function distance(a: readonly Complex[], b: ArrayLike<number>): number {
  return a.reduce((most, [re, im], i) => Math.max(most, Math.hypot(re - b[2 * i]!, im - b[2 * i + 1]!)), 0);
}

/** Turns a state so that the phase between it and another one is gone. */
export function aligned(a: readonly Complex[], b: ArrayLike<number>): Complex[] {
  const [re, im] = a.reduce<Complex>(
    (sum, [x, y], i) => plus(sum, times([x, -y], [b[2 * i]!, b[2 * i + 1]!])),
    [0, 0],
  );
  return a.map(entry => times(entry, turn(Math.atan2(im, re))));
}
