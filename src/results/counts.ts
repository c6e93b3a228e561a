import { bitStringOf, type Distribution, decimalOf, isBitString, widthOf } from "./outcome.ts";

/** The most bits for which every outcome, seen or not, is listed. */
const maxListedBits = 20;

/** Sets a value under any name, that of an inherited member too. */
function put(record: { [outcome: string]: number }, outcome: string, value: number): void {
  if (outcome === "__proto__")
    Object.defineProperty(record, outcome, { value, enumerable: true, writable: true, configurable: true });
  else record[outcome] = value;
}

/** The sum of all values: the shots, when they are counts. */
export function totalOf(values: Distribution): number {
  let total = 0;
  for (const outcome of Object.keys(values)) total += values[outcome]!;
  return total;
}

/**
 * Checks counts from outside and leaves out outcomes that were never seen.
 * Throws a `RangeError` that names the outcome when a value is negative or not finite.
 */
export function normalizeCounts(counts: Distribution): Distribution {
  const kept: { [outcome: string]: number } = {};
  for (const outcome of Object.keys(counts)) {
    const value = counts[outcome]!;
    if (!Number.isFinite(value) || value < 0)
      throw new RangeError(
        `The count of outcome ${JSON.stringify(outcome.slice(0, 64))} is ${value}: it must be 0 or more.`,
      );
    if (value > 0) put(kept, outcome, value);
  }
  return kept;
}

/** Divides counts by their total. Empty when nothing was counted. */
export function probabilitiesOf(counts: Distribution): Distribution {
  const total = totalOf(counts);
  const shares: { [outcome: string]: number } = {};
  if (total > 0) for (const outcome of Object.keys(counts)) put(shares, outcome, counts[outcome]! / total);
  return shares;
}

/** Symbols of the longest outcome; 0 when there is none. */
export function registerWidth(values: Distribution): number {
  let width = 0;
  for (const outcome of Object.keys(values)) width = Math.max(width, widthOf(outcome));
  return width;
}

/** Renames outcomes to decimal numbers. Throws a `RangeError` for an outcome that is not a bit string. */
export function decimalCounts(counts: Distribution): Distribution {
  const renamed: { [outcome: string]: number } = {};
  for (const outcome of Object.keys(counts)) {
    const decimal = decimalOf(outcome);
    if (decimal === undefined)
      throw new RangeError(`Outcome ${JSON.stringify(outcome.slice(0, 64))} is not a bit string.`);
    renamed[decimal.toString()] = counts[outcome]!;
  }
  return renamed;
}

/**
 * Adds the outcomes of a register of `width` bits that were never seen, with 0.
 * Throws a `RangeError` beyond 20 bits, and for outcomes that are not plain bit strings of that width.
 */
export function withZeros(counts: Distribution, width: number = registerWidth(counts)): Distribution {
  if (width > maxListedBits)
    throw new RangeError(
      `All outcomes of ${width} bits are too many to list; ${maxListedBits} bits is the most.`,
    );
  for (const outcome of Object.keys(counts))
    if (outcome.length !== width || !isBitString(outcome))
      throw new RangeError(
        `Outcome ${JSON.stringify(outcome.slice(0, 64))} is not a string of ${width} bits.`,
      );
  const all: { [outcome: string]: number } = {};
  for (let value = 0; width > 0 && value < 2 ** width; value++) {
    const outcome = bitStringOf(value, width);
    all[outcome] = counts[outcome] ?? 0;
  }
  return all;
}
