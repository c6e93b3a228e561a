import { asciiString } from "#host/ascii";
import { wordsOf } from "./coded-counts.ts";

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

/** Exchanges rows and columns of 32 by 32 bits: halves, then quarters, down to single bits. */
function transpose(square: Uint32Array): void {
  let mask = 0xffff;
  for (let size = 16; size > 0; size >>= 1, mask ^= mask << size)
    for (let row = 0; row < 32; row = ((row | size) + 1) & ~size) {
      const swapped = ((square[row]! >>> size) ^ square[row | size]!) & mask;
      square[row]! ^= swapped << size;
      square[row | size]! ^= swapped;
    }
}
