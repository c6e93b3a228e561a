import type { ElementaryGate } from "../circuit/gate.ts";
import { unitaryOf } from "../circuit/unitary.ts";
import { adjoint, type Matrix, multiply, sizeOf } from "../linear-algebra/matrix.ts";

/**
 * A Pauli transfer matrix, which acts on the expectation values of `size` Pauli operators: numbered by two bits a
 * qubit, the first qubit lowest (0 I, 1 X, 2 Y, 3 Z). Row-major.
 */
export interface PauliTransferMatrix {
  readonly size: number;
  readonly entries: Float64Array;
}

/** The basis state that a Pauli operator maps a basis state to, and its sign; a factor i for each Y is left out. */
interface PauliAction {
  readonly flips: number;
  readonly signs: number;
  readonly numY: number;
}

function actionOf(pauli: number, numQubits: number): PauliAction {
  let [flips, signs, numY] = [0, 0, 0];
  for (let qubit = 0; qubit < numQubits; qubit++) {
    const digit = (pauli >> (2 * qubit)) & 3;
    if (digit === 1 || digit === 2) flips |= 1 << qubit;
    if (digit >= 2) signs |= 1 << qubit;
    if (digit === 2) numY++;
  }
  return { flips, signs, numY };
}

function sign(bits: number): number {
  let odd = 0;
  for (let rest = bits; rest !== 0; rest &= rest - 1) odd ^= 1;
  return odd ? -1 : 1;
}

/** Returns the identity. */
export function identityTransferMatrix(numQubits: number): PauliTransferMatrix {
  const size = 4 ** numQubits;
  const entries = new Float64Array(size * size);
  for (let i = 0; i < size; i++) entries[i * size + i] = 1;
  return { size, entries };
}

/** Returns the Pauli transfer matrix of a gate: `Tr(P·U·Q·U†) / 2^n` in the row of P and the column of Q. */
export function transferMatrixOf(gate: ElementaryGate, params: readonly number[]): PauliTransferMatrix {
  return transferMatrixOfOperators([unitaryOf(gate, params)]);
}

/** Returns the Pauli transfer matrix of a channel that is given by its Kraus operators. */
export function transferMatrixOfOperators(operators: readonly Matrix[]): PauliTransferMatrix {
  const numQubits = Math.log2(sizeOf(operators[0]!));
  const size = 4 ** numQubits;
  const actions = Array.from({ length: size }, (_, pauli) => actionOf(pauli, numQubits));
  const entries = new Float64Array(size * size);
  actions.forEach((from, column) => {
    for (const operator of operators) {
      const image = conjugate(operator, from);
      actions.forEach((to, row) => {
        entries[row * size + column]! += overlap(image, to, from.numY + to.numY) / sizeOf(operator);
      });
    }
  });
  return { size, entries };
}

/** Returns `U·P·U†`, without the factors i of P. */
function conjugate(u: Matrix, { flips, signs }: PauliAction): Matrix {
  const size = sizeOf(u);
  const product = u.map((_, i) => {
    const column = (i >> 1) % size;
    return sign(column & signs) * u[i + 2 * ((column ^ flips) - column)]!;
  });
  return multiply(product, adjoint(u));
}

/** Returns the real part of `i^power·Tr(P·A)`, with P without its factors i. */
function overlap(a: Matrix, { flips, signs }: PauliAction, power: number): number {
  const size = sizeOf(a);
  let [x, y] = [0, 0];
  for (let i = 0; i < size; i++) {
    const at = 2 * (i * size + (i ^ flips));
    const own = sign(i & signs);
    x += own * a[at]!;
    y += own * a[at + 1]!;
  }
  return [x, -y, -x, y][power % 4]!;
}
