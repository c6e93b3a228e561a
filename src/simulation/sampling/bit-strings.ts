import { asciiString } from "#host/ascii";

const SPACE = 32;
const ZERO = 48;
const DIGIT_BITS = 11;
/** Keys that are written at a time. */
const CHUNK = 16384;

/** Codes of outcomes, ascending and each once. */
export interface DistinctCodes {
  readonly codes: Uint32Array;
  /** How often each was found. */
  readonly counts: Uint32Array;
  /** For each code as given, its index among these. */
  readonly keyIndices: Uint32Array;
}

/** Counts of outcomes as numbers: of bit strings that are alike but for the bits of a code. */
export interface CodedCounts {
  /** What all outcomes have alike, with `?` where a bit of the code stands, the highest first. */
  readonly pattern: string;
  /** The code of each outcome, ascending. */
  readonly codes: Uint32Array;
  /** How often each outcome was seen. */
  readonly counts: Uint32Array;
}

/** Counts equal codes, of so many bits. */
export function distinctCodes(given: Uint32Array, bits: number): DistinctCodes {
  const order = ascendingOrder(given, bits);
  const codes = new Uint32Array(given.length);
  const counts = new Uint32Array(given.length);
  const keyIndices = new Uint32Array(given.length);
  let last = -1;
  for (let i = 0; i < given.length; i++) {
    const from = order ? order[i]! : i;
    const code = given[from]!;
    if (last < 0 || codes[last] !== code) codes[++last] = code;
    counts[last]!++;
    keyIndices[from] = last;
  }
  return { codes: codes.subarray(0, last + 1), counts: counts.subarray(0, last + 1), keyIndices };
}

/** Returns the places of codes in ascending order, found digit by digit, or null where they ascend already. */
function ascendingOrder(codes: Uint32Array, bits: number): Uint32Array | null {
  let ascends = true;
  for (let i = 1; i < codes.length && ascends; i++) ascends = codes[i - 1]! <= codes[i]!;
  if (ascends) return null;
  let order = new Uint32Array(codes.length);
  for (let i = 0; i < order.length; i++) order[i] = i;
  let next = new Uint32Array(codes.length);
  const mask = 2 ** DIGIT_BITS - 1;
  for (let shift = 0; shift < bits; shift += DIGIT_BITS) {
    const ends = new Uint32Array(mask + 2);
    for (let i = 0; i < codes.length; i++) ends[((codes[i]! >>> shift) & mask) + 1]!++;
    for (let digit = 0; digit < mask; digit++) ends[digit + 1]! += ends[digit]!;
    for (let i = 0; i < order.length; i++) {
      const at = order[i]!;
      next[ends[(codes[at]! >>> shift) & mask]!++] = at;
    }
    [order, next] = [next, order];
  }
  return order;
}

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
