import { varyingBits, wordsOf } from "./coded-counts.ts";

/** Returns codes of so many bits by those bits alone in which they differ, and these; all bits where more than 32 differ. */
export function selectBits(codes: Uint32Array, bits: number): { codes: Uint32Array; mask: Uint32Array } {
  const words = wordsOf(bits);
  const mask = varyingBits(codes, words);
  const selected = bitsOf(mask, words);
  if (selected.length > 32 || selected.length === bits) {
    const all = Uint32Array.from({ length: words }, (_, word) =>
      word > 0 || bits % 32 === 0 ? 0xffffffff : 2 ** (bits % 32) - 1,
    );
    return { codes, mask: all };
  }
  const tables = moves(selected.map(({ word, bit }, to) => ({ word, bit, to })));
  const out = new Uint32Array(codes.length / words);
  for (const { word, shift, table } of tables)
    for (let i = 0; i < out.length; i++) out[i]! |= table[(codes[i * words + word]! >>> shift) & 255]!;
  return { codes: out, mask };
}

/** Moves bits of one word to places in another, by what each byte of the former brings. */
export interface ByteMove {
  readonly word: number;
  readonly shift: number;
  readonly table: Uint32Array;
}

/** Returns the moves of bits of words to places of one word. */
export function moves(bits: readonly { word: number; bit: number; to: number }[]): ByteMove[] {
  const found = new Map<number, ByteMove>();
  for (const { word, bit, to } of bits) {
    const key = 4 * word + (bit >> 3);
    let move = found.get(key);
    if (!move) {
      move = { word, shift: bit & 24, table: new Uint32Array(256) };
      found.set(key, move);
    }
    for (let byte = 0; byte < 256; byte++) if ((byte >> (bit & 7)) & 1) move.table[byte]! |= 1 << to;
  }
  return [...found.values()];
}

/** Moves bits of some codes of so many words to others: word and bit of each, the lowest last, which is bit 0 of the new codes. */
export function moveBits(
  codes: Uint32Array,
  words: number,
  bits: readonly { word: number; bit: number }[],
): Uint32Array {
  const size = codes.length / words;
  const to = wordsOf(bits.length);
  const moved = new Uint32Array(size * to);
  const placed = bits.map((from, i) => ({ ...from, to: bits.length - 1 - i }));
  for (let at = 0; at < to; at++) {
    const own = placed.filter(bit => to - 1 - (bit.to >> 5) === at);
    for (const { word, shift, table } of moves(own.map(bit => ({ ...bit, to: bit.to & 31 }))))
      for (let i = 0; i < size; i++)
        moved[i * to + at]! |= table[(codes[i * words + word]! >>> shift) & 255]!;
  }
  return moved;
}

/** Returns the bits that are set in the words of a code, the lowest first. */
const bitsOf = (mask: Uint32Array, words: number): { word: number; bit: number }[] =>
  Array.from({ length: 32 * words }, (_, i) => ({ word: words - 1 - (i >> 5), bit: i & 31 })).filter(
    ({ word, bit }) => (mask[word]! >>> bit) & 1,
  );
