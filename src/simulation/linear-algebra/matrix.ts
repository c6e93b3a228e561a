import { principal } from "./one-qubit.ts";

/**
 * A square complex matrix, row by row, real and imaginary parts interleaved. In the matrix of a gate, the first qubit is
 * the lowest bit of an index.
 */
export type Matrix = Float64Array;

export const sizeOf = (m: Matrix): number => Math.sqrt(m.length / 2);

export const zeros = (size: number): Matrix => new Float64Array(2 * size * size);

export function identity(size: number): Matrix {
  const out = zeros(size);
  for (let i = 0; i < size; i++) out[2 * i * (size + 1)] = 1;
  return out;
}

export function multiply(a: Matrix, b: Matrix): Matrix {
  const out = new Float64Array(a.length);
  const width = 2 * sizeOf(a);
  for (let row = 0; row < a.length; row += width)
    for (let k = 0; k < width; k += 2) {
      const x = a[row + k]!;
      const y = a[row + k + 1]!;
      if (x === 0 && y === 0) continue;
      const from = (k * width) / 2;
      for (let column = 0; column < width; column += 2) {
        const p = b[from + column]!;
        const q = b[from + column + 1]!;
        out[row + column]! += x * p - y * q;
        out[row + column + 1]! += x * q + y * p;
      }
    }
  return out;
}

export function transpose(m: Matrix): Matrix {
  const out = new Float64Array(m.length);
  const size = sizeOf(m);
  for (let row = 0, from = 0; row < size; row++)
    for (let column = 0; column < size; column++, from += 2) {
      const to = 2 * (column * size + row);
      out[to] = m[from]!;
      out[to + 1] = m[from + 1]!;
    }
  return out;
}

export const conjugate = (m: Matrix): Matrix => m.map((part, i) => (i % 2 === 0 ? part : -part));

export const adjoint = (m: Matrix): Matrix => conjugate(transpose(m));

export const scale = (m: Matrix, factor: number): Matrix => m.map(part => factor * part);

/** Returns the tensor product of two operators, the first of them on the lower qubits. */
export function kron(low: Matrix, high: Matrix): Matrix {
  const n = sizeOf(low);
  const size = n * sizeOf(high);
  const out = zeros(size);
  for (let row = 0, to = 0; row < size; row++)
    for (let column = 0; column < size; column++, to += 2) {
      const i = 2 * ((row % n) * n + (column % n));
      const j = 2 * (Math.floor(row / n) * (size / n) + Math.floor(column / n));
      out[to] = low[i]! * high[j]! - low[i + 1]! * high[j + 1]!;
      out[to + 1] = low[i]! * high[j + 1]! + low[i + 1]! * high[j]!;
    }
  return out;
}

export function exchangeQubits(m: Matrix): Matrix {
  const out = zeros(4);
  const place = (index: number) => ((index & 1) << 1) | (index >> 1);
  for (let row = 0, from = 0; row < 4; row++)
    for (let column = 0; column < 4; column++, from += 2) {
      const to = 8 * place(row) + 2 * place(column);
      out[to] = m[from]!;
      out[to + 1] = m[from + 1]!;
    }
  return out;
}

/** Returns the inner product `Tr(A†·B)` as real and imaginary part. */
export function innerProduct(a: Matrix, b: Matrix): readonly [number, number] {
  let [re, im] = [0, 0];
  for (let i = 0; i < a.length; i += 2) {
    re += a[i]! * b[i]! + a[i + 1]! * b[i + 1]!;
    im += a[i]! * b[i + 1]! - a[i + 1]! * b[i]!;
  }
  return [re, im];
}

/** Returns the distance of two matrices up to a phase and a scale: 0 if they are equal, 1 if they are orthogonal. */
export const distanceUpToPhase = (a: Matrix, b: Matrix): number =>
  1 - Math.hypot(...innerProduct(a, b)) / Math.sqrt(innerProduct(a, a)[0] * innerProduct(b, b)[0]);

/** Returns the determinant as real and imaginary part, by Gaussian elimination with partial pivoting. */
export function determinant(m: Matrix): readonly [number, number] {
  const a = m.slice();
  const size = sizeOf(m);
  const width = 2 * size;
  let [re, im] = [1, 0];
  for (let k = 0; k < size; k++) {
    let pivot = k;
    const modulus = (row: number) => Math.hypot(a[width * row + 2 * k]!, a[width * row + 2 * k + 1]!);
    for (let row = k + 1; row < size; row++) if (modulus(row) > modulus(pivot)) pivot = row;
    if (pivot !== k) {
      for (let i = 0; i < width; i++)
        [a[width * k + i], a[width * pivot + i]] = [a[width * pivot + i]!, a[width * k + i]!];
      [re, im] = [-re, -im];
    }
    const [x, y] = [a[(width + 2) * k]!, a[(width + 2) * k + 1]!];
    [re, im] = [re * x - im * y, re * y + im * x];
    const norm = x * x + y * y;
    for (let row = k + 1; row < size; row++) {
      const [p, q] = [a[width * row + 2 * k]!, a[width * row + 2 * k + 1]!];
      const [f, g] = [(p * x + q * y) / norm, (q * x - p * y) / norm];
      for (let i = k; i < size; i++) {
        const [u, v] = [a[width * k + 2 * i]!, a[width * k + 2 * i + 1]!];
        a[width * row + 2 * i]! -= f * u - g * v;
        a[width * row + 2 * i + 1]! -= f * v + g * u;
      }
    }
  }
  return [re, im];
}

/** Weights of the sum of the two commuting Hermitian parts of a unitary; almost every weight keeps the eigenvalues distinct. */
const MIXTURES = [0.618, 1.7320508, 0.2718281];
const ROUNDING = 1e-10;

/**
 * Returns a real power of a unitary matrix: the principal one, eigenphases taken in (-π, π]. A unitary is normal, so the
 * eigenvectors of a Hermitian mixture of its two Hermitian parts diagonalize it (Horn and Johnson, Matrix Analysis, 2.5).
 */
export function unitaryPower(matrix: Matrix, exponent: number): Matrix {
  const size = sizeOf(matrix);
  for (const mixture of MIXTURES) {
    const vectors = hermitianEigenvectors(mixed(matrix, mixture));
    const inverse = adjoint(vectors);
    const diagonal = multiply(inverse, multiply(matrix, vectors));
    if (!isDiagonal(diagonal)) continue;
    const powers = zeros(size);
    for (let at = 0; at < powers.length; at += 2 * (size + 1)) {
      const angle = exponent * principal(Math.atan2(diagonal[at + 1]!, diagonal[at]!));
      powers[at] = Math.cos(angle);
      powers[at + 1] = Math.sin(angle);
    }
    return multiply(multiply(vectors, powers), inverse);
  }
  throw new RangeError("The eigenvalues of this gate lie too close together for a fractional power.");
}

/** Returns `(U + U†)/2 + mixture·(U − U†)/2i`. */
function mixed(u: Matrix, mixture: number): Matrix {
  const v = adjoint(u);
  const out = new Float64Array(u.length);
  for (let i = 0; i < u.length; i += 2) {
    out[i] = (u[i]! + v[i]! + mixture * (u[i + 1]! - v[i + 1]!)) / 2;
    out[i + 1] = (u[i + 1]! + v[i + 1]! - mixture * (u[i]! - v[i]!)) / 2;
  }
  return out;
}

function isDiagonal(m: Matrix): boolean {
  const size = sizeOf(m);
  return m.every((part, i) => (i >> 1) % (size + 1) === 0 || Math.abs(part) < ROUNDING);
}

/**
 * Returns the eigenvectors of a Hermitian matrix as columns, by the cyclic Jacobi method (Golub and Van Loan, Matrix
 * Computations, 8.5). The given matrix becomes diagonal: its eigenvalues.
 */
export function hermitianEigenvectors(m: Matrix): Matrix {
  const size = sizeOf(m);
  const vectors = identity(size);
  for (let sweep = 0; sweep < 60; sweep++) {
    let rest = 0;
    for (let p = 0; p < size; p++)
      for (let q = p + 1; q < size; q++) {
        const at = 2 * (p * size + q);
        const modulus = Math.hypot(m[at]!, m[at + 1]!);
        rest += modulus;
        if (modulus < 1e-17) continue;
        const [x, y] = [m[at]! / modulus, m[at + 1]! / modulus];
        const tau = (m[2 * q * (size + 1)]! - m[2 * p * (size + 1)]!) / (2 * modulus);
        const t = (tau >= 0 ? 1 : -1) / (Math.abs(tau) + Math.hypot(1, tau));
        const c = 1 / Math.hypot(1, t);
        const s = t * c;
        for (const target of [m, vectors]) rotate(target, p, q, size, { c, s, x, y });
        rotate(m, p * size, q * size, 1, { c, s, x, y: -y });
      }
    if (rest < 1e-14) break;
  }
  return vectors;
}

/** A rotation of two columns or rows, the second with a phase. */
interface Rotation {
  readonly c: number;
  readonly s: number;
  readonly x: number;
  readonly y: number;
}

/** Rotates two columns, or rows, that begin at offsets, with a stride between their numbers. */
function rotate(m: Matrix, first: number, second: number, step: number, { c, s, x, y }: Rotation): void {
  for (let k = 0; k < sizeOf(m); k++) {
    const [i, j] = [2 * (first + k * step), 2 * (second + k * step)];
    const [a, b, d, e] = [m[i]!, m[i + 1]!, m[j]!, m[j + 1]!];
    m[i] = c * a - s * (x * d + y * e);
    m[i + 1] = c * b - s * (x * e - y * d);
    m[j] = s * (x * a - y * b) + c * d;
    m[j + 1] = s * (x * b + y * a) + c * e;
  }
}
