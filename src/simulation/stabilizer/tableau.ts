import type { CliffordTarget } from "../circuit/clifford.ts";
import type { PauliString } from "../execution/quantum-state.ts";

/**
 * A stabilizer state, as the Clifford gate that makes it of zeros: for each qubit, what the inverse of that gate makes
 * of X and of Z. Gates multiply or exchange rows. What was measured with a random outcome is kept as further rows, which
 * stabilize the state besides the Z of zeros; only a measurement that does not commute with them changes the gate.
 */
export class Tableau implements CliffordTarget {
  readonly numQubits: number;
  protected readonly words: number;
  /** Rows of x bits, then z bits: two for each qubit, and then those of {@link Tableau.measure}. */
  protected bits: Int32Array;
  protected signs: Uint8Array;
  /** The row of each qubit's X, and of its Z. */
  protected readonly xRows: Int32Array;
  protected readonly zRows: Int32Array;
  /** Bits among the x bits of each measured row that no later one has, as their places in the row. */
  #pivots: number[] = [];
  /** The power of i by which each measured row is to be multiplied when all its X come before its Z. */
  #powers: number[] = [];
  /** Whether there were gates since the first of them was measured. */
  #isChanged = false;

  /** Makes the state in which each of the qubits is 0. */
  constructor(numQubits: number) {
    this.numQubits = numQubits;
    this.words = Math.ceil(numQubits / 32);
    this.bits = new Int32Array(4 * this.words * numQubits);
    this.signs = new Uint8Array(2 * numQubits);
    this.xRows = new Int32Array(numQubits);
    this.zRows = new Int32Array(numQubits);
    for (let qubit = 0; qubit < numQubits; qubit++) {
      this.xRows[qubit] = 2 * qubit;
      this.zRows[qubit] = 2 * qubit + 1;
      const bit = (1 << (qubit & 31)) >>> 0;
      this.bits[4 * qubit * this.words + (qubit >> 5)] = bit;
      this.bits[(4 * qubit + 3) * this.words + (qubit >> 5)] = bit;
    }
  }

  /** Bytes that a state of the given number of qubits takes up. */
  static bytes(numQubits: number): number {
    return 24 * numQubits * Math.ceil(numQubits / 32);
  }

  /** Returns an independent copy. */
  copy(): Tableau {
    return this.copyInto(new Tableau(this.numQubits));
  }

  protected copyInto<T extends Tableau>(copy: T): T {
    copy.bits = this.bits.slice();
    copy.signs = this.signs.slice();
    copy.#pivots = [...this.#pivots];
    copy.#powers = [...this.#powers];
    copy.#isChanged = this.#isChanged;
    copy.xRows.set(this.xRows);
    copy.zRows.set(this.zRows);
    return copy;
  }

  h(qubit: number): void {
    const row = this.xRows[qubit]!;
    this.xRows[qubit] = this.zRows[qubit]!;
    this.zRows[qubit] = row;
    this.#isChanged = true;
  }

  s(qubit: number): void {
    this.#multiply(this.xRows[qubit]!, this.zRows[qubit]!, 3);
    this.#isChanged = true;
  }

  x(qubit: number): void {
    this.signs[this.zRows[qubit]!]! ^= 1;
  }

  z(qubit: number): void {
    this.signs[this.xRows[qubit]!]! ^= 1;
  }

  cx(control: number, target: number): void {
    this.#multiply(this.xRows[control]!, this.xRows[target]!, 0);
    this.#multiply(this.zRows[target]!, this.zRows[control]!, 0);
    this.#isChanged = true;
  }

  cz(a: number, b: number): void {
    this.#multiply(this.xRows[a]!, this.zRows[b]!, 0);
    this.#multiply(this.xRows[b]!, this.zRows[a]!, 0);
    this.#isChanged = true;
  }

  swap(a: number, b: number): void {
    for (const rows of [this.xRows, this.zRows]) [rows[a], rows[b]] = [rows[b]!, rows[a]!];
  }

  /** Measures a qubit. Of two possible outcomes it takes one, the same in each run. */
  measure(qubit: number): number {
    const own = this.zRows[qubit]!;
    if (this.#isChanged && !this.#commutesWithMeasured(own)) this.#collapseMeasured();
    if (this.#pivots.length === 0) this.#isChanged = false;
    if (this.#lowestX(own) < 0) return this.signs[own]!;
    const row = this.#copyRow(own);
    const power = this.#reduce(row);
    const pivot = this.#lowestX(row);
    if (pivot < 0) return this.signs[row]!;
    this.#pivots.push(pivot);
    this.#powers.push(power);
    return 0;
  }

  /** Returns the expectation value of a Pauli string: 1, 0 or -1. */
  expectation(string: PauliString): number {
    const n = this.words;
    const row = this.#copyRow(0);
    this.bits.fill(0, 2 * row * n, 2 * (row + 1) * n);
    this.signs[row] = 0;
    for (const { qubit, pauli } of string) {
      let factor = pauli === "X" ? this.xRows[qubit]! : this.zRows[qubit]!;
      if (pauli === "Y") {
        factor = this.#copyRow(this.xRows[qubit]!, 1);
        this.#multiply(factor, this.zRows[qubit]!, 1);
      }
      this.#multiply(row, factor, 0);
    }
    if (!this.#commutesWithMeasured(row)) return 0;
    this.#reduce(row);
    return this.#lowestX(row) >= 0 ? 0 : 1 - 2 * this.signs[row]!;
  }

  /** Multiplies a row that commutes with the measured ones by those whose pivots it has, and returns its power of i. */
  #reduce(row: number): number {
    const bits = this.bits;
    const n = this.words;
    const x = 2 * row * n;
    const z = x + n;
    const numY = () => {
      let count = 0;
      for (let word = 0; word < n; word++) count += popcount(bits[x + word]! & bits[z + word]!);
      return count;
    };
    let power = 2 * this.signs[row]! + numY();
    for (let i = 0, by = 4 * this.numQubits * n; i < this.#pivots.length; i++, by += 2 * n) {
      const pivot = this.#pivots[i]!;
      if (((bits[x + (pivot >> 5)]! >>> (pivot & 31)) & 1) === 0) continue;
      let exchanged = 0;
      for (let word = 0; word < n; word++) {
        const byX = bits[by + word]!;
        exchanged ^= bits[z + word]! & byX;
        bits[x + word]! ^= byX;
        bits[z + word]! ^= bits[by + n + word]!;
      }
      power += this.#powers[i]! + 2 * parity(exchanged);
    }
    this.signs[row] = ((power - numY()) >> 1) & 1;
    return power & 3;
  }

  /** Copies a row to a place after the measured ones, the first or the second, and returns its number. */
  #copyRow(row: number, place = 0): number {
    const length = 2 * this.words;
    const to = 2 * this.numQubits + this.#pivots.length + place;
    if (this.bits.length === 2 * this.numQubits * length) {
      const rows = 3 * this.numQubits + 2;
      const [bits, signs] = [new Int32Array(rows * length), new Uint8Array(rows)];
      bits.set(this.bits);
      signs.set(this.signs);
      [this.bits, this.signs] = [bits, signs];
    }
    this.bits.copyWithin(to * length, row * length, (row + 1) * length);
    this.signs[to] = this.signs[row]!;
    return to;
  }

  #commutesWithMeasured(row: number): boolean {
    const bits = this.bits;
    const n = this.words;
    const a = 2 * row * n;
    return this.#pivots.every((_, i) => {
      const b = 2 * (2 * this.numQubits + i) * n;
      let ones = 0;
      for (let word = 0; word < n; word++)
        ones ^= (bits[a + word]! & bits[b + n + word]!) ^ (bits[a + n + word]! & bits[b + word]!);
      return parity(ones) === 0;
    });
  }

  /** Changes the gate so that it makes the measured state of zeros. */
  #collapseMeasured(): void {
    const first = 2 * this.numQubits;
    const end = first + this.#pivots.length;
    for (let row = first; row < end; row++) {
      const pivot = this.#lowestX(row);
      collapseRow({ bits: this.bits, signs: this.signs, words: this.words, rows: end }, row, pivot);
      if (this.signs[row]) this.#flipWhereZ(end, pivot);
    }
    this.#pivots = [];
    this.#powers = [];
  }

  /** Returns the lowest place of an x bit in a row, or -1. */
  #lowestX(row: number): number {
    const start = 2 * row * this.words;
    for (let word = 0; word < this.words; word++) {
      const bits = this.bits[start + word]!;
      if (bits !== 0) return 32 * word + 31 - Math.clz32(bits & -bits);
    }
    return -1;
  }

  #flipWhereZ(rows: number, place: number): void {
    const n = this.words;
    for (let row = 0, at = n + (place >> 5); row < rows; row++, at += 2 * n)
      this.signs[row]! ^= (this.bits[at]! >>> (place & 31)) & 1;
  }

  /** Multiplies a row by another and by a power of i. */
  #multiply(row: number, by: number, power: number): void {
    const bits = this.bits;
    const n = this.words;
    const a = 2 * row * n;
    const b = 2 * by * n;
    let ones = 0;
    let twos = 0;
    for (let word = 0; word < n; word++) {
      const xa = bits[a + word]!;
      const za = bits[a + n + word]!;
      const xb = bits[b + word]!;
      const zb = bits[b + n + word]!;
      const anticommuting = (xa & zb) ^ (za & xb);
      const negative = (xa & ~(za ^ xb)) | (~xa & za & zb);
      twos ^= (ones & anticommuting) ^ (negative & anticommuting);
      ones ^= anticommuting;
      bits[a + word] = xa ^ xb;
      bits[a + n + word] = za ^ zb;
    }
    let quarter = power + 2 * (this.signs[row]! ^ this.signs[by]!);
    quarter += popcount(ones) + 2 * popcount(twos);
    this.signs[row] = (quarter >> 1) & 1;
  }
}

/** Rows of x bits, then z bits, as many words of each, and their signs. */
interface PauliRows {
  readonly bits: Int32Array;
  readonly signs: Uint8Array;
  readonly words: number;
  readonly rows: number;
}

/**
 * Changes the gate whose rows these are, but not the state that it makes of zeros, unless for the measurement of a row:
 * so that the row, which has an x bit at a place, has none.
 */
function collapseRow({ bits, signs, words: n, rows }: PauliRows, row: number, place: number): void {
  const pivotWord = place >> 5;
  const pivot = 1 << (place & 31);
  const others = bits.slice(2 * row * n, (2 * row + 1) * n);
  others[pivotWord]! ^= pivot;
  for (let at = 0, i = 0; i < rows; i++, at += 2 * n) {
    const pivotAt = at + n + pivotWord;
    let ones = 0;
    if ((bits[at + pivotWord]! & pivot) === 0) {
      for (let word = 0; word < n; word++) ones ^= bits[at + n + word]! & others[word]!;
      if (parity(ones)) bits[pivotAt]! ^= pivot;
      continue;
    }
    let twos = 0;
    let flips = 0;
    for (let word = 0; word < n; word++) {
      const mask = others[word]!;
      const x = bits[at + word]!;
      const z = bits[at + n + word]! & mask;
      flips ^= z & x;
      twos ^= ones & z;
      ones ^= z;
      bits[at + word] = x ^ mask;
    }
    const targets = popcount(ones) + 2 * popcount(twos);
    const hasZ = (bits[pivotAt]! & pivot) !== 0;
    signs[i]! ^= parity(flips) ^ (hasZ ? 0 : targets & 1) ^ ((targets >> 1) & 1);
    if (targets & 1) bits[pivotAt]! ^= pivot;
  }
  const turns = (bits[(2 * row + 1) * n + pivotWord]! & pivot) !== 0;
  for (let at = 0, i = 0; i < rows; i++, at += 2 * n) {
    const x = bits[at + pivotWord]! & pivot;
    let z = bits[at + n + pivotWord]! & pivot;
    if (turns && x) {
      if (z) signs[i]! ^= 1;
      z ^= pivot;
    }
    if (x && z) signs[i]! ^= 1;
    bits[at + pivotWord] = (bits[at + pivotWord]! & ~pivot) | z;
    bits[at + n + pivotWord] = (bits[at + n + pivotWord]! & ~pivot) | x;
  }
}

/** The parity of the bits of a word. */
function parity(word: number): number {
  let bits = word ^ (word >>> 16);
  bits ^= bits >>> 8;
  bits ^= bits >>> 4;
  return (0x6996 >>> (bits & 15)) & 1;
}

/** Returns the number of bits that are 1. */
export function popcount(word: number): number {
  let bits = word - ((word >>> 1) & 0x55555555);
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
