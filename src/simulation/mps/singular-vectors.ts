import { triangularFactor } from "./factorizations.ts";
import { type TensorMatrix, zeros } from "./tensor-matrix.ts";

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
  const weigh = (row: number) => {
    let sum = 0;
    for (let i = row * n; i < (row + 1) * n; i++) sum += re[i]! * re[i]! + im[i]! * im[i]!;
    weights[row] = sum;
  };
  let order = Array.from(weights.keys());
  for (const row of order) weigh(row);
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
