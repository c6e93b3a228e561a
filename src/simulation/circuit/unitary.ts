import { identity, type Matrix, sizeOf } from "../linear-algebra/matrix.ts";
import { matrix2, X } from "../linear-algebra/one-qubit.ts";
import type { Gate } from "./gate.ts";
import { applyElementary, type Control, visitPrimitives } from "./primitives.ts";

export function unitaryOf(gate: Gate, params: readonly number[]): Matrix {
  const matrix = identity(2 ** gate.numQubits);
  visitPrimitives(gate, params, [...Array(gate.numQubits).keys()], step => {
    applyElementary(step.gate, step.params, 0, step.qubits, 0, {
      phase: (controls, angle) => {
        const [c, s] = [Math.cos(angle), Math.sin(angle)];
        multiplyRows(matrix, controls, 0, 0, matrix2(c, s, 0, 0, 0, 0, c, s));
      },
      exchange: (controls, a, b) => multiplyRows(matrix, controls, 1 << a, 1 << b, X),
      multiply: (controls, qubit, m) => multiplyRows(matrix, controls, 0, 1 << qubit, m),
    });
  });
  return matrix;
}

/**
 * Multiplies pairs of rows of a matrix by a 2×2 matrix: those in which the bits of `set` are 1 and those of `clear` are 0,
 * each with the one in which it is the other way around.
 */
function multiplyRows(
  matrix: Matrix,
  controls: readonly Control[],
  set: number,
  clear: number,
  m: Matrix,
): void {
  const size = sizeOf(matrix);
  for (let row = 0; row < size; row++) {
    if ((row & (set | clear)) !== set) continue;
    if (!controls.every(({ qubit, value }) => ((row >> qubit) & 1) === value)) continue;
    const other = row ^ (set | clear);
    for (let column = 0; column < size; column++) {
      const [p, q] = [2 * (row * size + column), 2 * (other * size + column)];
      const [a, b, x, y] = [matrix[p]!, matrix[p + 1]!, matrix[q]!, matrix[q + 1]!];
      matrix[p] = m[0]! * a - m[1]! * b + m[2]! * x - m[3]! * y;
      matrix[p + 1] = m[0]! * b + m[1]! * a + m[2]! * y + m[3]! * x;
      matrix[q] = m[4]! * a - m[5]! * b + m[6]! * x - m[7]! * y;
      matrix[q + 1] = m[4]! * b + m[5]! * a + m[6]! * y + m[7]! * x;
    }
  }
}
