import type { Gate } from "./gate.ts";
import { principal } from "./matrix.ts";
import { type Primitive, visitPrimitives } from "./primitives.ts";

/** A square complex matrix, row by row, real and imaginary parts in arrays of their own. */
export interface Unitary {
  readonly size: number;
  readonly re: Float64Array;
  readonly im: Float64Array;
}

const zeros = (size: number): Unitary => ({
  size,
  re: new Float64Array(size * size),
  im: new Float64Array(size * size),
});

/** Returns the matrix of a gate; its first qubit is the lowest bit of the indices. */
export function unitaryOf(gate: Gate, params: readonly number[]): Unitary {
  const matrix = zeros(2 ** gate.numQubits);
  for (let i = 0; i < matrix.size; i++) matrix.re[i * matrix.size + i] = 1;
  visitPrimitives(gate, params, [...Array(gate.numQubits).keys()], step => {
    multiplyInto(matrix, step);
  });
  return matrix;
}

/** Multiplies a matrix from the left by a gate of one step. */
function multiplyInto({ size, re, im }: Unitary, { gate, params, qubits }: Primitive): void {
  const isOn = (row: number) =>
    gate.controls.every((polarity, i) => ((row >> qubits[i]!) & 1) === (polarity ? 1 : 0));
  const [first, second] = qubits.slice(gate.controls.length).map(qubit => 1 << qubit);
  const m = gate.kind === "matrix" ? gate.matrix(params, 0) : null;
  const angle = gate.kind === "phase" ? gate.scale * params[0]! : 0;
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  for (let row = 0; row < size; row++) {
    if (!isOn(row)) continue;
    if (gate.kind === "phase") {
      for (let at = row * size; at < (row + 1) * size; at++) {
        const x = re[at]!;
        re[at] = x * c - im[at]! * s;
        im[at] = x * s + im[at]! * c;
      }
      continue;
    }
    const isFirst =
      gate.kind === "swap" ? (row & first!) !== 0 && (row & second!) === 0 : (row & first!) === 0;
    if (!isFirst) continue;
    const other = gate.kind === "swap" ? row ^ first! ^ second! : row | first!;
    for (let column = 0; column < size; column++) {
      const [p, q] = [row * size + column, other * size + column];
      const [a, b, x, y] = [re[p]!, im[p]!, re[q]!, im[q]!];
      if (m) {
        re[p] = m[0]! * a - m[1]! * b + m[2]! * x - m[3]! * y;
        im[p] = m[0]! * b + m[1]! * a + m[2]! * y + m[3]! * x;
        re[q] = m[4]! * a - m[5]! * b + m[6]! * x - m[7]! * y;
        im[q] = m[4]! * b + m[5]! * a + m[6]! * y + m[7]! * x;
      } else [re[p], im[p], re[q], im[q]] = [x, y, a, b];
    }
  }
}

/** Mixes the two commuting Hermitian parts of a unitary; any number does that keeps their eigenvalues distinct. */
const MIXTURES = [0.618, 1.7320508, 0.2718281];
const ENOUGH = 1e-10;

/** Returns a real power of a unitary matrix: the principal one, eigenphases taken in (-π, π]. */
export function unitaryPower(matrix: Unitary, exponent: number): Unitary {
  const { size } = matrix;
  for (const mixture of MIXTURES) {
    const vectors = hermitianEigenvectors(mixed(matrix, mixture));
    const phases = diagonalOf(matrix, vectors);
    if (!phases) continue;
    const out = zeros(size);
    for (let k = 0; k < size; k++) {
      const [c, s] = [Math.cos(exponent * phases[k]!), Math.sin(exponent * phases[k]!)];
      for (let row = 0; row < size; row++) {
        const [a, b] = [vectors.re[row * size + k]!, vectors.im[row * size + k]!];
        const [x, y] = [a * c - b * s, a * s + b * c];
        for (let column = 0; column < size; column++) {
          const [p, q] = [vectors.re[column * size + k]!, vectors.im[column * size + k]!];
          out.re[row * size + column]! += x * p + y * q;
          out.im[row * size + column]! += y * p - x * q;
        }
      }
    }
    return out;
  }
  throw new RangeError("The eigenvalues of this gate lie too close together for a fractional power.");
}

/** Returns `(U + U†)/2 + mixture·(U − U†)/2i`. */
function mixed({ size, re, im }: Unitary, mixture: number): Unitary {
  const out = zeros(size);
  for (let row = 0; row < size; row++)
    for (let column = 0; column < size; column++) {
      const [at, mirror] = [row * size + column, column * size + row];
      out.re[at] = (re[at]! + re[mirror]! + mixture * (im[at]! + im[mirror]!)) / 2;
      out.im[at] = (im[at]! - im[mirror]! - mixture * (re[at]! - re[mirror]!)) / 2;
    }
  return out;
}

/** Returns the eigenvectors of a Hermitian matrix, one a column, by Jacobi's rotations, which leave the eigenvalues on its diagonal. */
export function hermitianEigenvectors({ size, re, im }: Unitary): Unitary {
  const vectors = zeros(size);
  for (let i = 0; i < size; i++) vectors.re[i * size + i] = 1;
  for (let sweep = 0; sweep < 60; sweep++) {
    let rest = 0;
    for (let p = 0; p < size; p++)
      for (let q = p + 1; q < size; q++) {
        const modulus = Math.hypot(re[p * size + q]!, im[p * size + q]!);
        rest += modulus;
        if (modulus < 1e-17) continue;
        const [x, y] = [re[p * size + q]! / modulus, im[p * size + q]! / modulus];
        const tau = (re[q * size + q]! - re[p * size + p]!) / (2 * modulus);
        const t = (tau >= 0 ? 1 : -1) / (Math.abs(tau) + Math.hypot(1, tau));
        const c = 1 / Math.hypot(1, t);
        const s = t * c;
        for (const target of [{ size, re, im }, vectors]) turn(target, p, q, size, { c, s, x, y });
        turn({ size, re, im }, p * size, q * size, 1, { c, s, x, y: -y });
      }
    if (rest < 1e-14) break;
  }
  return vectors;
}

/** A rotation of two columns, the second with a phase. */
interface Turn {
  readonly c: number;
  readonly s: number;
  readonly x: number;
  readonly y: number;
}

/** Turns two columns, or rows, that begin at offsets, with a stride between their numbers. */
function turn(
  { size, re, im }: Unitary,
  first: number,
  second: number,
  step: number,
  { c, s, x, y }: Turn,
): void {
  for (let k = 0; k < size; k++) {
    const [i, j] = [first + k * step, second + k * step];
    const [a, b, d, e] = [re[i]!, im[i]!, re[j]!, im[j]!];
    re[i] = c * a - s * (x * d + y * e);
    im[i] = c * b - s * (x * e - y * d);
    re[j] = s * (x * a - y * b) + c * d;
    im[j] = s * (x * b + y * a) + c * e;
  }
}

/** Returns the phases of `V†·U·V`, or null where that is not diagonal. */
function diagonalOf({ size, re, im }: Unitary, vectors: Unitary): number[] | null {
  const phases: number[] = [];
  for (let k = 0; k < size; k++) {
    const column = (part: Float64Array) => Array.from({ length: size }, (_, row) => part[row * size + k]!);
    const [vr, vi] = [column(vectors.re), column(vectors.im)];
    let [x, y] = [0, 0];
    const image = vr.map((_, row) => {
      let [a, b] = [0, 0];
      for (let i = 0; i < size; i++) {
        a += re[row * size + i]! * vr[i]! - im[row * size + i]! * vi[i]!;
        b += re[row * size + i]! * vi[i]! + im[row * size + i]! * vr[i]!;
      }
      x += vr[row]! * a + vi[row]! * b;
      y += vr[row]! * b - vi[row]! * a;
      return [a, b] as const;
    });
    const off = image.reduce(
      (sum, [a, b], row) =>
        sum + Math.hypot(a - (x * vr[row]! - y * vi[row]!), b - (x * vi[row]! + y * vr[row]!)),
      0,
    );
    if (off > ENOUGH * size) return null;
    phases.push(principal(Math.atan2(y, x)));
  }
  return phases;
}
