import type { Matrix2 } from "../circuit/matrix.ts";
import type { Unitary } from "../circuit/unitary.ts";

/**
 * A complex 4×4 matrix, row by row, real and imaginary parts interleaved: 32 numbers. The first of the two qubits is the
 * lower bit of an index.
 */
export type Matrix4 = Float64Array;

/** A one-qubit unitary on each of two qubits, the first of them first. */
export type LocalPair = readonly [Matrix2, Matrix2];

/** Returns the identity of two qubits. */
export function identity4(): Matrix4 {
  const out = new Float64Array(32);
  for (let i = 0; i < 4; i++) out[10 * i] = 1;
  return out;
}

/** Returns the product `a·b`. */
export function multiply4(a: Matrix4, b: Matrix4): Matrix4 {
  const out = new Float64Array(32);
  for (let row = 0; row < 4; row++)
    for (let k = 0; k < 4; k++) {
      const x = a[8 * row + 2 * k]!;
      const y = a[8 * row + 2 * k + 1]!;
      if (x === 0 && y === 0) continue;
      for (let column = 0; column < 4; column++) {
        const p = b[8 * k + 2 * column]!;
        const q = b[8 * k + 2 * column + 1]!;
        out[8 * row + 2 * column]! += x * p - y * q;
        out[8 * row + 2 * column + 1]! += x * q + y * p;
      }
    }
  return out;
}

/** Returns the conjugate transpose. */
export function adjoint4(m: Matrix4): Matrix4 {
  const out = new Float64Array(32);
  for (let row = 0; row < 4; row++)
    for (let column = 0; column < 4; column++) {
      out[8 * column + 2 * row] = m[8 * row + 2 * column]!;
      out[8 * column + 2 * row + 1] = -m[8 * row + 2 * column + 1]!;
    }
  return out;
}

/** Returns the matrix of one-qubit unitaries on both qubits. */
export function kron([first, second]: LocalPair): Matrix4 {
  const out = new Float64Array(32);
  for (let row = 0; row < 4; row++)
    for (let column = 0; column < 4; column++) {
      const i = 4 * (row & 1) + 2 * (column & 1);
      const j = 4 * (row >> 1) + 2 * (column >> 1);
      out[8 * row + 2 * column] = first[i]! * second[j]! - first[i + 1]! * second[j + 1]!;
      out[8 * row + 2 * column + 1] = first[i]! * second[j + 1]! + first[i + 1]! * second[j]!;
    }
  return out;
}

/** Returns the matrix with its two qubits exchanged. */
export function exchanged4(m: Matrix4): Matrix4 {
  const out = new Float64Array(32);
  const place = (index: number) => ((index & 1) << 1) | (index >> 1);
  for (let row = 0; row < 4; row++)
    for (let column = 0; column < 4; column++) {
      const from = 8 * row + 2 * column;
      const to = 8 * place(row) + 2 * place(column);
      out[to] = m[from]!;
      out[to + 1] = m[from + 1]!;
    }
  return out;
}

/** Returns the matrix of a gate on two qubits in this form. */
export function matrix4Of({ re, im }: Unitary): Matrix4 {
  const out = new Float64Array(32);
  for (let i = 0; i < 16; i++) {
    out[2 * i] = re[i]!;
    out[2 * i + 1] = im[i]!;
  }
  return out;
}

/** Returns the determinant as real and imaginary part, by elimination. */
export function determinant4(m: Matrix4): readonly [number, number] {
  const a = m.slice();
  let [re, im] = [1, 0];
  for (let k = 0; k < 4; k++) {
    let pivot = k;
    const modulus = (row: number) => Math.hypot(a[8 * row + 2 * k]!, a[8 * row + 2 * k + 1]!);
    for (let row = k + 1; row < 4; row++) if (modulus(row) > modulus(pivot)) pivot = row;
    if (pivot !== k) {
      for (let i = 0; i < 8; i++) [a[8 * k + i], a[8 * pivot + i]] = [a[8 * pivot + i]!, a[8 * k + i]!];
      [re, im] = [-re, -im];
    }
    const [x, y] = [a[10 * k]!, a[10 * k + 1]!];
    [re, im] = [re * x - im * y, re * y + im * x];
    const norm = x * x + y * y;
    for (let row = k + 1; row < 4; row++) {
      const [p, q] = [a[8 * row + 2 * k]!, a[8 * row + 2 * k + 1]!];
      const [f, g] = [(p * x + q * y) / norm, (q * x - p * y) / norm];
      for (let i = k; i < 4; i++) {
        const [u, v] = [a[8 * k + 2 * i]!, a[8 * k + 2 * i + 1]!];
        a[8 * row + 2 * i]! -= f * u - g * v;
        a[8 * row + 2 * i + 1]! -= f * v + g * u;
      }
    }
  }
  return [re, im];
}

/** Returns one-qubit unitaries whose product is the matrix, but for a phase; the matrix has to be such a product. */
export function factored(m: Matrix4): LocalPair {
  let [row, column] = [0, 0];
  let largest = -1;
  for (let i = 0; i < 16; i++) {
    const modulus = Math.hypot(m[2 * i]!, m[2 * i + 1]!);
    if (modulus > largest + 1e-9) [row, column, largest] = [i >> 2, i & 3, modulus];
  }
  const part = (of: (i: number, j: number) => readonly [number, number]): Matrix2 => {
    const entries = [0, 1, 2, 3].flatMap(at => {
      const [i, j] = of(at >> 1, at & 1);
      return [m[8 * i + 2 * j]!, m[8 * i + 2 * j + 1]!];
    });
    return unitary2(Float64Array.from(entries));
  };
  const first = part((i, j) => [(row & 2) | i, (column & 2) | j]);
  const second = part((i, j) => [(i << 1) | (row & 1), (j << 1) | (column & 1)]);
  return [first, second];
}

/** Scales a multiple of a unitary to a unitary. */
function unitary2(m: Matrix2): Matrix2 {
  const scale = 1 / Math.hypot(m[0]!, m[1]!, m[2]!, m[3]!);
  return m.map(value => value * scale);
}

/** Returns how far two matrices are apart, phases and lengths aside: 0 for the same, 1 for orthogonal ones. */
export function distanceUpToPhase(a: Float64Array, b: Float64Array): number {
  let [re, im] = [0, 0];
  for (let i = 0; i < a.length; i += 2) {
    re += a[i]! * b[i]! + a[i + 1]! * b[i + 1]!;
    im += a[i]! * b[i + 1]! - a[i + 1]! * b[i]!;
  }
  return 1 - Math.hypot(re, im) / (Math.hypot(...a) * Math.hypot(...b));
}
