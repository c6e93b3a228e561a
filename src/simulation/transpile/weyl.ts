import { adjoint, determinant, type Matrix, multiply, transpose } from "../linear-algebra/matrix.ts";
import { I, matrix2, X, Y, Z } from "../linear-algebra/one-qubit.ts";
import { memoized } from "../memoized.ts";
import { factorPair, type LocalPair } from "./two-qubit-synthesis.ts";

/** Coordinates in the Weyl chamber: π/4 ≥ x ≥ y ≥ |z|, and z ≥ 0 where x = π/4. */
export type WeylCoordinates = readonly [x: number, y: number, z: number];

/** A two-qubit unitary as `left · exp(i(x·XX + y·YY + z·ZZ)) · right`, but for a phase: its KAK decomposition. */
export interface WeylDecomposition {
  readonly coordinates: WeylCoordinates;
  readonly left: LocalPair;
  readonly right: LocalPair;
}

const { PI, SQRT1_2 } = Math;
/** Coordinates closer than this count as equal. */
export const WEYL_TOLERANCE = 1e-12;

const PAULIS = [X, Y, Z];
/** For each axis, the rotation about it by π/2, which exchanges the two others. */
const QUARTERS = [
  matrix2(SQRT1_2, 0, 0, -SQRT1_2, 0, -SQRT1_2, SQRT1_2, 0),
  matrix2(SQRT1_2, 0, -SQRT1_2, 0, SQRT1_2, 0, SQRT1_2, 0),
  matrix2(SQRT1_2, -SQRT1_2, 0, 0, 0, 0, SQRT1_2, SQRT1_2),
];

/** The columns of the magic basis, in which products of one-qubit gates are real. */
const MAGIC = Float64Array.from(
  [1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 1, -1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, -1],
  value => value * SQRT1_2,
);
const MAGIC_ADJOINT = Float64Array.from(
  [1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, -1, 0, -1, 0, 0, 0, 0, 1, 0, -1, 0, 0, 0, 0, -1, 0, 0, 0, 0, 0, 1],
  value => value * SQRT1_2,
);

/** Returns the KAK decomposition of a two-qubit unitary. Of two at the face x = π/4, `like` chooses the nearer one. */
export function weylDecomposition(unitary: Matrix, like?: WeylCoordinates): WeylDecomposition {
  const m = multiply(multiply(MAGIC_ADJOINT, special(unitary)), MAGIC);
  const square = multiply(transpose(m), m);
  const vectors = jointEigenvectors(square);
  const phases = [0, 1, 2, 3].map(k => eigenphase(square, vectors, k) / 2);
  if (determinant(complexOf(vectors))[0] < 0) for (let row = 0; row < 4; row++) vectors[4 * row]! *= -1;
  const turned = multiply(m, complexOf(vectors));
  const real = Float64Array.from({ length: 16 }, (_, i) => {
    const phase = phases[i & 3]!;
    return turned[2 * i]! * Math.cos(phase) + turned[2 * i + 1]! * Math.sin(phase);
  });
  if (determinant(complexOf(real))[0] < 0) {
    phases[0]! += PI;
    for (let row = 0; row < 4; row++) real[4 * row]! *= -1;
  }
  const [a, b, c, d] = phases as [number, number, number, number];
  const coordinates: [number, number, number] = [
    (a + b - c - d) / 4,
    (-a + b - c + d) / 4,
    (a - b - c + d) / 4,
  ];
  const right = transpose(complexOf(vectors));
  return canonical(coordinates, localOf(complexOf(real)), localOf(right), like);
}

/** Returns how many CX gates a unitary with these coordinates needs: 0 to 3. */
export function numCxOf([x, y, z]: WeylCoordinates): number {
  const isZero = (value: number) => Math.abs(value) < WEYL_TOLERANCE;
  if (isZero(x) && isZero(y) && isZero(z)) return 0;
  if (isZero(z)) return isZero(y) && isZero(x - PI / 4) ? 1 : 2;
  return 3;
}

/** Divides by a fourth root of the determinant. */
function special(m: Matrix): Matrix {
  const [re, im] = determinant(m);
  const angle = -Math.atan2(im, re) / 4;
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  const out = new Float64Array(32);
  for (let i = 0; i < 32; i += 2) {
    out[i] = m[i]! * c - m[i + 1]! * s;
    out[i + 1] = m[i]! * s + m[i + 1]! * c;
  }
  return out;
}

/**
 * Returns a real orthogonal matrix whose columns are eigenvectors of a symmetric unitary: its real and imaginary parts
 * commute, and Jacobi rotations diagonalize both at once.
 */
function jointEigenvectors(symmetric: Matrix): Float64Array {
  const parts = [0, 1].map(offset => Float64Array.from({ length: 16 }, (_, i) => symmetric[2 * i + offset]!));
  const vectors = new Float64Array(16);
  for (let i = 0; i < 4; i++) vectors[5 * i] = 1;
  for (let sweep = 0; sweep < 50; sweep++) {
    let largest = 0;
    for (let p = 0; p < 4; p++)
      for (let q = p + 1; q < 4; q++) {
        let [even, odd] = [0, 0];
        for (const part of parts) {
          const difference = part[5 * p]! - part[5 * q]!;
          const off = 2 * part[4 * p + q]!;
          even += difference * difference - off * off;
          odd += 2 * difference * off;
          largest = Math.max(largest, Math.abs(off));
        }
        const isTie = even < 0 && Math.abs(odd) < -1e-12 * even;
        const angle = isTie ? PI / 4 : Math.atan2(odd, even + Math.hypot(even, odd)) / 2;
        if (Math.abs(angle) < 1e-17) continue;
        const [c, s] = [Math.cos(angle), Math.sin(angle)];
        for (const part of parts) {
          rotate(part, p, q, 4, c, s);
          rotate(part, 4 * p, 4 * q, 1, c, s);
        }
        rotate(vectors, p, q, 4, c, s);
      }
    if (largest < 1e-15) break;
  }
  return vectors;
}

/** Rotates two rows or columns of a matrix into each other, whose numbers are `step` apart. */
function rotate(m: Float64Array, p: number, q: number, step: number, c: number, s: number): void {
  for (let at = 0; at < 4 * step; at += step) {
    const [x, y] = [m[p + at]!, m[q + at]!];
    m[p + at] = c * x + s * y;
    m[q + at] = c * y - s * x;
  }
}

function eigenphase(symmetric: Matrix, vectors: Float64Array, k: number): number {
  let [re, im] = [0, 0];
  for (let row = 0; row < 4; row++)
    for (let column = 0; column < 4; column++) {
      const weight = vectors[4 * row + k]! * vectors[4 * column + k]!;
      re += weight * symmetric[8 * row + 2 * column]!;
      im += weight * symmetric[8 * row + 2 * column + 1]!;
    }
  return Math.atan2(im, re);
}

/** Returns a real matrix for two qubits as a complex one. */
function complexOf(m: Float64Array): Matrix {
  const complex = new Float64Array(32);
  for (let i = 0; i < 16; i++) complex[2 * i] = m[i]!;
  return complex;
}

/** Returns the one-qubit unitaries that a rotation in the magic basis is. */
const localOf = (rotation: Matrix): LocalPair =>
  factorPair(multiply(multiply(MAGIC, rotation), MAGIC_ADJOINT));

/** Brings coordinates into the Weyl chamber, and the one-qubit unitaries with them. */
function canonical(
  coordinates: [number, number, number],
  left: LocalPair,
  right: LocalPair,
  like?: WeylCoordinates,
): WeylDecomposition {
  let [l0, l1] = left;
  let [r0, r1] = right;
  const shift = (axis: number): void => {
    const turns = Math.round(coordinates[axis]! / (PI / 2) - WEYL_TOLERANCE);
    if (turns === 0) return;
    coordinates[axis]! -= (turns * PI) / 2;
    if (turns % 2 !== 0) [l0, l1] = [multiply(l0, PAULIS[axis]!), multiply(l1, PAULIS[axis]!)];
  };
  const conjugate = (g0: Matrix, g1: Matrix): void => {
    [l0, l1] = [multiply(l0, adjoint(g0)), multiply(l1, adjoint(g1))];
    [r0, r1] = [multiply(g0, r0), multiply(g1, r1)];
  };
  const exchange = (a: number, b: number): void => {
    if (Math.abs(coordinates[a]!) >= Math.abs(coordinates[b]!)) return;
    [coordinates[a], coordinates[b]] = [coordinates[b]!, coordinates[a]!];
    const quarter = QUARTERS[3 - a - b]!;
    conjugate(quarter, quarter);
  };
  const negate = (a: number, b: number): void => {
    coordinates[a]! *= -1;
    coordinates[b]! *= -1;
    conjugate(PAULIS[3 - a - b]!, I);
  };
  for (const axis of [0, 1, 2]) shift(axis);
  exchange(0, 1);
  exchange(1, 2);
  exchange(0, 1);
  if (coordinates[0] < 0) negate(0, 2);
  if (coordinates[1] < 0) negate(1, 2);
  const [x, , z] = coordinates;
  const isBelow = like
    ? Math.hypot(PI / 2 - x - like[0], z + like[2]) < Math.hypot(x - like[0], z - like[2])
    : x > PI / 4 - WEYL_TOLERANCE && z < -WEYL_TOLERANCE;
  if (isBelow) {
    coordinates[0] -= PI / 2;
    [l0, l1] = [multiply(l0, X), multiply(l1, X)];
    negate(0, 2);
  }
  return { coordinates, left: [l0, l1], right: [r0, r1] };
}

/** Returns the KAK decomposition of a matrix that does not change, made once. */
export const weylOf = memoized((unitary: Matrix) => weylDecomposition(unitary));

/** Returns the coordinates of a unitary followed by a swap. */
export function mirrored([x, y, z]: WeylCoordinates): WeylCoordinates {
  const quarter = Math.PI / 4;
  const [a, b, c] = [quarter - Math.abs(z), quarter - y, quarter - x];
  return [a, b, z > WEYL_TOLERANCE ? -c : c];
}
