import { add, type Distribution, type MutableDistribution, outcomesOf } from "./distribution.ts";
import { isBitString, removeSpaces } from "./outcome.ts";

const decimal = /^(?:0|[1-9]\d*)$/;
const hexadecimal = /^0x[\da-f]+$/i;
const prefixed = /^0b[01]+$/i;
const binary = /^[01]+$/;

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
const asBits: Reading = (outcome, width) => (binary.test(outcome) ? padded(outcome, width) : undefined);

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
