import {
  add,
  type Distribution,
  freezeWithOutcomes,
  type MutableDistribution,
  outcomesOf,
  put,
  totalOf,
} from "./distribution.ts";
import type { Layout } from "./layout.ts";
import { isBitString, numberOf } from "./outcome.ts";

/** The maximum number of bits for which every outcome, seen or not, is listed. */
const maxListedBits = 20;

/** Returns the error for an outcome that is not a bit string. */
export const notBits = (outcome: string) =>
  new RangeError(`Outcome ${JSON.stringify(outcome.slice(0, 64))} is not a bit string.`);

/** Divides counts by their total. Empty when nothing was counted. */
export function probabilitiesOf(counts: Distribution): Distribution {
  const total = totalOf(counts);
  const shares: MutableDistribution = {};
  if (!(total > 0)) return shares;
  const outcomes = outcomesOf(counts);
  for (const outcome of outcomes) put(shares, outcome, counts[outcome]! / total);
  return freezeWithOutcomes(outcomes, shares);
}

/**
 * Renames outcomes to the numbers that they write, spaces between registers left out: to `5`, or `0x5` in base 16.
 * Throws a `RangeError` for an outcome that is not a bit string.
 */
export function numberedCounts(counts: Distribution, base: 10 | 16): Distribution {
  const renamed: MutableDistribution = {};
  const prefix = base === 16 ? "0x" : "";
  for (const outcome of outcomesOf(counts)) {
    const number = numberOf(outcome);
    if (number === undefined) throw notBits(outcome);
    add(renamed, prefix + number.toString(base), counts[outcome]!);
  }
  return Object.freeze(renamed);
}

/**
 * Lists the outcomes that were never seen too, with 0, in the order of their numbers.
 * Throws a `RangeError` beyond 20 bits, and for outcomes that are not bit strings.
 */
export function withZeros(values: Distribution, { bits, length, offsets }: Layout): Distribution {
  if (bits.length > maxListedBits)
    throw new RangeError(
      `All outcomes of ${bits.length} bits are too many to list: ${maxListedBits} bits is the limit.`,
    );
  for (const outcome of outcomesOf(values)) if (!isBitString(outcome)) throw notBits(outcome);
  const all: MutableDistribution = {};
  const outcomes: string[] = [];
  const symbols = new Array<string>(length).fill(" ");
  for (let number = 0; bits.length > 0 && number < 2 ** bits.length; number++) {
    for (let bit = 0; bit < bits.length; bit++) symbols[offsets[bit]!] = (number >> bit) & 1 ? "1" : "0";
    const outcome = symbols.join("");
    all[outcome] = values[outcome] ?? 0;
    outcomes.push(outcome);
  }
  return freezeWithOutcomes(outcomes, all);
}
