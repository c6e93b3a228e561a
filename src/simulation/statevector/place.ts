/** A qubit's value in terms of the bits of an index: their parity, inverted where `value` is 1. */
export interface Place {
  readonly parity: number;
  readonly value: number;
}

/** Gives a value for the index of an amplitude. */
export function valueAt(index: number, { parity, value }: Place): number {
  let bits = index & parity;
  if ((bits & (bits - 1)) === 0) return (bits ? 1 : 0) ^ value;
  bits ^= bits >>> 16;
  bits ^= bits >>> 8;
  bits ^= bits >>> 4;
  return ((0x6996 >>> (bits & 15)) & 1) ^ value;
}
