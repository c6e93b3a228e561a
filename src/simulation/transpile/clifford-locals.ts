import { adjoint, distanceUpToPhase, kron, type Matrix, multiply } from "../linear-algebra/matrix.ts";
import { I, matrix2 } from "../linear-algebra/one-qubit.ts";
import { factorPair, type LocalPair } from "./local-pair.ts";

/** One-qubit unitaries on both qubits, before and after another gate. */
export interface Surroundings {
  readonly before: LocalPair;
  readonly after: LocalPair;
}

const { SQRT1_2 } = Math;
const TOLERANCE = 1e-9;
const S = matrix2(1, 0, 0, 0, 0, 0, 0, 1);
const H = matrix2(SQRT1_2, 0, SQRT1_2, 0, SQRT1_2, 0, -SQRT1_2, 0);
const HS = multiply(H, S);
/** One-qubit Clifford gates, one for each way to exchange the axes; Pauli gates pass through Clifford gates to the other side. */
const AXES: readonly Matrix[] = [I, S, H, multiply(S, H), HS, multiply(HS, H)];

/**
 * Returns one-qubit gates around a gate that make it a Clifford gate, but for a phase, without any angle that is no
 * multiple of π/2: a KAK decomposition leaves angles free where the gate is one of several axes that are alike, as a
 * swap is. Undefined where the unitary is no Clifford gate, or that gate is not one.
 */
export function cliffordLocals(unitary: Matrix, gate: Matrix): Surroundings | undefined {
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

/** Whether the entries of a matrix that are not 0 differ by factors of i alone, as those of Clifford gates do. */
function hasQuarterPhases(m: Matrix): boolean {
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
