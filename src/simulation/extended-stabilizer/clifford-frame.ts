import { popcount, Tableau } from "../stabilizer/tableau.ts";

/**
 * The Clifford gate U of a state U|φ⟩. Gates of {@link Tableau} multiply it from the left; those here, which are done to
 * φ too, from the right by their inverse, so the state stays as it is.
 */
export class CliffordFrame extends Tableau {
  override copy(): CliffordFrame {
    return this.copyInto(new CliffordFrame(this.numQubits));
  }

  /** Returns U†·Z·U for Z of a qubit: what a measurement of the qubit measures of φ. */
  imageOfZ(qubit: number): PauliString {
    const row = this.zRows[qubit]!;
    const at = 2 * row * this.words;
    return {
      x: this.bits.slice(at, at + this.words),
      z: this.bits.slice(at + this.words, at + 2 * this.words),
      sign: this.signs[row]!,
    };
  }

  /** Takes up an H that is done to a qubit of φ. */
  innerH(qubit: number): void {
    this.#eachRow(qubit, (row, xAt, zAt, bit) => {
      const x = this.bits[xAt]! & bit;
      const z = this.bits[zAt]! & bit;
      if (x && z) this.signs[row]! ^= 1;
      this.bits[xAt] = (this.bits[xAt]! & ~bit) | z;
      this.bits[zAt] = (this.bits[zAt]! & ~bit) | x;
    });
  }

  /** Takes up an inverse S that is done to a qubit of φ. */
  innerSdg(qubit: number): void {
    this.#eachRow(qubit, (row, xAt, zAt, bit) => {
      if ((this.bits[xAt]! & bit) === 0) return;
      if ((this.bits[zAt]! & bit) === 0) this.signs[row]! ^= 1;
      this.bits[zAt]! ^= bit;
    });
  }

  /** Takes up an X that is done to a qubit of φ. */
  innerX(qubit: number): void {
    this.#eachRow(qubit, (row, _xAt, zAt, bit) => {
      if (this.bits[zAt]! & bit) this.signs[row]! ^= 1;
    });
  }

  /** Takes up a CX that is done to two qubits of φ. */
  innerCx(control: number, target: number): void {
    const n = this.words;
    this.#eachRow(control, (row, xAt, zAt, bit) => {
      const at = 2 * row * n + (target >> 5);
      const targetBit = 1 << (target & 31);
      const [xc, zc] = [(this.bits[xAt]! & bit) !== 0, (this.bits[zAt]! & bit) !== 0];
      const [xt, zt] = [(this.bits[at]! & targetBit) !== 0, (this.bits[at + n]! & targetBit) !== 0];
      if (xc && zt && xt === zc) this.signs[row]! ^= 1;
      if (xc) this.bits[at]! ^= targetBit;
      if (zt) this.bits[zAt]! ^= bit;
    });
  }

  /** Takes up a Pauli string on other qubits of φ that is done to it where one qubit, on which it does not act, is 1. */
  innerControlled(control: number, { x, z, sign }: PauliString): void {
    const n = this.words;
    const { bits } = this;
    this.#eachRow(control, (row, xAt, zAt, bit) => {
      const start = 2 * row * n;
      let anticommuting = 0;
      for (let word = 0; word < n; word++)
        anticommuting ^= (bits[start + word]! & z[word]!) ^ (bits[start + n + word]! & x[word]!);
      const anticommutes = popcount(anticommuting) & 1;
      if (bits[xAt]! & bit) {
        let power = 2 * sign;
        for (let word = 0; word < n; word++) {
          power += productPower(bits[start + word]!, bits[start + n + word]!, x[word]!, z[word]!);
          bits[start + word]! ^= x[word]!;
          bits[start + n + word]! ^= z[word]!;
        }
        // (X or Y)·Z of the control is -iY or iX, and the string comes before the row that it does not commute with.
        if (anticommutes) power += 2 + (bits[zAt]! & bit ? 1 : 3);
        this.signs[row]! ^= (power >> 1) & 1;
      }
      if (anticommutes) bits[zAt]! ^= bit;
    });
  }

  /** Calls back for each row with the words and the bit of a qubit. */
  #eachRow(qubit: number, visit: (row: number, xAt: number, zAt: number, bit: number) => void): void {
    const bit = 1 << (qubit & 31);
    const n = this.words;
    for (let row = 0; row < 2 * this.numQubits; row++) {
      const xAt = 2 * row * n + (qubit >> 5);
      visit(row, xAt, xAt + n, bit);
    }
  }
}

/** Returns a Pauli string without what it has on one qubit. */
export function withoutQubit({ x, z, sign }: PauliString, qubit: number): PauliString {
  const [restX, restZ] = [x.slice(), z.slice()];
  restX[qubit >> 5]! &= ~(1 << (qubit & 31));
  restZ[qubit >> 5]! &= ~(1 << (qubit & 31));
  return { x: restX, z: restZ, sign };
}

/** Whether a Pauli string has a Y on a qubit. */
export const hasY = ({ x, z }: PauliString, qubit: number): boolean =>
  (bitAt(x, qubit) & bitAt(z, qubit)) === 1;

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
function productPower(ax: number, az: number, bx: number, bz: number): number {
  const anticommuting = (ax & bz) ^ (az & bx);
  const negative = anticommuting & ((ax & ~(az ^ bx)) | (~ax & az & bz));
  return popcount(anticommuting) + 2 * popcount(negative);
}
