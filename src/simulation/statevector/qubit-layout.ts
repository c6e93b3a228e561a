/** A qubit's value in terms of the bits of an index: their parity, inverted where `value` is 1. */
export interface AffineBit {
  readonly parity: number;
  readonly value: number;
}

/** Returns a value for the index of an amplitude. */
export function valueAt(index: number, { parity, value }: AffineBit): number {
  let bits = index & parity;
  if ((bits & (bits - 1)) === 0) return (bits ? 1 : 0) ^ value;
  bits ^= bits >>> 16;
  bits ^= bits >>> 8;
  bits ^= bits >>> 4;
  return ((0x6996 >>> (bits & 15)) & 1) ^ value;
}

/** Returns the values at 32 places at most for each of some indices, the first as the highest bit. Tables hold the bits that each byte of an index flips. */
export function codesAt(indices: Uint32Array, places: readonly AffineBit[]): Uint32Array {
  const codeOf = (index: number) =>
    places.reduce((code, place) => (code << 1) | valueAt(index, place), 0) >>> 0;
  const none = codeOf(0);
  const [a, b, c, d] = [0, 8, 16, 24].map(shift =>
    Uint32Array.from({ length: 256 }, (_, byte) => codeOf(byte << shift) ^ none),
  ) as [Uint32Array, Uint32Array, Uint32Array, Uint32Array];
  return indices.map(
    index => none ^ a[index & 255]! ^ b[(index >>> 8) & 255]! ^ c[(index >>> 16) & 255]! ^ d[index >>> 24]!,
  );
}

const NONE: readonly number[] = [];

/**
 * Where the values of qubits are: at their own position in the index of an amplitude, or, for a qubit without one,
 * as the parity of the bits at some positions, together with a value.
 */
export class QubitLayout {
  readonly #values: Uint8Array;
  readonly #positions: Int32Array;
  readonly #parities: Int32Array;
  /** The qubit at each position. */
  readonly #order: number[] = [];

  /** Places the given number of qubits that are 0. */
  constructor(numQubits: number) {
    this.#values = new Uint8Array(numQubits);
    this.#positions = new Int32Array(numQubits).fill(-1);
    this.#parities = new Int32Array(numQubits);
  }

  get numPositions(): number {
    return this.#order.length;
  }

  /** Whether another layout of as many qubits is the same. */
  equals(other: QubitLayout): boolean {
    return (
      this.#values.every((value, qubit) => value === other.#values[qubit]) &&
      this.#positions.every((position, qubit) => position === other.#positions[qubit]) &&
      this.#parities.every((parity, qubit) => parity === other.#parities[qubit])
    );
  }

  copy(): QubitLayout {
    const copy = new QubitLayout(this.#values.length);
    copy.#values.set(this.#values);
    copy.#positions.set(this.#positions);
    copy.#parities.set(this.#parities);
    copy.#order.push(...this.#order);
    return copy;
  }

  /** Whether a qubit has a value, and is in no superposition. */
  isClassical(qubit: number): boolean {
    return this.#positions[qubit]! < 0 && this.#parities[qubit] === 0;
  }

  /** Returns the value of a qubit without a position where the bits that it depends on are 0. */
  valueOf(qubit: number): number {
    return this.#values[qubit]!;
  }

  setValue(qubit: number, value: number): void {
    this.#values[qubit] = value;
  }

  /** Returns the position of a qubit, or -1. */
  positionOf(qubit: number): number {
    return this.#positions[qubit]!;
  }

  /** Returns a qubit's value in terms of the index of an amplitude. */
  affineBitOf(qubit: number): AffineBit {
    const position = this.#positions[qubit]!;
    return position >= 0
      ? { parity: 1 << position, value: 0 }
      : { parity: this.#parities[qubit]!, value: this.#values[qubit]! };
  }

  /** Returns the qubits without a position whose value depends on the bit at one. */
  dependents(position: number): readonly number[] {
    let found: number[] | undefined;
    for (let qubit = 0; qubit < this.#parities.length; qubit++) {
      if (((this.#parities[qubit]! >>> position) & 1) === 0) continue;
      if (found) found.push(qubit);
      else found = [qubit];
    }
    return found ?? NONE;
  }

  /** Adds a value to that of a qubit without a position. */
  add(qubit: number, { parity, value }: AffineBit): void {
    this.#parities[qubit]! ^= parity;
    this.#values[qubit]! ^= value;
  }

  /** Returns the positions whose bits are to be flipped so that these qubits alone are, as a mask; null where that cannot be. */
  flipsOf(qubits: ReadonlySet<number>): number | null {
    let flips = 0;
    for (const qubit of qubits) if (this.#positions[qubit]! >= 0) flips |= 1 << this.#positions[qubit]!;
    for (let qubit = 0; qubit < this.#parities.length; qubit++) {
      if (this.#positions[qubit]! >= 0) continue;
      const isFlipped = valueAt(flips, { parity: this.#parities[qubit]!, value: 0 }) === 1;
      if (isFlipped !== qubits.has(qubit)) return null;
    }
    return flips;
  }

  /** Assigns the next position to a qubit, and returns the affine bit that it had. */
  addQubit(qubit: number): AffineBit {
    const before = this.affineBitOf(qubit);
    this.add(qubit, before);
    this.#positions[qubit] = this.#order.push(qubit) - 1;
    return before;
  }

  /** Returns the position of a qubit that is about to change; those that depend on its bit get their own, by a function. */
  ownPosition(qubit: number, addQubit: (qubit: number) => number): number {
    const own = this.positionOf(qubit);
    const position = own >= 0 ? own : addQubit(qubit);
    for (const other of this.dependents(position)) addQubit(other);
    return position;
  }

  /** Takes a position away whose bit has a value now. */
  remove(position: number, bit: number): void {
    for (const qubit of this.dependents(position)) this.#values[qubit]! ^= bit;
    const [owner] = this.#order.splice(position, 1) as [number];
    this.#order.forEach((moved, place) => {
      this.#positions[moved] = place;
    });
    this.#positions[owner] = -1;
    this.#values[owner] = bit;
    const low = (1 << position) - 1;
    for (let qubit = 0; qubit < this.#parities.length; qubit++) {
      const parity = this.#parities[qubit]!;
      this.#parities[qubit] = (parity & low) | ((parity >>> (position + 1)) << position);
    }
  }

  /** Exchanges the places of two qubits. */
  swap(a: number, b: number): void {
    for (const list of [this.#positions, this.#values, this.#parities])
      [list[a], list[b]] = [list[b]!, list[a]!];
    for (const qubit of [a, b])
      if (this.#positions[qubit]! >= 0) this.#order[this.#positions[qubit]!] = qubit;
  }

  /** Returns the one position that a qubit's value depends on, and whether it is the opposite; null where there are several. */
  single(qubit: number): { position: number; inverted: boolean } | null {
    const position = this.#positions[qubit]!;
    if (position >= 0) return { position, inverted: false };
    const parity = this.#parities[qubit]!;
    if (parity === 0 || (parity & (parity - 1)) !== 0) return null;
    return { position: 31 - Math.clz32(parity), inverted: this.#values[qubit] === 1 };
  }
}
