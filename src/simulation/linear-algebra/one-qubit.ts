import type { Matrix } from "./matrix.ts";

/** The eight numbers of a 2×2 matrix, as loops read them. */
type Numbers2 = readonly [number, number, number, number, number, number, number, number];

export const numbersOf = (m: Matrix): Numbers2 => m as unknown as Numbers2;

export function matrix2(...parts: Numbers2): Matrix {
  const m = new Float64Array(8);
  for (let i = 0; i < 8; i++) m[i] = parts[i]!;
  return m;
}

/** The identity and the Pauli matrices; nothing writes to them. */
export const I = matrix2(1, 0, 0, 0, 0, 0, 1, 0);
export const X = matrix2(0, 0, 1, 0, 1, 0, 0, 0);
export const Y = matrix2(0, 0, 0, -1, 0, 1, 0, 0);
export const Z = matrix2(1, 0, 0, 0, 0, 0, -1, 0);

export function rotationZ(angle: number): Matrix {
  const [c, s] = [Math.cos(angle / 2), Math.sin(angle / 2)];
  return matrix2(c, -s, 0, 0, 0, 0, c, s);
}

/** Whether a matrix changes only phases. */
export const isDiagonal = (m: Matrix): boolean => m[2] === 0 && m[3] === 0 && m[4] === 0 && m[5] === 0;

/** Whether a matrix flips a qubit, up to phases. */
export const isAntidiagonal = (m: Matrix): boolean => m[0] === 0 && m[1] === 0 && m[6] === 0 && m[7] === 0;

export const isNot = (m: Matrix): boolean =>
  isAntidiagonal(m) && m[2] === 1 && m[3] === 0 && m[4] === 1 && m[5] === 0;

/** A unitary 2×2 matrix as `e^{iα}·exp(-iβ·n·σ)`: the angles, and the direction n times the sine of β. */
interface AxisAngle {
  readonly alpha: number;
  readonly beta: number;
  readonly x: number;
  readonly y: number;
  readonly z: number;
}

/** Returns the angles and the axis of a unitary 2×2 matrix; its eigenphases are α-β and α+β. */
export function axisAngleOf(m: Matrix): AxisAngle {
  const alpha =
    Math.atan2(
      m[0]! * m[7]! + m[1]! * m[6]! - m[2]! * m[5]! - m[3]! * m[4]!,
      m[0]! * m[6]! - m[1]! * m[7]! - m[2]! * m[4]! + m[3]! * m[5]!,
    ) / 2;
  const c = Math.cos(alpha);
  const s = Math.sin(alpha);
  const re = (i: number) => m[i]! * c + m[i + 1]! * s;
  const im = (i: number) => m[i + 1]! * c - m[i]! * s;
  const x = -(im(2) + im(4)) / 2;
  const y = (re(4) - re(2)) / 2;
  const z = (im(6) - im(0)) / 2;
  return { alpha, beta: Math.atan2(Math.hypot(x, y, z), (re(0) + re(6)) / 2), x, y, z };
}

/** Returns a real power of a unitary 2×2 matrix: the principal one, eigenphases taken in (-π, π]. */
export function power2(m: Matrix, exponent: number): Matrix {
  const { alpha, beta, x, y, z } = axisAngleOf(m);
  const sine = Math.hypot(x, y, z);
  const [nx, ny, nz] = sine > 1e-15 ? [x / sine, y / sine, z / sine] : [0, 0, 1];
  const first = exponent * principal(alpha - beta);
  const second = exponent * principal(alpha + beta);
  const meanRe = (Math.cos(first) + Math.cos(second)) / 2;
  const meanIm = (Math.sin(first) + Math.sin(second)) / 2;
  const halfRe = (Math.cos(first) - Math.cos(second)) / 2;
  const halfIm = (Math.sin(first) - Math.sin(second)) / 2;
  return matrix2(
    meanRe + halfRe * nz,
    meanIm + halfIm * nz,
    halfRe * nx + halfIm * ny,
    halfIm * nx - halfRe * ny,
    halfRe * nx - halfIm * ny,
    halfIm * nx + halfRe * ny,
    meanRe - halfRe * nz,
    meanIm - halfIm * nz,
  );
}

/** Brings an angle into (-π, π]; what is -π but for rounding is π. */
export function principal(angle: number): number {
  const turned = angle - 2 * Math.PI * Math.round(angle / (2 * Math.PI));
  return turned < -Math.PI + 1e-9 ? turned + 2 * Math.PI : turned;
}
