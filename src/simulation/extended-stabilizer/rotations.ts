import type { CliffordTarget } from "../circuit/clifford.ts";
import { applyElementary, type Control, eulerAngles, type Primitive } from "../circuit/primitives.ts";
import type { Matrix } from "../linear-algebra/matrix.ts";
import { axisAngleOf, X } from "../linear-algebra/one-qubit.ts";

/** Maximum distance of an angle from a multiple of π/2. */
const TOLERANCE = 1e-9;

/** Target of lowered gates: Clifford gates, and rotations `exp(-i·angle/2·Z…Z)`. */
interface RotationTarget {
  readonly clifford: CliffordTarget;
  /** Rotates about the product of Z on some qubits. */
  rotate(qubits: readonly number[], angle: number): void;
}

/** Lowers a gate of one step to Clifford gates and rotations, up to the phase of the whole state. */
export function lowerToRotations({ gate, params, qubits }: Primitive, target: RotationTarget): void {
  applyElementary(gate, params, 0, qubits, 0, {
    phase: (controls, angle) => applyPhase(angle, controls, target),
    exchange: (controls, a, b) => {
      target.clifford.cx(b, a);
      applyMatrix(X, [...controls, { qubit: a, value: 1 }], b, target);
      target.clifford.cx(b, a);
    },
    multiply: (controls, qubit, m) => applyMatrix(m, controls, qubit, target),
  });
}

/** Multiplies by a phase where all controls have their values. */
function applyPhase(angle: number, controls: readonly Control[], target: RotationTarget): void {
  const negative = controls.filter(({ value }) => !value);
  for (const { qubit } of negative) target.clifford.x(qubit);
  const share = (-2 * angle) / 2 ** controls.length;
  for (let subset = 1; subset < 2 ** controls.length; subset++) {
    const chosen = controls.filter((_, i) => (subset >> i) & 1).map(({ qubit }) => qubit);
    target.rotate(chosen, chosen.length % 2 === 1 ? -share : share);
  }
  for (const { qubit } of negative) target.clifford.x(qubit);
}

/** Applies a unitary matrix where all controls have their values, as phases between a change of basis and its inverse. */
function applyMatrix(m: Matrix, controls: readonly Control[], qubit: number, target: RotationTarget): void {
  if (controls.length === 0) {
    const { theta, phi, lambda } = eulerAngles(m);
    rotateZ(lambda, qubit, target);
    rotateY(theta, qubit, target);
    rotateZ(phi, qubit, target);
    return;
  }
  const { theta, phi, zero, one } = eigenbasis(m);
  rotateZ(-phi, qubit, target);
  rotateY(-theta, qubit, target);
  applyPhase(zero, controls, target);
  applyPhase(one - zero, [...controls, { qubit, value: 1 }], target);
  rotateY(theta, qubit, target);
  rotateZ(phi, qubit, target);
}

function rotateZ(angle: number, qubit: number, target: RotationTarget): void {
  const quarters = Math.round(angle / (Math.PI / 2));
  if (Math.abs(angle - (quarters * Math.PI) / 2) > TOLERANCE) target.rotate([qubit], angle);
  else {
    if (quarters & 2) target.clifford.z(qubit);
    if (quarters & 1) target.clifford.s(qubit);
  }
}

/** Rotates about Y, which is Z in the basis that H and S make. */
function rotateY(angle: number, qubit: number, target: RotationTarget): void {
  if (Math.abs(angle) < TOLERANCE) return;
  target.clifford.z(qubit);
  target.clifford.s(qubit);
  target.clifford.h(qubit);
  rotateZ(angle, qubit, target);
  target.clifford.h(qubit);
  target.clifford.s(qubit);
}

/**
 * Returns the eigenvectors of a unitary matrix as what `Rz(phi)·Ry(theta)` makes of 0 and 1, and the phases of its
 * eigenvalues.
 */
function eigenbasis(m: Matrix): { theta: number; phi: number; zero: number; one: number } {
  const { alpha, beta, x, y, z } = axisAngleOf(m);
  const theta = Math.atan2(Math.hypot(x, y), z);
  const phi = Math.hypot(x, y) < TOLERANCE ? 0 : Math.atan2(y, x);
  return { theta, phi, zero: alpha - beta, one: alpha + beta };
}
