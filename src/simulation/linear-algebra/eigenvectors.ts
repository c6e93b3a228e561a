import { adjoint, identity, type Matrix, multiply, sizeOf, zeros } from "./matrix.ts";
import { principal } from "./one-qubit.ts";

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
