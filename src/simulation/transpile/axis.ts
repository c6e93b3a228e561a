import { type Matrix2, matrix2 } from "../circuit/matrix.ts";
import { kron, type Matrix4, multiply4 } from "./matrix4.ts";
import type { Operation } from "./operation.ts";

/** The Pauli axis about which a gate turns a qubit, so that it commutes with what turns it about the same. */
export const AXIS = { none: 0, x: 1, y: 2, z: 3, any: 4 } as const;

const ONE = matrix2(1, 0, 0, 0, 0, 0, 1, 0);
const PAULIS = [
  matrix2(0, 0, 1, 0, 1, 0, 0, 0),
  matrix2(0, 0, 0, -1, 0, 1, 0, 0),
  matrix2(1, 0, 0, 0, 0, 0, -1, 0),
];
const TOLERANCE = 1e-9;

const ON_FIRST = PAULIS.map(pauli => kron([pauli, ONE]));
const ON_SECOND = PAULIS.map(pauli => kron([ONE, pauli]));
const known = new WeakMap<Float64Array, readonly number[]>();

/** Returns the axis of an operation for each of its qubits. */
export function axesOf(operation: Operation): readonly number[] {
  if (operation.kind !== "one-qubit" && operation.kind !== "two-qubit")
    return operation.qubits.map(() => AXIS.none);
  const { matrix } = operation;
  let axes = known.get(matrix);
  if (!axes) {
    axes =
      operation.kind === "one-qubit"
        ? [axisOfOne(matrix)]
        : [axisOfTwo(matrix, ON_FIRST), axisOfTwo(matrix, ON_SECOND)];
    known.set(matrix, axes);
  }
  return axes;
}

/** Whether two axes let their gates commute. */
export const canShare = (a: number, b: number): boolean =>
  a !== AXIS.none && b !== AXIS.none && (a === b || a === AXIS.any || b === AXIS.any);

function axisOfOne(m: Matrix2): number {
  const [x, y, z] = blochAxis(m);
  const isZero = (value: number) => Math.abs(value) < TOLERANCE;
  if (isZero(x) && isZero(y)) return isZero(z) ? AXIS.any : AXIS.z;
  if (isZero(z)) return isZero(y) ? AXIS.x : isZero(x) ? AXIS.y : AXIS.none;
  return AXIS.none;
}

/** Returns the moduli of the Pauli matrices' parts in a unitary. */
export function blochAxis(m: Matrix2): readonly [number, number, number] {
  return [
    Math.hypot(m[2]! + m[4]!, m[3]! + m[5]!) / 2,
    Math.hypot(m[2]! - m[4]!, m[3]! - m[5]!) / 2,
    Math.hypot(m[0]! - m[6]!, m[1]! - m[7]!) / 2,
  ];
}

function axisOfTwo(m: Matrix4, paulis: readonly Matrix4[]): number {
  const commuting = paulis.flatMap((pauli, i) => (commute(m, pauli) ? [i] : []));
  return commuting.length === 3 ? AXIS.any : commuting.length === 1 ? commuting[0]! + 1 : AXIS.none;
}

function commute(a: Matrix4, b: Matrix4): boolean {
  const [left, right] = [multiply4(a, b), multiply4(b, a)];
  return left.every((value, i) => Math.abs(value - right[i]!) < TOLERANCE);
}
