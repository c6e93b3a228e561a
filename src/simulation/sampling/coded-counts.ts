import { numbersFrom } from "./ordered.ts";

/** Bits of a code by which codes are sorted at a time. */
const DIGIT_BITS = 11;
const DIGITS = 2 ** DIGIT_BITS;
const WORD_BITS = 32;
/** Codes from which on sorting by digits is quicker. */
const MANY = 2048;
/** Digits up to which many codes of several words are sorted by them. */
const MAX_DIGITS = 16;

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

/** Returns how many words a code of so many bits takes. */
export const wordsOf = (bits: number): number => Math.max(1, Math.ceil(bits / WORD_BITS));

/** Counts equal codes of so many words, each as often as `weights` says; returns each once, ascending. Default: each once. */
export function countCodes(
  given: Uint32Array,
  words: number,
  weights?: Uint32Array,
): Omit<CodedCounts, "pattern"> {
  const size = given.length / words;
  const codes = new Uint32Array(given.length);
  const counts = new Uint32Array(size);
  let last = -1;
  if (words === 1 && !weights) {
    for (const code of ascends(given) ? given : sort(given)) {
      if (last < 0 || codes[last] !== code) codes[++last] = code;
      counts[last]!++;
    }
  } else {
    const order = orderOf(given, words);
    order.forEach((place, i) => {
      if (i === 0 || compare(given, order[i - 1]! * words, place * words, words) !== 0) {
        last++;
        for (let word = 0; word < words; word++) codes[last * words + word] = given[place * words + word]!;
      }
      counts[last]! += weights?.[place] ?? 1;
    });
  }
  return { codes: codes.slice(0, (last + 1) * words), counts: counts.slice(0, last + 1) };
}

/** Returns the place of each code of one word among ascending ones, of which it is one. */
export function placesOf(given: Uint32Array, ascending: Uint32Array): Uint32Array {
  const places = new Uint32Array(given.length);
  let place = 0;
  for (let i = 0; i < given.length; i++) {
    const code = given[i]!;
    if (ascending[place] !== code && ascending[++place] !== code) place = search(ascending, code);
    places[i] = place;
  }
  return places;
}

function search(ascending: Uint32Array, code: number): number {
  let [from, to] = [0, ascending.length - 1];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (ascending[middle]! < code) from = middle + 1;
    else to = middle;
  }
  return from;
}

function compare(codes: Uint32Array, a: number, b: number, words: number): number {
  for (let word = 0; word < words; word++) {
    const [x, y] = [codes[a + word]!, codes[b + word]!];
    if (x !== y) return x < y ? -1 : 1;
  }
  return 0;
}

/** Returns the numbers of codes in the ascending order of these. */
function orderOf(codes: Uint32Array, words: number): Uint32Array {
  const size = codes.length / words;
  let order: Uint32Array = numbersFrom(0, size);
  const digits = varyingDigits(codes, words);
  if (size < MANY || digits.length > MAX_DIGITS)
    return order.sort((a, b) => compare(codes, a * words, b * words, words));
  let next: Uint32Array = new Uint32Array(size);
  for (const { word, shift } of digits) {
    const digitOf = (i: number) => (codes[order[i]! * words + word]! >>> shift) & (DIGITS - 1);
    const ends = new Uint32Array(DIGITS + 1);
    for (let i = 0; i < size; i++) ends[digitOf(i) + 1]!++;
    for (let digit = 0; digit < DIGITS; digit++) ends[digit + 1]! += ends[digit]!;
    for (let i = 0; i < size; i++) next[ends[digitOf(i)]!++] = order[i]!;
    [order, next] = [next, order];
  }
  return order;
}

/** Returns which bits of the words of codes are not the same in all. */
export function varyingBits(codes: Uint32Array, words: number): Uint32Array {
  const varying = new Uint32Array(words);
  for (let at = 0; at < codes.length; at += words)
    for (let word = 0; word < words; word++) varying[word]! |= codes[at + word]! ^ codes[word]!;
  return varying;
}

/** Returns the digits in which codes differ, the lowest first. */
const varyingDigits = (codes: Uint32Array, words: number): { word: number; shift: number }[] =>
  [...varyingBits(codes, words)]
    .flatMap((bits, word) =>
      [2 * DIGIT_BITS, DIGIT_BITS, 0].flatMap(shift =>
        (bits >>> shift) & (DIGITS - 1) ? [{ word, shift }] : [],
      ),
    )
    .reverse();

const ascends = (codes: Uint32Array): boolean => {
  for (let i = 1; i < codes.length; i++) if (codes[i - 1]! > codes[i]!) return false;
  return true;
};

/** Returns codes of one word in ascending order, many sorted digit by digit. */
function sort(codes: Uint32Array): Uint32Array {
  if (codes.length < MANY) return codes.toSorted();
  let from = codes;
  let to: Uint32Array = new Uint32Array(codes.length);
  for (const { shift } of varyingDigits(codes, 1)) {
    const ends = new Uint32Array(DIGITS + 1);
    for (let i = 0; i < from.length; i++) ends[((from[i]! >>> shift) & (DIGITS - 1)) + 1]!++;
    for (let digit = 0; digit < DIGITS; digit++) ends[digit + 1]! += ends[digit]!;
    for (let i = 0; i < from.length; i++) to[ends[(from[i]! >>> shift) & (DIGITS - 1)]!++] = from[i]!;
    [from, to] = [to, from === codes ? new Uint32Array(codes.length) : from];
  }
  return from;
}
