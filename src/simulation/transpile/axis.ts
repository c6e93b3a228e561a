import { kron, type Matrix, multiply } from "../linear-algebra/matrix.ts";
import { I, X, Y, Z } from "../linear-algebra/one-qubit.ts";
import type { Operation } from "./operation.ts";

/** The Pauli axis about which a gate turns a qubit, so it commutes with what turns it about the same. */
export const AXIS = { none: 0, x: 1, y: 2, z: 3, any: 4 } as const;

const PAULIS = [X, Y, Z];
const TOLERANCE = 1e-9;

const ON_FIRST = PAULIS.map(pauli => kron(pauli, I));
const ON_SECOND = PAULIS.map(pauli => kron(I, pauli));
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

function axisOfOne(m: Matrix): number {
  const [x, y, z] = blochAxis(m);
  const isZero = (value: number) => Math.abs(value) < TOLERANCE;
  if (isZero(x) && isZero(y)) return isZero(z) ? AXIS.any : AXIS.z;
  if (isZero(z)) return isZero(y) ? AXIS.x : isZero(x) ? AXIS.y : AXIS.none;
  return AXIS.none;
}

/** Returns the moduli of the Pauli matrices' parts in a unitary. */
function blochAxis(m: Matrix): readonly [number, number, number] {
  return [
    Math.hypot(m[2]! + m[4]!, m[3]! + m[5]!) / 2,
    Math.hypot(m[2]! - m[4]!, m[3]! - m[5]!) / 2,
    Math.hypot(m[0]! - m[6]!, m[1]! - m[7]!) / 2,
  ];
}

function axisOfTwo(m: Matrix, paulis: readonly Matrix[]): number {
  const commuting = paulis.flatMap((pauli, i) => (commute(m, pauli) ? [i] : []));
  return commuting.length === 3 ? AXIS.any : commuting.length === 1 ? commuting[0]! + 1 : AXIS.none;
}

function commute(a: Matrix, b: Matrix): boolean {
  const [left, right] = [multiply(a, b), multiply(b, a)];
  return left.every((value, i) => Math.abs(value - right[i]!) < TOLERANCE);
}
