import { standardGate } from "../circuit/standard.ts";
import {
  adjoint,
  distanceUpToPhase,
  exchangeQubits,
  kron,
  type Matrix,
  multiply,
} from "../linear-algebra/matrix.ts";
import { I, matrix2, rotationZ } from "../linear-algebra/one-qubit.ts";
import { remembered } from "../memoized.ts";
import { matrixOf } from "./gate-operations.ts";
import { nativeGate, type TwoQubitBasis } from "./target.ts";
import {
  numCxOf,
  WEYL_TOLERANCE,
  type WeylCoordinates,
  type WeylDecomposition,
  weylDecomposition,
} from "./weyl.ts";

/**
 * A two-qubit unitary as native gates with one-qubit unitaries around them: `locals[0]`, the first gate, `locals[1]`, and
 * so on.
 */
interface TwoQubitCircuit {
  readonly locals: readonly LocalPair[];
  /** The parameters of each use of the native gate. */
  readonly uses: readonly (readonly number[])[];
}

const { PI, cos, sin } = Math;
const NONE: LocalPair = [I, I];
const rotationX = (theta: number): Matrix =>
  matrix2(cos(theta / 2), 0, 0, -sin(theta / 2), 0, -sin(theta / 2), cos(theta / 2), 0);
const rotationY = (theta: number): Matrix =>
  matrix2(cos(theta / 2), 0, -sin(theta / 2), 0, sin(theta / 2), 0, cos(theta / 2), 0);

const times = (a: LocalPair, b: LocalPair): LocalPair => [multiply(a[0], b[0]), multiply(a[1], b[1])];
const inverse = ([a, b]: LocalPair): LocalPair => [adjoint(a), adjoint(b)];

/** Gates whose angle is free, and the one-qubit unitary that turns their axis into X on both qubits. */
const FREE: ReadonlySet<TwoQubitBasis> = new Set(["zz", "rzz", "ms"]);

/** Whether one native gate does any rotation about two axes at once. */
export const hasFreeAngle = (basis: TwoQubitBasis): boolean => FREE.has(basis);

/** Returns how many native gates a unitary with these coordinates needs. */
export function numNativeOf(coordinates: WeylCoordinates, basis: TwoQubitBasis): number {
  const count = numCxOf(coordinates);
  return count === 2 && hasFreeAngle(basis) && Math.abs(coordinates[1]) < WEYL_TOLERANCE ? 1 : count;
}

const synthesized = new WeakMap<WeylDecomposition, Map<TwoQubitBasis, TwoQubitCircuit>>();

/** Returns a circuit of the fewest native gates for a decomposed two-qubit unitary, made once. */
export function synthesize(target: WeylDecomposition, basis: TwoQubitBasis): TwoQubitCircuit {
  const known = synthesized.get(target) ?? new Map<TwoQubitBasis, TwoQubitCircuit>();
  const circuit = known.get(basis) ?? aroundTemplate(target, basis);
  synthesized.set(target, known.set(basis, circuit));
  return circuit;
}

function aroundTemplate(target: WeylDecomposition, basis: TwoQubitBasis): TwoQubitCircuit {
  const template = templateOf(target.coordinates, basis);
  const { before, after } = surroundings(target, circuitMatrix(template, basis));
  const locals = [...template.locals];
  locals[0] = times(locals[0]!, before);
  locals[locals.length - 1] = times(after, locals[locals.length - 1]!);
  return { locals, uses: template.uses };
}

/** Returns the one-qubit unitaries that make a gate with the same coordinates a two-qubit unitary: Clifford gates where both are. */
function surroundings({ coordinates, left, right }: WeylDecomposition, gate: Matrix): Surroundings {
  const inner = weylDecomposition(gate, coordinates);
  const before = times(inverse(inner.right), right);
  const after = times(left, inverse(inner.left));
  const unitary = multiply(kron(...after), multiply(gate, kron(...before)));
  return cliffordLocals(unitary, gate) ?? { before, after };
}

export function circuitMatrix({ locals, uses }: TwoQubitCircuit, basis: TwoQubitBasis): Matrix {
  let matrix = kron(...locals[0]!);
  uses.forEach((use, i) => {
    matrix = multiply(kron(...locals[i + 1]!), multiply(matrixOf(nativeGate(basis), use), matrix));
  });
  return matrix;
}

/** Returns a circuit with the given coordinates. */
function templateOf([x, y, z]: WeylCoordinates, basis: TwoQubitBasis): TwoQubitCircuit {
  const count = numNativeOf([x, y, z], basis);
  if (hasFreeAngle(basis)) return rotations([x, y, z].slice(0, count), basis);
  const middles: LocalPair[] =
    count === 2
      ? [[rotationX(2 * x), rotationZ(2 * y)]]
      : count === 3
        ? [
            [rotationZ(-2 * z - PI / 2), rotationY(PI / 2 - 2 * x)],
            [I, rotationY(2 * y - PI / 2)],
          ]
        : [];
  const isExchanged = (i: number) => count === 3 && i !== 1;
  const cx = cxOf(basis);
  const locals: LocalPair[] = [NONE];
  for (let i = 0; i < count; i++) {
    const { before, after } = isExchanged(i) ? cx.exchanged : cx.straight;
    locals[i] = times(before, locals[i]!);
    locals.push(i < count - 1 ? times(middles[i]!, after) : after);
  }
  return { locals, uses: Array.from({ length: count }, () => []) };
}

/** Returns rotations about XX, YY and ZZ, one after the other, by gates with a free angle. */
function rotations(angles: readonly number[], basis: TwoQubitBasis): TwoQubitCircuit {
  const axis = basis === "ms" ? 0 : 2;
  const toAxis = [0, 1, 2].map(from => (from === axis ? I : turnOf(from, axis)));
  const locals: LocalPair[] = [NONE];
  angles.forEach((_, from) => {
    const turn: LocalPair = [toAxis[from]!, toAxis[from]!];
    locals[from] = times(turn, locals[from]!);
    locals.push(inverse(turn));
  });
  const params = (angle: number) => (basis === "ms" ? [0, 0, -2 * angle] : [-2 * angle]);
  return { locals, uses: angles.map(params) };
}

/** Returns the rotation that turns one axis into another, whose sign does not matter. */
function turnOf(from: number, to: number): Matrix {
  const about = 3 - from - to;
  return [rotationX, rotationY, rotationZ][about]!(PI / 2);
}

interface AroundCx {
  readonly straight: Surroundings;
  readonly exchanged: Surroundings;
}
const aroundCx = new Map<TwoQubitBasis, AroundCx>();

/** Returns the one-qubit unitaries that make a CX of the native gate, with its control on the first or second qubit. */
function cxOf(basis: TwoQubitBasis): AroundCx {
  return remembered(aroundCx, basis, () => {
    const native = matrixOf(nativeGate(basis), []);
    const around = (matrix: Matrix) => surroundings(weylDecomposition(matrix), native);
    const matrix = matrixOf(nativeGate("cx"), []);
    return { straight: around(matrix), exchanged: around(exchangeQubits(matrix)) };
  });
}

/** One-qubit unitaries on both qubits, before and after another gate. */
interface Surroundings {
  readonly before: LocalPair;
  readonly after: LocalPair;
}

const TOLERANCE = 1e-12;
const [S, H] = ["s", "h"].map(name => matrixOf(standardGate(name), [])) as [Matrix, Matrix];
const HS = multiply(H, S);
/** One-qubit Clifford gates, one for each way to exchange the axes; Pauli gates pass through Clifford gates to the other side. */
const AXES: readonly Matrix[] = [I, S, H, multiply(S, H), HS, multiply(HS, H)];

/**
 * Returns one-qubit gates around a gate that make it a Clifford gate, but for a phase, without any angle that is no
 * multiple of π/2: a KAK decomposition leaves angles free where the gate is one of several axes that are alike, as a
 * swap is. Undefined where the unitary is no Clifford gate, or that gate is not one.
 */
function cliffordLocals(unitary: Matrix, gate: Matrix): Surroundings | undefined {
  if (!hasQuarterPhases(unitary)) return undefined;
  const inverse = adjoint(gate);
  for (const first of AXES)
    for (const second of AXES) {
      const rest = multiply(multiply(unitary, kron(adjoint(first), adjoint(second))), inverse);
      const after = factorPair(rest);
      if (distanceUpToPhase(kron(...after), rest) < TOLERANCE) return { before: [first, second], after };
    }
  return undefined;
}

/** Whether the entries of a matrix that are not 0 differ only by factors of i, as those of Clifford gates do. */
function hasQuarterPhases(m: Matrix): boolean {
  // The largest entry of a row of four has a modulus of at least 1/2.
  const at = 2 * [0, 1, 2, 3].findIndex(i => Math.hypot(m[2 * i]!, m[2 * i + 1]!) > 0.49);
  const [re, im] = [m[at]!, m[at + 1]!];
  const isZero = (value: number) => Math.abs(value) < TOLERANCE;
  for (let i = 0; i < m.length; i += 2) {
    const [x, y] = [m[i]! * re + m[i + 1]! * im, m[i + 1]! * re - m[i]! * im];
    if (isZero(x) && isZero(y)) continue;
    if (!(isZero(x) || isZero(y)) || !isZero(Math.hypot(x, y) - re * re - im * im)) return false;
  }
  return true;
}

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
