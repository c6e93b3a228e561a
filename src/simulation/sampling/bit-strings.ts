import { asciiString } from "#host/ascii";

const SPACE = 32;
const ZERO = 48;
/** Keys that are written at a time. */
const CHUNK = 16384;

/** Writes the bits of codes, the highest first, at places of a string that is otherwise the same for all. */
export function bitStrings(codes: Uint32Array, text: Uint8Array, places: readonly number[]): string[] {
  const strings = new Array<string>(codes.length);
  const width = text.length;
  const bytes = new Uint8Array(Math.min(CHUNK, codes.length) * width);
  for (let at = 0; at < bytes.length; at += width) bytes.set(text, at);
  for (let first = 0; first < codes.length; first += CHUNK) {
    const count = Math.min(CHUNK, codes.length - first);
    for (let i = 0; i < count; i++) {
      const code = codes[first + i]!;
      for (let bit = places.length - 1, j = 0; bit >= 0; bit--, j++)
        bytes[i * width + places[j]!] = ZERO + ((code >>> bit) & 1);
    }
    const all = asciiString(bytes, 0, count * width);
    for (let i = 0; i < count; i++) strings[first + i] = all.substring(i * width, (i + 1) * width);
  }
  return strings;
}

/** A column of characters that are all 0, of which spaces are made. */
const NO_BITS = new Uint32Array(0);

/** Calls back with so many strings whose characters are bits of columns, 32 strings in a word; null is a space. */
export function visitBitStrings(
  columns: readonly (Uint32Array | null)[],
  count: number,
  visit: (text: string, index: number) => void,
): void {
  const width = columns.length;
  const stride = Math.ceil(width / 4);
  const words = new Uint32Array(32 * stride);
  const bytes = new Uint8Array(words.buffer);
  const blank = Uint8Array.from({ length: 4 * stride }, (_, at) => (columns[at] ? ZERO : SPACE));
  const base = new Uint32Array(blank.buffer);
  for (let first = 0, word = 0; first < count; first += 32, word++) {
    const inWord = Math.min(32, count - first);
    for (let group = 0; group < stride; group++) {
      const [a, b, c, d] = [0, 1, 2, 3].map(place => (columns[4 * group + place] ?? NO_BITS)[word] ?? 0);
      for (let i = 0; i < inWord; i++)
        words[i * stride + group] =
          base[group]! +
          ((a! >>> i) & 1) +
          (((b! >>> i) & 1) << 8) +
          (((c! >>> i) & 1) << 16) +
          (((d! >>> i) & 1) << 24);
    }
    for (let i = 0; i < inWord; i++)
      visit(asciiString(bytes, 4 * i * stride, 4 * i * stride + width), first + i);
  }
}

/** Returns the bits of columns, 32 strings in a word, as a number for each of so many strings, the first column as the highest bit; 32 columns at most. */
export function codesOfColumns(columns: readonly Uint32Array[], count: number): Uint32Array {
  const codes = new Uint32Array(32 * Math.ceil(count / 32));
  const square = new Uint32Array(32);
  for (let word = 0; 32 * word < count; word++) {
    square.fill(0);
    columns.forEach((column, place) => {
      square[columns.length - 1 - place] = column[word]!;
    });
    transpose(square);
    codes.set(square, 32 * word);
  }
  return codes.subarray(0, count);
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
