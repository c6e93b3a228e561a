/** Finds, for basis states that are given by their bits, those that differ in some bits and no others. */
export class PairTable {
  readonly #keys: Uint32Array;
  readonly #words: number;
  readonly #size: number;
  readonly #flips: Uint32Array;
  /** A word and a bit in which partners differ. */
  readonly #word: number;
  readonly #bit: number;

  /** Takes `size` keys of so many words each, and the bits in which partners differ, at least one. */
  constructor(keys: Uint32Array, words: number, size: number, flips: Uint32Array) {
    this.#keys = keys;
    this.#words = words;
    this.#size = size;
    this.#flips = flips;
    this.#word = flips.findIndex(word => word !== 0);
    this.#bit = flips[this.#word]! & -flips[this.#word]!;
  }

  /** Returns the place of each key's partner, or -1. */
  partners(): Int32Array {
    const partners = new Int32Array(this.#size).fill(-1);
    const slots = new Int32Array(2 ** Math.ceil(Math.log2(2 * this.#size + 1))).fill(-1);
    const last = slots.length - 1;
    for (let i = 0; i < this.#size; i++) {
      let slot = this.#hash(i) & last;
      while (slots[slot]! >= 0 && !this.#isPartner(slots[slot]!, i)) slot = (slot + 1) & last;
      const other = slots[slot]!;
      if (other < 0) slots[slot] = i;
      else {
        partners[i] = other;
        partners[other] = i;
      }
    }
    return partners;
  }

  /** Returns a word of the one of two partners whose bit is 0. */
  #at(i: number, word: number): number {
    const bits = this.#keys[i * this.#words + word]!;
    return this.#keys[i * this.#words + this.#word]! & this.#bit ? (bits ^ this.#flips[word]!) >>> 0 : bits;
  }

  #hash(i: number): number {
    let hash = 0;
    for (let word = 0; word < this.#words; word++) {
      hash = Math.imul(hash ^ this.#at(i, word), 0x9e3779b1);
      hash ^= hash >>> 15;
    }
    return hash ^ (hash >>> 13);
  }

  #isPartner(i: number, j: number): boolean {
    for (let word = 0; word < this.#words; word++) if (this.#at(i, word) !== this.#at(j, word)) return false;
    return true;
  }
}
