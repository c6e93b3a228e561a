/** The parity of the bits of a word. */
export function parity(word: number): number {
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
