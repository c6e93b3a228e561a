import { parity, popcount } from "./parity.ts";

/** Rows of x bits, then z bits, as many words of each, and their signs. */
export interface PauliRows {
  readonly bits: Int32Array;
  readonly signs: Uint8Array;
  readonly words: number;
  readonly rows: number;
}

/**
 * Changes the gate whose rows these are, but not the state that it makes of zeros, unless for the measurement of a row:
 * so that the row, which has an x bit at a place, has none.
 */
export function collapseRow({ bits, signs, words: n, rows }: PauliRows, row: number, place: number): void {
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
