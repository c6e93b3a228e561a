import { identity, type Matrix, sizeOf } from "../linear-algebra/matrix.ts";
import type { Gate } from "./gate.ts";
import { type Primitive, visitPrimitives } from "./primitives.ts";

/** Returns the matrix of a gate. */
export function unitaryOf(gate: Gate, params: readonly number[]): Matrix {
  const matrix = identity(2 ** gate.numQubits);
  visitPrimitives(gate, params, [...Array(gate.numQubits).keys()], step => {
    multiplyInto(matrix, step);
  });
  return matrix;
}

/** Multiplies a matrix from the left by a gate of one step. */
function multiplyInto(matrix: Matrix, { gate, params, qubits }: Primitive): void {
  const size = sizeOf(matrix);
  const isOn = (row: number) =>
    gate.controls.every((polarity, i) => ((row >> qubits[i]!) & 1) === (polarity ? 1 : 0));
  const [first, second] = qubits.slice(gate.controls.length).map(qubit => 1 << qubit);
  const m = gate.kind === "matrix" ? gate.matrix(params, 0) : null;
  const angle = gate.kind === "phase" ? gate.scale * params[0]! : 0;
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  for (let row = 0; row < size; row++) {
    if (!isOn(row)) continue;
    if (gate.kind === "phase") {
      for (let at = 2 * row * size; at < 2 * (row + 1) * size; at += 2) {
        const [x, y] = [matrix[at]!, matrix[at + 1]!];
        matrix[at] = x * c - y * s;
        matrix[at + 1] = x * s + y * c;
      }
      continue;
    }
    const isFirst =
      gate.kind === "swap" ? (row & first!) !== 0 && (row & second!) === 0 : (row & first!) === 0;
    if (!isFirst) continue;
    const other = gate.kind === "swap" ? row ^ first! ^ second! : row | first!;
    for (let column = 0; column < size; column++) {
      const [p, q] = [2 * (row * size + column), 2 * (other * size + column)];
      const [a, b, x, y] = [matrix[p]!, matrix[p + 1]!, matrix[q]!, matrix[q + 1]!];
      if (m) {
        matrix[p] = m[0]! * a - m[1]! * b + m[2]! * x - m[3]! * y;
        matrix[p + 1] = m[0]! * b + m[1]! * a + m[2]! * y + m[3]! * x;
        matrix[q] = m[4]! * a - m[5]! * b + m[6]! * x - m[7]! * y;
        matrix[q + 1] = m[4]! * b + m[5]! * a + m[6]! * y + m[7]! * x;
      } else [matrix[p], matrix[p + 1], matrix[q], matrix[q + 1]] = [x, y, a, b];
    }
  }
}
