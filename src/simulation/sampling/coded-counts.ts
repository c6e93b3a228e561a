/** Bits of a code by which codes are sorted at a time. */
const DIGIT_BITS = 11;
const DIGITS = 2 ** DIGIT_BITS;

/** Counts of outcomes as numbers: of bit strings that are alike but for the bits of a code. */
export interface CodedCounts {
  /** What all outcomes have alike, with `?` where a bit of the code stands, the highest first. */
  readonly pattern: string;
  /** The code of each outcome, ascending. */
  readonly codes: Uint32Array;
  /** How often each outcome was seen. */
  readonly counts: Uint32Array;
}

/** Counts equal codes, of so many bits; returns each once, ascending. */
export function countCodes(given: Uint32Array, bits: number): Omit<CodedCounts, "pattern"> {
  const sorted = ascends(given) ? given : sort(given, bits);
  const codes = new Uint32Array(given.length);
  const counts = new Uint32Array(given.length);
  let last = -1;
  for (let i = 0; i < sorted.length; i++) {
    if (last < 0 || codes[last] !== sorted[i]!) codes[++last] = sorted[i]!;
    counts[last]!++;
  }
  return { codes: codes.slice(0, last + 1), counts: counts.slice(0, last + 1) };
}

/** Returns the place of each code among ascending ones, of which it is one. */
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

const ascends = (codes: Uint32Array): boolean => {
  for (let i = 1; i < codes.length; i++) if (codes[i - 1]! > codes[i]!) return false;
  return true;
};

/** Returns codes in ascending order, sorted digit by digit. */
function sort(codes: Uint32Array, bits: number): Uint32Array {
  let from = codes;
  let to: Uint32Array = new Uint32Array(codes.length);
  for (let shift = 0; shift < bits; shift += DIGIT_BITS) {
    const ends = new Uint32Array(DIGITS + 1);
    for (let i = 0; i < from.length; i++) ends[((from[i]! >>> shift) & (DIGITS - 1)) + 1]!++;
    for (let digit = 0; digit < DIGITS; digit++) ends[digit + 1]! += ends[digit]!;
    for (let i = 0; i < from.length; i++) to[ends[(from[i]! >>> shift) & (DIGITS - 1)]!++] = from[i]!;
    [from, to] = [to, from === codes ? new Uint32Array(codes.length) : from];
  }
  return from;
}
