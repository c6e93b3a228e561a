import { constant } from "../circuit/expression.ts";
import { compositeGate, type Gate, type GateStep } from "../circuit/gate.ts";
import { eulerAngles } from "../circuit/primitives.ts";
import { GPHASE, standardGate, U3 } from "../circuit/standard.ts";
import { gateOfUnitary } from "../circuit/two-level.ts";
import { FLOAT } from "../circuit/values/types.ts";
import { innerProduct, type Matrix, sizeOf } from "../linear-algebra/matrix.ts";
import { principal } from "../linear-algebra/one-qubit.ts";
import { circuitMatrix, synthesize } from "../transpile/two-qubit-synthesis.ts";
import { weylDecomposition } from "../transpile/weyl.ts";

/** Maximum number of qubits of a gate that is given by its matrix. */
const MAX_QUBITS = 5;
/** Entries are often written with two digits: products of rows may differ so far from 0 and 1. */
const ROUNDING = 0.02;

/**
 * Returns a gate by its unitary matrix: on two qubits of at most three CNOTs with gates on one qubit around them, on more
 * of a step per pair of basis states. Throws a RangeError for a matrix that is not unitary, and for too many qubits.
 */
export function unitaryGate(given: Matrix): Gate {
  const numQubits = Math.log2(sizeOf(given));
  if (numQubits > MAX_QUBITS) throw new RangeError(`a matrix has at most ${MAX_QUBITS} qubits.`);
  const unitary = orthonormalized(given);
  if (numQubits > 2)
    return gateOfUnitary({ name: "unitary", numParams: 0, numQubits, diagonal: false }, () =>
      unitary.slice(),
    );
  const steps: GateStep[] = [];
  let phase = 0;
  const add = (gate: Gate, params: readonly number[], qubits: readonly number[]) =>
    steps.push({ gate, params: params.map(param => constant(FLOAT, param)), qubits });
  const rotate = (matrix: Matrix, qubit: number) => {
    const { theta, phi, lambda, gamma } = eulerAngles(matrix);
    phase += gamma - theta / 2;
    if (Math.hypot(theta, phi, lambda) > 0) add(U3, [theta, phi, lambda], [qubit]);
  };
  if (numQubits === 1) rotate(unitary, 0);
  else {
    const circuit = synthesize(weylDecomposition(unitary), "cx");
    const [re, im] = innerProduct(circuitMatrix(circuit, "cx"), unitary);
    phase = Math.atan2(im, re);
    circuit.locals.forEach((pair, i) => {
      if (i > 0) add(standardGate("cx"), [], [0, 1]);
      pair.forEach(rotate);
    });
  }
  if (Math.abs(Math.sin(phase / 2)) > 1e-15) add(GPHASE, [principal(phase)], []);
  return compositeGate("unitary", 0, numQubits, steps);
}

/**
 * Returns a unitary matrix without the rounding errors of its entries, by the method of Gram and Schmidt. Throws a RangeError for
 * a matrix that is not unitary.
 */
export function orthonormalized(given: Matrix): Matrix {
  const unitary = given.slice();
  const width = 2 * sizeOf(unitary);
  const rows = Array.from({ length: width / 2 }, (_, i) => unitary.subarray(i * width, (i + 1) * width));
  rows.forEach((row, i) => {
    for (const other of rows.slice(0, i)) {
      const [re, im] = innerProduct(other, row);
      if (!(Math.hypot(re, im) < ROUNDING)) throw notUnitary();
      for (let k = 0; k < width; k += 2) {
        const [x, y] = [other[k]!, other[k + 1]!];
        row[k]! -= re * x - im * y;
        row[k + 1]! -= re * y + im * x;
      }
    }
    const norm = Math.hypot(...row);
    if (!(Math.abs(norm - 1) < ROUNDING)) throw notUnitary();
    row.forEach((part, k) => {
      row[k] = part / norm;
    });
  });
  return unitary;
}

const notUnitary = () =>
  new RangeError("the matrix is not unitary: its rows must have length 1 and be orthogonal to each other.");
