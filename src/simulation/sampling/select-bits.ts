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

/** Returns the bits that are set in the words of a code, the lowest first. */
const bitsOf = (mask: Uint32Array, words: number): { word: number; bit: number }[] =>
  Array.from({ length: 32 * words }, (_, i) => ({ word: words - 1 - (i >> 5), bit: i & 31 })).filter(
    ({ word, bit }) => (mask[word]! >>> bit) & 1,
  );
