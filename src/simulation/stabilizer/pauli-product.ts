/** A Hermitian product of Pauli matrices, one a qubit: X where its x bit is 1, Z where its z bit is, Y for both. */
export class PauliProduct {
  /** Words of x bits, then as many of z bits. */
  readonly bits: Int32Array;
  /** 1 where it is negative. */
  sign: number;

  constructor(bits: Int32Array, sign = 0) {
    this.bits = bits;
    this.sign = sign;
  }

  static identity(numQubits: number): PauliProduct {
    return new PauliProduct(new Int32Array(2 * Math.ceil(numQubits / 32)));
  }

  copy(): PauliProduct {
    return new PauliProduct(this.bits.slice(), this.sign);
  }

  xAt(qubit: number): number {
    return (this.bits[qubit >> 5]! >>> (qubit & 31)) & 1;
  }

  zAt(qubit: number): number {
    return (this.bits[(this.bits.length >> 1) + (qubit >> 5)]! >>> (qubit & 31)) & 1;
  }

  flipX(qubit: number): void {
    this.bits[qubit >> 5]! ^= 1 << (qubit & 31);
  }

  flipZ(qubit: number): void {
    this.bits[(this.bits.length >> 1) + (qubit >> 5)]! ^= 1 << (qubit & 31);
  }

  /** Returns the qubits on which it has X or Y, ascending. */
  xQubits(): number[] {
    return placesIn(this.bits.subarray(0, this.bits.length >> 1));
  }

  h(qubit: number): void {
    const [x, z] = [this.xAt(qubit), this.zAt(qubit)];
    this.sign ^= x & z;
    if (x === z) return;
    this.flipX(qubit);
    this.flipZ(qubit);
  }

  /** Conjugates it with the inverse of S of a qubit. */
  sdg(qubit: number): void {
    if (!this.xAt(qubit)) return;
    this.sign ^= 1 - this.zAt(qubit);
    this.flipZ(qubit);
  }

  /** Conjugates it with a product on other qubits that is done where a qubit is 1. */
  controlled(
    control: number,
    product: PauliProduct,
    [start, end]: readonly [start: number, end: number],
  ): void {
    if (!this.xAt(control)) {
      if (!this.commutes(product, start, end)) this.flipZ(control);
      return;
    }
    const power = this.multiply(product, 0, start, end);
    if ((power & 1) === 0) return;
    // (X or Y)·Z of the control is -iY or iX, and the product comes before this one, which it does not commute with.
    this.sign = ((power + 2 + (this.zAt(control) ? 1 : 3)) >> 1) & 1;
    this.flipZ(control);
  }

  /** Returns the first qubit on which it has X or Y, or -1. */
  firstX(): number {
    for (let word = 0; word < this.bits.length >> 1; word++) {
      const bits = this.bits[word]!;
      if (bits !== 0) return 32 * word + 31 - Math.clz32(bits & -bits);
    }
    return -1;
  }

  /** Returns the qubits on which it acts, ascending. */
  qubits(): number[] {
    return placesIn(this.#words());
  }

  #words(): Int32Array {
    const n = this.bits.length >> 1;
    return this.bits.subarray(0, n).map((word, at) => word | this.bits[n + at]!);
  }

  /** Returns the first word with a qubit on which it acts, and the one after the last. */
  range(): [start: number, end: number] {
    const words = this.#words();
    return [Math.max(0, words.findIndex(Boolean)), words.findLastIndex(Boolean) + 1];
  }

  /** Returns whether it commutes with another one, which acts only on qubits of some words. */
  commutes({ bits }: PauliProduct, start = 0, end = bits.length >> 1): boolean {
    const own = this.bits;
    const n = bits.length >> 1;
    let odd = 0;
    for (let word = start; word < end; word++)
      odd ^= (own[word]! & bits[n + word]!) ^ (own[n + word]! & bits[word]!);
    return (popcount(odd) & 1) === 0;
  }

  /**
   * Multiplies it by another one, which acts only on qubits of some words, and by a power of i. Returns the power of i
   * before the sign: odd if they do not commute.
   */
  multiply({ bits, sign }: PauliProduct, power = 0, start = 0, end = bits.length >> 1): number {
    const own = this.bits;
    const n = bits.length >> 1;
    let ones = 0;
    let twos = 0;
    for (let word = start; word < end; word++) {
      const xa = own[word]!;
      const za = own[n + word]!;
      const xb = bits[word]!;
      const zb = bits[n + word]!;
      const anticommuting = (xa & zb) ^ (za & xb);
      const negative = (xa & ~(za ^ xb)) | (~xa & za & zb);
      twos ^= (ones & anticommuting) ^ (negative & anticommuting);
      ones ^= anticommuting;
      own[word] = xa ^ xb;
      own[n + word] = za ^ zb;
    }
    const quarters = power + 2 * (this.sign ^ sign) + popcount(ones) + 2 * popcount(twos);
    this.sign = (quarters >> 1) & 1;
    return quarters;
  }

  /** Returns the power of i before it where it is written with all X before all Z. */
  power(): number {
    const n = this.bits.length >> 1;
    let power = 2 * this.sign;
    for (let word = 0; word < n; word++) power += popcount(this.bits[word]! & this.bits[n + word]!);
    return power;
  }

  /** Multiplies it, but for its sign, by another one where both are so written. Returns the power of i that comes of it. */
  multiplyOrdered({ bits }: PauliProduct): number {
    const own = this.bits;
    const n = bits.length >> 1;
    let exchanged = 0;
    for (let word = 0; word < n; word++) {
      exchanged ^= own[n + word]! & bits[word]!;
      own[word]! ^= bits[word]!;
      own[n + word]! ^= bits[n + word]!;
    }
    return 2 * popcount(exchanged);
  }
}

/** Returns the places of set bits, ascending. */
function placesIn(words: Int32Array): number[] {
  const places: number[] = [];
  words.forEach((word, at) => {
    for (let rest = word; rest !== 0; rest &= rest - 1) places.push(32 * at + 31 - Math.clz32(rest & -rest));
  });
  return places;
}

/** Returns the number of bits that are 1. */
function popcount(word: number): number {
  let bits = word - ((word >>> 1) & 0x55555555);
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
