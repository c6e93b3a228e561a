import { adjoint2, type Matrix2, matrix2, multiply2 } from "../circuit/matrix.ts";
import {
  adjoint4,
  distanceUpToPhase,
  factored,
  kron,
  type LocalPair,
  type Matrix4,
  multiply4,
} from "./matrix4.ts";

/** One-qubit unitaries on both qubits, before and after another gate. */
export interface Surroundings {
  readonly before: LocalPair;
  readonly after: LocalPair;
}

const { SQRT1_2 } = Math;
const TOLERANCE = 1e-9;
const I = matrix2(1, 0, 0, 0, 0, 0, 1, 0);
const S = matrix2(1, 0, 0, 0, 0, 0, 0, 1);
const H = matrix2(SQRT1_2, 0, SQRT1_2, 0, SQRT1_2, 0, -SQRT1_2, 0);
const HS = multiply2(H, S);
/** One-qubit Clifford gates, one for each way to exchange the axes; Pauli gates pass through Clifford gates to the other side. */
const AXES: readonly Matrix2[] = [I, S, H, multiply2(S, H), HS, multiply2(HS, H)];

/**
 * Returns one-qubit gates around a gate that make it a Clifford gate, but for a phase, without any angle that is no
 * multiple of π/2: a KAK decomposition leaves angles free where the gate is one of several axes that are alike, as a
 * swap is. Undefined where the unitary is no Clifford gate, or that gate is not one.
 */
export function cliffordLocals(unitary: Matrix4, gate: Matrix4): Surroundings | undefined {
  if (!hasQuarterPhases(unitary)) return undefined;
  const inverse = adjoint4(gate);
  for (const first of AXES)
    for (const second of AXES) {
      const rest = multiply4(multiply4(unitary, kron([adjoint2(first), adjoint2(second)])), inverse);
      const after = factored(rest);
      if (distanceUpToPhase(kron(after), rest) < TOLERANCE) return { before: [first, second], after };
    }
  return undefined;
}

/** Whether the entries of a matrix that are not 0 differ by factors of i alone, as those of Clifford gates do. */
function hasQuarterPhases(m: Matrix4): boolean {
  const at = 2 * [0, 1, 2, 3].findIndex(i => Math.hypot(m[2 * i]!, m[2 * i + 1]!) > TOLERANCE);
  const [re, im] = [m[at]!, m[at + 1]!];
  const isZero = (value: number) => Math.abs(value) < TOLERANCE;
  for (let i = 0; i < m.length; i += 2) {
    const [x, y] = [m[i]! * re + m[i + 1]! * im, m[i + 1]! * re - m[i]! * im];
    if (isZero(x) && isZero(y)) continue;
    if (!(isZero(x) || isZero(y)) || !isZero(Math.hypot(x, y) - re * re - im * im)) return false;
  }
  return true;
}
