import {
  add,
  type Distribution,
  freezeWithOutcomes,
  type MutableDistribution,
  outcomesOf,
  put,
  totalOf,
  valueAt,
} from "./distribution.ts";
import { type Accuracy, type Interval, intervalRule } from "./interval.ts";
import { type Layout, mapOutcomes } from "./layout.ts";
import { compareOutcomes, isBitString, numberOf } from "./outcome.ts";

/** The maximum number of bits for which every outcome, seen or not, is listed. */
const maxListedBits = 20;

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
  const prefix = base === 16 ? "0x" : "";
  return mapOutcomes(counts, outcome => {
    const number = numberOf(outcome);
    if (number === undefined) throw notBits(outcome);
    return prefix + number.toString(base);
  });
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

/** The outcomes that are likeliest over several distributions together, each of which weighs the same. */
export function likeliestOutcomes(all: readonly Distribution[], n: number): string[] {
  const shares: MutableDistribution = {};
  for (const values of all) {
    const total = totalOf(values);
    if (total > 0) for (const outcome of outcomesOf(values)) add(shares, outcome, values[outcome]! / total);
  }
  return topOutcomes(shares, n).top.map(({ outcome }) => outcome);
}

/** Lists the outcomes of several distributions together, in ascending order; `undefined` when there are more than `max`. */
export function unionOfOutcomes(all: readonly Distribution[], max: number): string[] | undefined {
  const union = new Set<string>();
  for (const values of all)
    for (const outcome of outcomesOf(values)) if (union.add(outcome).size > max) return undefined;
  return [...union].sort(compareOutcomes);
}

/** Returns the values of these outcomes, 0 for those that a distribution lacks. */
export function withOutcomes(values: Distribution, outcomes: readonly string[]): Distribution {
  const listed: MutableDistribution = {};
  for (const outcome of outcomes) put(listed, outcome, valueAt(values, outcome));
  return freezeWithOutcomes(outcomes, listed);
}

/** The share of one outcome, seen or not, with its interval; an exact one is its own interval. */
export function shareOf(
  values: Distribution,
  outcome: string,
  accuracy: Accuracy,
): { probability: number } & Interval {
  const [value, total] = [valueAt(values, outcome), totalOf(values)];
  const probability = accuracy.exact ? value : total > 0 ? value / total : 0;
  const { low, high } = intervalRule(total, accuracy)?.(value) ?? { low: value, high: value };
  return { probability, low, high };
}

/** An outcome and its count or probability. */
export interface Outcome {
  outcome: string;
  value: number;
}

/** Outcomes that are collected before the likeliest of them are chosen, besides twice those that are asked for. */
const surplus = 1000;

/**
 * Finds the `n` likeliest outcomes of those collected so far, again and again, so 2^20 outcomes are never sorted.
 *
 * @returns Those in descending order of value, equal ones by outcome; the number of the others and the sum of their values; the
 *   number of all that count, and their sum.
 * @param zeros - Whether outcomes of value 0 count too. Default: false.
 */
export function topOutcomes(values: Distribution, n: number, zeros = false) {
  const limit = Math.max(0, Math.floor(n));
  const top: Outcome[] = [];
  let [total, outcomes, smallest, least] = [0, 0, 0, Number.NEGATIVE_INFINITY];
  const choose = () => {
    top.sort((a, b) => b.value - a.value || compareOutcomes(a.outcome, b.outcome)).splice(limit);
    least = top.at(-1)?.value ?? Number.POSITIVE_INFINITY;
  };
  for (const outcome of outcomesOf(values)) {
    const value = values[outcome]!;
    if (!(value > 0 || value < 0 || zeros)) continue;
    total += value;
    outcomes++;
    smallest = Math.min(smallest, value);
    if (value >= least) top.push({ outcome, value });
    if (top.length > 2 * limit + surplus) choose();
  }
  choose();
  const left = outcomes - top.length;
  const value = left === 0 ? 0 : total - top.reduce((sum, one) => sum + one.value, 0);
  return {
    top,
    rest: { outcomes: left, value: smallest < 0 ? value : Math.max(0, value) },
    outcomes,
    total,
  };
}
