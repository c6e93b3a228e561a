export interface Complex {
  readonly re: number;
  readonly im: number;
}

/**
 * A classical value: a whole number, bits or an angle's bits, a real number or a duration in nanoseconds,
 * a truth value, a complex number, or a list, such as one of places of qubits or bits.
 */
export type Value = bigint | number | boolean | Complex | readonly Value[];

/** Returns the lowest `count` bits of a whole number, the lowest first. */
export function bitsOfWord(word: bigint, count: number): Uint8Array {
  const bits = new Uint8Array(count);
  if (count <= 32) {
    let rest = Number(BigInt.asUintN(32, word));
    for (let i = 0; i < count; i++, rest >>>= 1) bits[i] = rest & 1;
    return bits;
  }
  const digits = BigInt.asUintN(count, word).toString(2);
  for (let i = 0; i < digits.length; i++) bits[i] = Number(digits[digits.length - 1 - i]);
  return bits;
}

const HEXADECIMAL = "0123456789abcdef";

/** Returns the whole number whose bits are given, the lowest first. */
export function wordOfBits(bits: ArrayLike<number>): bigint {
  if (bits.length <= 32) {
    let word = 0;
    for (let i = bits.length - 1; i >= 0; i--) word = word * 2 + bits[i]!;
    return BigInt(word);
  }
  let digits = "0x";
  for (let i = (bits.length - 1) & ~3; i >= 0; i -= 4)
    digits +=
      HEXADECIMAL[
        bits[i]! | ((bits[i + 1] ?? 0) << 1) | ((bits[i + 2] ?? 0) << 2) | ((bits[i + 3] ?? 0) << 3)
      ];
  return BigInt(digits);
}

/** Values that classical expressions read and write while a program runs. */
export interface Memory {
  readonly slots: Value[];
  /** Reads a classical bit. While a measurement that it depends on is undecided, this throws {@link DeferredMeasurement}. */
  readBit(bit: number): number;
  writeBit(bit: number, value: number): void;
}

export type Compute<T extends Value = Value> = (memory: Memory) => T;

/** Thrown by a read of a bit whose measurement is deferred; the reader carries that out and starts again. */
export class DeferredMeasurement {
  qubit = -1;
}

/** Memory that holds the parameters of a gate and nothing else. */
export const parameterMemory = (slots: number[]): Memory => ({
  slots,
  readBit: () => 0,
  writeBit: () => {},
});
