import type { ElementaryGate } from "../circuit/gate.ts";
import { type Unitary, unitaryOf } from "../circuit/unitary.ts";

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
export function transferMatrixOfOperators(operators: readonly Unitary[]): PauliTransferMatrix {
  const numQubits = Math.log2(operators[0]!.size);
  const size = 4 ** numQubits;
  const actions = Array.from({ length: size }, (_, pauli) => actionOf(pauli, numQubits));
  const entries = new Float64Array(size * size);
  actions.forEach((from, column) => {
    for (const operator of operators) {
      const image = conjugate(operator, from);
      actions.forEach((to, row) => {
        entries[row * size + column]! += overlap(image, to, from.numY + to.numY) / operator.size;
      });
    }
  });
  return { size, entries };
}

/** Returns `U·P·U†`, without the factors i of P. */
function conjugate({ size, re, im }: Unitary, { flips, signs }: PauliAction): Unitary {
  const out = { size, re: new Float64Array(size * size), im: new Float64Array(size * size) };
  for (let middle = 0; middle < size; middle++) {
    const own = sign(middle & signs);
    for (let row = 0; row < size; row++) {
      const a = own * re[row * size + (middle ^ flips)]!;
      const b = own * im[row * size + (middle ^ flips)]!;
      if (a === 0 && b === 0) continue;
      for (let column = 0; column < size; column++) {
        const x = re[column * size + middle]!;
        const y = im[column * size + middle]!;
        out.re[row * size + column]! += a * x + b * y;
        out.im[row * size + column]! += b * x - a * y;
      }
    }
  }
  return out;
}

/** Returns the real part of `i^power·Tr(P·A)`, with P without its factors i. */
function overlap({ size, re, im }: Unitary, { flips, signs }: PauliAction, power: number): number {
  let [x, y] = [0, 0];
  for (let i = 0; i < size; i++) {
    const own = sign(i & signs);
    x += own * re[i * size + (i ^ flips)]!;
    y += own * im[i * size + (i ^ flips)]!;
  }
  return [x, -y, -x, y][power % 4]!;
}
