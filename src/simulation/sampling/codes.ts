import { asciiString } from "#host";
import { numbersFrom } from "./draws.ts";

/** Bits of a code by which codes are sorted at a time. */
const DIGIT_BITS = 11;
const DIGITS = 2 ** DIGIT_BITS;
const WORD_BITS = 32;

/** Counts of outcomes as numbers: of bit strings that are alike but for the bits of a code. */
export interface CodedCounts {
  /** Common pattern of all outcomes, with `?` for bits of the code, highest first. */
  readonly pattern: string;
  /** The codes of the outcomes, ascending; a code of more than 32 bits takes several words, the highest first. */
  readonly codes: Uint32Array;
  /** Count of each outcome. */
  readonly counts: Uint32Array;
}

/** Outcomes in the order of the shots, as numbers. */
export type CodedOutcomes = Pick<CodedCounts, "pattern" | "codes">;

/** Returns how many words a code of the given number of bits takes. */
export const wordsOf = (bits: number): number => Math.max(1, Math.ceil(bits / WORD_BITS));

/** Counts equal codes of `words` words, weighted by `weights`; returns each once, ascending. Default: each once. */
export function countCodes(
  given: Uint32Array,
  words: number,
  weights?: Uint32Array,
): Omit<CodedCounts, "pattern"> {
  const order = orderOf(given, words);
  const codes = new Uint32Array(given.length);
  const counts = new Uint32Array(order.length);
  let last = -1;
  const isLast = (place: number) => {
    for (let word = 0; word < words; word++)
      if (codes[last * words + word] !== given[place * words + word]) return false;
    return true;
  };
  for (const place of order) {
    if (last < 0 || !isLast(place)) {
      last++;
      for (let word = 0; word < words; word++) codes[last * words + word] = given[place * words + word]!;
    }
    counts[last]! += weights?.[place] ?? 1;
  }
  return { codes: codes.slice(0, (last + 1) * words), counts: counts.slice(0, last + 1) };
}

/** Returns the numbers of codes in the ascending order of these, sorted by radix (Knuth, volume 3, 5.2.5). */
function orderOf(codes: Uint32Array, words: number): Uint32Array {
  const size = codes.length / words;
  let order: Uint32Array = numbersFrom(0, size);
  let next: Uint32Array = new Uint32Array(size);
  const ends = new Uint32Array(DIGITS + 1);
  const varying = varyingBits(codes, words);
  for (let word = words - 1; word >= 0; word--)
    for (let shift = 0; shift < WORD_BITS; shift += DIGIT_BITS) {
      if (((varying[word]! >>> shift) & (DIGITS - 1)) === 0) continue;
      ends.fill(0);
      for (let i = 0; i < size; i++) ends[((codes[i * words + word]! >>> shift) & (DIGITS - 1)) + 1]!++;
      for (let digit = 0; digit < DIGITS; digit++) ends[digit + 1]! += ends[digit]!;
      for (const place of order)
        next[ends[(codes[place * words + word]! >>> shift) & (DIGITS - 1)]!++] = place;
      [order, next] = [next, order];
    }
  return order;
}

/** Returns which bits of the words of codes are not the same in all. */
function varyingBits(codes: Uint32Array, words: number): Uint32Array {
  const varying = new Uint32Array(words);
  for (let at = 0; at < codes.length; at += words)
    for (let word = 0; word < words; word++) varying[word]! |= codes[at + word]! ^ codes[word]!;
  return varying;
}

/** Returns codes of the given number of bits reduced to the bits in which they differ, and these bits; all bits if more than 32 differ. */
export function selectBits(codes: Uint32Array, bits: number): { codes: Uint32Array; mask: Uint32Array } {
  const words = wordsOf(bits);
  const mask = varyingBits(codes, words);
  const selected = bitsOf(mask, words);
  if (selected.length > WORD_BITS || selected.length === bits) {
    const all = Uint32Array.from({ length: words }, (_, word) =>
      word > 0 || bits % WORD_BITS === 0 ? 0xffffffff : 2 ** (bits % WORD_BITS) - 1,
    );
    return { codes, mask: all };
  }
  const out = new Uint32Array(codes.length / words);
  selected.forEach(({ word, bit }, to) => {
    for (let i = 0; i < out.length; i++) out[i]! |= ((codes[i * words + word]! >>> bit) & 1) << to;
  });
  return { codes: out, mask };
}

/** Returns the bits that are set in the words of a code, the lowest first. */
function bitsOf(mask: Uint32Array, words: number): { word: number; bit: number }[] {
  const bits: { word: number; bit: number }[] = [];
  for (let word = words - 1; word >= 0; word--)
    for (let bit = 0; bit < WORD_BITS; bit++) if ((mask[word]! >>> bit) & 1) bits.push({ word, bit });
  return bits;
}

const ZERO = 48;
/** Characters that are written at a time. */
const CHUNK_BYTES = 2 ** 18;

/** Writes the bits of codes, the highest first, at places of a string that is otherwise the same for all. */
export function bitStrings(codes: Uint32Array, text: Uint8Array, places: readonly number[]): string[] {
  const words = wordsOf(places.length);
  const size = codes.length / words;
  const strings = new Array<string>(size);
  const width = text.length;
  const chunk = Math.max(1, Math.floor(CHUNK_BYTES / Math.max(1, width)));
  const bytes = new Uint8Array(Math.min(chunk, size) * width);
  for (let at = 0; at < bytes.length; at += width) bytes.set(text, at);
  for (let first = 0; first < size; first += chunk) {
    const count = Math.min(chunk, size - first);
    for (let i = 0; i < count; i++) {
      let word = (first + i) * words;
      let code = codes[word]!;
      for (let bit = places.length - 1, j = 0; bit >= 0; bit--, j++) {
        bytes[i * width + places[j]!] = ZERO + ((code >>> (bit & 31)) & 1);
        if ((bit & 31) === 0) code = codes[++word]!;
      }
    }
    const all = asciiString(bytes, 0, count * width);
    for (let i = 0; i < count; i++) strings[first + i] = all.substring(i * width, (i + 1) * width);
  }
  return strings;
}

/** Writes the bits of columns, 32 rows in a word, as the codes of some rows from the code `at` on; the first row is a multiple of 32, and the first column the highest bit. */
export function writeCodesOfColumns(
  columns: readonly Uint32Array[],
  { from, to }: { from: number; to: number },
  codes: Uint32Array,
  at: number,
): void {
  const words = wordsOf(columns.length);
  const square = new Uint32Array(32);
  for (let word = 0; word < words; word++) {
    const end = columns.length - 32 * (words - 1 - word);
    const own = columns.slice(Math.max(0, end - 32), end);
    for (let row = from; row < to; row += 32) {
      square.fill(0);
      own.forEach((column, place) => {
        square[own.length - 1 - place] = column[row >> 5]!;
      });
      transpose(square);
      const count = Math.min(32, to - row);
      for (let i = 0; i < count; i++) codes[(at + row - from + i) * words + word] = square[i]!;
    }
  }
}

/** Exchanges rows and columns of 32 by 32 bits: halves, then quarters, down to single bits (Warren, Hacker's Delight, 7-3). */
function transpose(square: Uint32Array): void {
  let mask = 0xffff;
  for (let size = 16; size > 0; size >>= 1, mask ^= mask << size)
    for (let row = 0; row < 32; row = ((row | size) + 1) & ~size) {
      const swapped = ((square[row]! >>> size) ^ square[row | size]!) & mask;
      square[row]! ^= swapped << size;
      square[row | size]! ^= swapped;
    }
}
