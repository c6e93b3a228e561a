import { add, type Distribution, type MutableDistribution, outcomesOf } from "./distribution.ts";

const bits = /^[01]+$/;

const maxExactBits = 53;

export function removeSpaces(outcome: string): string {
  return outcome.includes(" ") ? outcome.replaceAll(" ", "") : outcome;
}

/** Symbols of an outcome, spaces between registers not counted: 5 for `00 101`. */
export function widthOf(outcome: string): number {
  return removeSpaces(outcome).length;
}

/** Whether an outcome is made of 0 and 1 alone (and spaces between registers). */
export function isBitString(outcome: string): boolean {
  return bits.test(removeSpaces(outcome));
}

/** Reads a bit string as a number, the leftmost bit being the highest; `undefined` for other alphabets. */
export function numberOf(outcome: string): number | bigint | undefined {
  const digits = removeSpaces(outcome);
  if (!bits.test(digits)) return undefined;
  return digits.length <= maxExactBits ? Number.parseInt(digits, 2) : BigInt(`0b${digits}`);
}

/** Orders outcomes as a person counts: shorter ones first, then symbol by symbol. */
export function compareOutcomes(a: string, b: string): number {
  return a.length - b.length || (a < b ? -1 : a > b ? 1 : 0);
}

/** In how many symbols two outcomes of one width differ. Throws a `RangeError` when their widths differ. */
export function hammingDistance(a: string, b: string): number {
  const [left, right] = [removeSpaces(a), removeSpaces(b)];
  if (left.length !== right.length)
    throw new RangeError(
      `Outcomes of ${left.length} and ${right.length} symbols have no Hamming distance: give a target as wide as the outcomes.`,
    );
  let distance = 0;
  for (let index = 0; index < left.length; index++) if (left[index] !== right[index]) distance++;
  return distance;
}

const decimal = /^(?:0|[1-9]\d*)$/;
const hexadecimal = /^0x[\da-f]+$/i;
const prefixed = /^0b[01]+$/i;

/** Reads outcomes as bit strings of a width, in one way; `undefined` when they can't be read so. */
type Reading = (outcome: string, width: number) => string | undefined;

const padded = (bits: string, width: number) =>
  bits.length <= width ? bits.padStart(width, "0") : undefined;
const asNumber =
  (form: RegExp): Reading =>
  (outcome, width) =>
    outcome.length <= width + 18 && form.test(outcome)
      ? padded(BigInt(outcome).toString(2), width)
      : undefined;
const asBits: Reading = (outcome, width) => (bits.test(outcome) ? padded(outcome, width) : undefined);

/** Ways of writing an outcome of some bits as a number, or without its leading zeros. */
const readings: readonly Reading[] = [asNumber(decimal), asNumber(hexadecimal), asNumber(prefixed), asBits];

/** Whether all outcomes are bit strings of one length. */
export function areBitStrings(values: Distribution): boolean {
  const outcomes = outcomesOf(values);
  return outcomes.every(outcome => outcome.length === outcomes[0]!.length) && outcomes.every(isBitString);
}

/**
 * Writes outcomes that are numbers (`5`, `0x5`, `0b101`), or that lack leading zeros, as bit strings of `width` bits.
 * Outcomes stay as they are when they are bit strings of one width already, be it another one; when some can't be
 * read in the way of the others; and when they could be read in two ways, as `1`, `10` and `11` of 4 bits can.
 */
export function toBitStrings(values: Distribution, width: number): Distribution {
  const outcomes = outcomesOf(values);
  const [first = ""] = outcomes;
  const isDone = isBitString(first) && removeSpaces(first).length === width;
  if (isDone && outcomes.every(outcome => outcome.length === first.length)) return values;
  if (areBitStrings(values)) return values;
  const read = readings.flatMap(reading => readAll(outcomes, width, reading) ?? []);
  const [bits] = read;
  if (!bits || read.some(other => other.some((outcome, index) => outcome !== bits[index]))) return values;
  const renamed: MutableDistribution = {};
  for (const [index, outcome] of bits.entries()) add(renamed, outcome, values[outcomes[index]!]!);
  return Object.freeze(renamed);
}

function readAll(outcomes: readonly string[], width: number, reading: Reading): [string[]] | undefined {
  const read: string[] = [];
  for (const outcome of outcomes) {
    const bits = reading(outcome, width);
    if (bits === undefined) return undefined;
    read.push(bits);
  }
  return [read];
}

const isDigit = (value: unknown) => Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 9;
const isReading = (value: unknown): value is number[] => Array.isArray(value) && value.every(isDigit);

/**
 * Writes a shot as a string: `"01"` of `"01"` or `[0, 1]`; of neutral atoms a letter a site, `e` where it was empty,
 * `r` where the atom was in its Rydberg state, and `g` in its ground state. `null` for a shot that did not succeed,
 * `undefined` for anything but a shot.
 */
export function shotOutcome(shot: unknown): string | null | undefined {
  if (typeof shot === "string") return shot;
  if (isReading(shot)) return shot.join("");
  if (typeof shot !== "object" || shot === null || Array.isArray(shot)) return undefined;
  // Occupation of each site before, and after Rydberg states were ejected.
  const { success, pre_sequence: before, post_sequence: after } = shot as { [member: string]: unknown };
  if (success === false) return null;
  if (!isReading(before) || !isReading(after) || before.length !== after.length) return undefined;
  return before.map((atom, site) => (atom === 0 ? "e" : after[site] === 0 ? "r" : "g")).join("");
}

export function countOutcomes(shots: readonly string[]): Distribution {
  const counts: MutableDistribution = {};
  for (const shot of shots) add(counts, shot, 1);
  return Object.freeze(counts);
}

/** The outcome with its symbols reversed, spaces between registers included. */
export const reverseSymbols = (outcome: string) => [...outcome].reverse().join("");

/** Whether shots are those that were counted, read from the other end. */
export function areReversedShots(shots: readonly string[], counts: Distribution): boolean {
  const seen = countOutcomes(shots);
  const outcomes = outcomesOf(seen);
  const agree = (write: (outcome: string) => string) =>
    outcomes.every(outcome => seen[outcome] === counts[write(outcome)]);
  return !agree(outcome => outcome) && agree(reverseSymbols);
}
