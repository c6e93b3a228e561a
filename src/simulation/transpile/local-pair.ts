import type { Matrix } from "../linear-algebra/matrix.ts";

/** A one-qubit unitary on each of two qubits, the first of them first. */
export type LocalPair = readonly [Matrix, Matrix];

/** Returns one-qubit unitaries whose tensor product is the matrix, up to a phase; the matrix has to be such a product. */
export function factorPair(m: Matrix): LocalPair {
  let [row, column] = [0, 0];
  let largest = -1;
  for (let i = 0; i < 16; i++) {
    const modulus = Math.hypot(m[2 * i]!, m[2 * i + 1]!);
    if (modulus > largest + 1e-9) [row, column, largest] = [i >> 2, i & 3, modulus];
  }
  const part = (of: (i: number, j: number) => readonly [number, number]): Matrix => {
    const entries = [0, 1, 2, 3].flatMap(at => {
      const [i, j] = of(at >> 1, at & 1);
      return [m[8 * i + 2 * j]!, m[8 * i + 2 * j + 1]!];
    });
    const norm = Math.hypot(...entries.slice(0, 4));
    return Float64Array.from(entries, entry => entry * (1 / norm));
  };
  const first = part((i, j) => [(row & 2) | i, (column & 2) | j]);
  const second = part((i, j) => [(i << 1) | (row & 1), (j << 1) | (column & 1)]);
  return [first, second];
}
