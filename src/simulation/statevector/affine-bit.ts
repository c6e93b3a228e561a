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

/** Returns the values at places for each of some indices as the bits of a number, the first the highest; 32 places at most. */
export function codesAt(indices: Uint32Array, places: readonly AffineBit[]): Uint32Array {
  const codeOf = (index: number) =>
    places.reduce((code, place) => (code << 1) | valueAt(index, place), 0) >>> 0;
  const base = codeOf(0);
  const tables = [0, 8, 16, 24].map(shift =>
    Uint32Array.from({ length: 256 }, (_, byte) => codeOf(byte << shift) ^ base),
  );
  const [a, b, c, d] = tables as [Uint32Array, Uint32Array, Uint32Array, Uint32Array];
  return indices.map(
    index => base ^ a[index & 255]! ^ b[(index >>> 8) & 255]! ^ c[(index >>> 16) & 255]! ^ d[index >>> 24]!,
  );
}
