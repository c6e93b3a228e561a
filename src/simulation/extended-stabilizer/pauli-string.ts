import { popcount } from "../stabilizer/parity.ts";

/** A Hermitian product of Pauli matrices, one a qubit: X where the bit of `x` is 1, Z where that of `z` is, Y for both. */
export interface PauliString {
  readonly x: Int32Array;
  readonly z: Int32Array;
  /** 1 where it is negative. */
  readonly sign: number;
}

/** Returns the bit of a qubit. */
export const bitAt = (words: Int32Array, qubit: number): number => (words[qubit >> 5]! >>> (qubit & 31)) & 1;

/** Returns the qubits whose bits are 1 in either of two lists, ascending. */
export function qubitsIn(a: Int32Array, b: Int32Array): number[] {
  const qubits: number[] = [];
  a.forEach((word, at) => {
    for (let rest = word | b[at]!; rest !== 0; rest &= rest - 1)
      qubits.push(32 * at + 31 - Math.clz32(rest & -rest));
  });
  return qubits;
}

/** Returns the product of two Pauli strings that commute. */
export function multiplyPaulis(a: PauliString, b: PauliString): PauliString {
  const { x, z, power } = product(a.x, a.z, b.x, b.z);
  return { x, z, sign: (a.sign ^ b.sign ^ (power >> 1)) & 1 };
}

/** Returns the product of two strings without their signs, and its power of i. */
function product(ax: Int32Array, az: Int32Array, bx: Int32Array, bz: Int32Array) {
  const x = new Int32Array(ax.length);
  const z = new Int32Array(ax.length);
  let power = 0;
  for (let word = 0; word < ax.length; word++) {
    power += productPower(ax[word]!, az[word]!, bx[word]!, bz[word]!);
    x[word] = ax[word]! ^ bx[word]!;
    z[word] = az[word]! ^ bz[word]!;
  }
  return { x, z, power: power & 3 };
}

/** Returns the power of i of the product of 32 pairs of Pauli matrices. */
export function productPower(ax: number, az: number, bx: number, bz: number): number {
  const anticommuting = (ax & bz) ^ (az & bx);
  const negative = anticommuting & ((ax & ~(az ^ bx)) | (~ax & az & bz));
  return popcount(anticommuting) + 2 * popcount(negative);
}
