import type { Circuit } from "../circuit/circuit.ts";
import { unitaryOf } from "../circuit/unitary.ts";
import { SimulationError } from "../errors.ts";
import { innerProduct, type Matrix, sizeOf, transpose } from "../linear-algebra/matrix.ts";
import { gateOf } from "./modify-circuit.ts";

/** Maximum number of qubits of a matrix: one of 16 MB. */
const MAX_UNITARY_QUBITS = 10;
/** Infidelity below which two states count as the same. */
const TOLERANCE = 1e-12;

/** An input on which two circuits differ, as basis states in equal superposition, and the fidelity of their outputs. */
export interface CircuitDifference {
  readonly input: readonly number[];
  readonly fidelity: number;
}

/**
 * Returns the matrix of a circuit of gates: row by row, with the first qubit as the lowest bit of an index.
 * Throws a {@link SimulationError} for other statements, and for more than 10 qubits.
 */
export function unitaryOfCircuit(circuit: Circuit): Matrix {
  if (circuit.numQubits > MAX_UNITARY_QUBITS)
    throw new SimulationError(
      `The matrix of ${circuit.numQubits} qubits is too large: the limit is ${MAX_UNITARY_QUBITS} qubits.`,
    );
  return unitaryOf(gateOf(circuit, "program"), []);
}

/** Returns an input on which two circuits differ; null if they are equal up to a global phase. */
export function differenceOf(a: Circuit, b: Circuit): CircuitDifference | null {
  if (a.numQubits !== b.numQubits)
    throw new SimulationError(
      `The programs have ${a.numQubits} and ${b.numQubits} qubits. Only programs with the same number of qubits can be compared.`,
    );
  const [x, y] = [transpose(unitaryOfCircuit(a)), transpose(unitaryOfCircuit(b))];
  const size = sizeOf(x);
  const output = (m: Matrix, state: number) => m.subarray(2 * size * state, 2 * size * (state + 1));
  const overlap = (state: number) => innerProduct(output(x, state), output(y, state));
  const first = overlap(0);
  for (let state = 0; state < size; state++) {
    const own = overlap(state);
    const alone = Math.hypot(...own) ** 2;
    const both = Math.hypot(first[0] + own[0], first[1] + own[1]) ** 2 / 4;
    if (alone < 1 - TOLERANCE) return { input: [state], fidelity: alone };
    if (both < 1 - TOLERANCE) return { input: [0, state], fidelity: both };
  }
  return null;
}
