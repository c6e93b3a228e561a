import { type TensorMatrix, transpose, zeros } from "./tensor-matrix.ts";

/** A matrix as `factor · rows`. */
export interface RowFactors {
  readonly factor: TensorMatrix;
  /** Orthonormal rows, at most as many as the matrix has. */
  readonly rows: TensorMatrix;
}

/** Size of a row, relative to the largest, that counts as rounding. */
const ROUNDING = 1e-14;

/** Factors a matrix into orthonormal rows by Gram and Schmidt's method, twice for each row, which leaves no more than rounding. */
export function orthonormalRows({ rows: count, columns: n, re, im }: TensorMatrix): RowFactors {
  const outRe = new Float64Array(count * n);
  const outIm = new Float64Array(count * n);
  const wide = zeros(count, count);
  let largest = 0;
  for (let i = 0; i < count * n; i += n) {
    let sum = 0;
    for (let k = i; k < i + n; k++) sum += re[k]! * re[k]! + im[k]! * im[k]!;
    largest = Math.max(largest, sum);
  }
  const negligible = ROUNDING * ROUNDING * largest;
  let rank = 0;
  for (let i = 0; i < count; i++) {
    const own = rank * n;
    for (let k = 0, a = i * n; k < n; k++, a++) {
      outRe[own + k] = re[a]!;
      outIm[own + k] = im[a]!;
    }
    for (let pass = 0; pass < 2; pass++)
      for (let j = 0; j < rank; j++) {
        let x = 0;
        let y = 0;
        for (let k = own, b = j * n; k < own + n; k++, b++) {
          x += outRe[k]! * outRe[b]! + outIm[k]! * outIm[b]!;
          y += outIm[k]! * outRe[b]! - outRe[k]! * outIm[b]!;
        }
        wide.re[i * count + j]! += x;
        wide.im[i * count + j]! += y;
        for (let k = own, b = j * n; k < own + n; k++, b++) {
          outRe[k]! -= x * outRe[b]! - y * outIm[b]!;
          outIm[k]! -= x * outIm[b]! + y * outRe[b]!;
        }
      }
    let sum = 0;
    for (let k = own; k < own + n; k++) sum += outRe[k]! * outRe[k]! + outIm[k]! * outIm[k]!;
    if (sum <= negligible || rank === n) continue;
    const norm = Math.sqrt(sum);
    for (let k = own; k < own + n; k++) {
      outRe[k]! /= norm;
      outIm[k]! /= norm;
    }
    wide.re[i * count + rank++] = norm;
  }
  if (rank === count) return { factor: wide, rows: { rows: count, columns: n, re: outRe, im: outIm } };
  return {
    factor: firstColumns(wide, rank),
    rows: { rows: rank, columns: n, re: outRe.slice(0, rank * n), im: outIm.slice(0, rank * n) },
  };
}

function firstColumns({ rows, columns, re, im }: TensorMatrix, count: number): TensorMatrix {
  const out = zeros(rows, count);
  for (let row = 0; row < rows; row++) {
    out.re.set(re.subarray(row * columns, row * columns + count), row * count);
    out.im.set(im.subarray(row * columns, row * columns + count), row * count);
  }
  return out;
}

/** Returns a matrix R with at most as many rows as columns and `R†R = M†M`, or the matrix itself where it has no more. */
export const triangularFactor = (matrix: TensorMatrix): TensorMatrix =>
  matrix.rows > matrix.columns ? transpose(orthonormalRows(transpose(matrix)).factor) : matrix;

/** Rows whose directions differ from right angles by less than this are orthogonal. */
const ORTHOGONAL = 1e-14;
const MAX_SWEEPS = 40;

/** The largest singular values of a matrix in descending order, and their right singular vectors. */
interface SingularVectors {
  readonly values: Float64Array;
  /** Orthonormal rows: the conjugate transpose of the singular vectors. */
  readonly vectors: TensorMatrix;
  /** Share of the squared norm in the singular values that are over the limit. */
  readonly discarded: number;
}

/** Selects the discarded singular values. */
export interface Truncation {
  /** Maximum number of singular values. */
  readonly maxRank: number;
  /** Singular values that are less than this times the largest are left out. */
  readonly cutoff: number;
  /** Hears how many complex numbers were touched. */
  onWork(numbers: number): void;
}

/**
 * Returns the right singular vectors of a matrix by one-sided Jacobi rotations of its rows, which finds small singular
 * values with all of their digits.
 */
export function singularVectors(
  matrix: TensorMatrix,
  { maxRank, cutoff, onWork }: Truncation,
): SingularVectors {
  const reduced = triangularFactor(matrix);
  const n = reduced.columns;
  const re = reduced.re.slice();
  const im = reduced.im.slice();
  const weights = new Float64Array(reduced.rows);
  let order: number[] = [];
  const weigh = (row: number) => {
    let sum = 0;
    for (let i = row * n; i < (row + 1) * n; i++) sum += re[i]! * re[i]! + im[i]! * im[i]!;
    weights[row] = sum;
  };
  for (let row = 0; row < weights.length; row++) {
    weigh(row);
    order.push(row);
  }
  const descending = (a: number, b: number) => weights[b]! - weights[a]!;
  order.sort(descending);
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const negligible = cutoff * cutoff * 1e-4;
  let isDone = false;
  for (let sweep = 0; sweep < MAX_SWEEPS && !isDone; sweep++) {
    isDone = true;
    for (let i = 1; i < order.length; i++)
      for (let j = 0; j < i; j++) if (orthogonalize(order[j]!, order[i]!)) isDone = false;
    onWork(order.length * order.length * n);
    for (const row of order) weigh(row);
    order.sort(descending);
    order = order.filter(row => weights[row]! > negligible * weights[order[0]!]!);
  }
  const least = cutoff * cutoff * (weights[order[0]!] ?? 0);
  const found = order.filter((row, place) => place === 0 || weights[row]! > least);
  const kept = found.slice(0, maxRank);
  const values = new Float64Array(Math.max(1, kept.length));
  const vectors = zeros(values.length, n);
  kept.forEach((row, place) => {
    const value = Math.sqrt(weights[row]!);
    values[place] = value;
    for (let i = 0; i < n; i++) {
      vectors.re[place * n + i] = re[row * n + i]! / value;
      vectors.im[place * n + i] = im[row * n + i]! / value;
    }
  });
  const discarded = found.slice(maxRank).reduce((sum, row) => sum + weights[row]!, 0);
  return { values, vectors, discarded: discarded > 0 ? discarded / total : 0 };

  /** Turns two rows into each other so that they are orthogonal; returns false where they are already. */
  function orthogonalize(p: number, q: number): boolean {
    let x = 0;
    let y = 0;
    for (let i = 0, a = p * n, b = q * n; i < n; i++, a++, b++) {
      x += re[a]! * re[b]! + im[a]! * im[b]!;
      y += re[a]! * im[b]! - im[a]! * re[b]!;
    }
    const overlap = Math.sqrt(x * x + y * y);
    if (overlap <= ORTHOGONAL * Math.sqrt(weights[p]! * weights[q]!) || overlap === 0) return false;
    const ratio = (weights[q]! - weights[p]!) / (2 * overlap);
    const tangent = (ratio >= 0 ? 1 : -1) / (Math.abs(ratio) + Math.sqrt(1 + ratio * ratio));
    const cosine = 1 / Math.sqrt(1 + tangent * tangent);
    const sine = cosine * tangent;
    const u = x / overlap;
    const v = y / overlap;
    for (let i = 0, a = p * n, b = q * n; i < n; i++, a++, b++) {
      const ar = re[a]!;
      const ai = im[a]!;
      const br = re[b]! * u + im[b]! * v;
      const bi = im[b]! * u - re[b]! * v;
      re[a] = cosine * ar - sine * br;
      im[a] = cosine * ai - sine * bi;
      re[b] = sine * ar + cosine * br;
      im[b] = sine * ai + cosine * bi;
    }
    weights[p] = Math.max(0, weights[p]! - tangent * overlap);
    weights[q] = Math.max(0, weights[q]! + tangent * overlap);
    return true;
  }
}
