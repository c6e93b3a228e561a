import { notBits } from "./counts.ts";
import { type Distribution, outcomesOf } from "./distribution.ts";
import { wilsonInterval, wilsonStandardError } from "./interval.ts";
import type { Layout } from "./layout.ts";
import { compact } from "./outcome.ts";

/** The mean of an observable whose values are +1 and −1. */
export interface Expectation {
  /** The mean, from −1 to 1. */
  value: number;
  /**
   * How far the mean may be off because the shots are finite: half the width of a Wilson interval of one standard
   * deviation, √((1 − value²) / n + 1 / n²) / (1 + 1 / n) for n shots. Above 0 even where all shots agree; 0 when
   * the result is exact.
   */
  standardError: number;
  /** Lower end of the 95 % Wilson interval, from −1 to 1; the value itself when the result is exact. */
  low: number;
  /** Upper end of the 95 % Wilson interval. */
  high: number;
  /** Shots that the mean is taken of; 0 when the result is exact. */
  shots: number;
}

const zero = 48;

/** The places of the symbols that a string such as `ZZI` asks for. */
function placesOf(observable: string, { offsets }: Layout): number[] {
  const letters = compact(observable);
  const wrong = /[^IZ]/.exec(letters)?.[0];
  if (wrong === "X" || wrong === "Y")
    throw new RangeError(
      `${wrong} can't be read from these outcomes: turn the qubit before it is measured ` +
        `(${wrong === "X" ? "h" : "sdg, then h"}), and ask for Z in its place.`,
    );
  if (wrong !== undefined)
    throw new RangeError(`${JSON.stringify(wrong)} is no observable: write I and Z, one for each bit.`);
  if (letters.length !== offsets.length)
    throw new RangeError(
      `${letters.length} letters don't fit outcomes of ${offsets.length} bits: write one for each bit.`,
    );
  return offsets.filter((_, position) => letters[letters.length - 1 - position] === "Z");
}

/**
 * The expectation of a product of Z on some bits, such as `ZZI`: written like an outcome, bit 0 on the right.
 * Throws a `RangeError` for other letters, another width, outcomes that are no bit strings, and no outcomes.
 */
export function expectationOf(
  values: Distribution,
  layout: Layout,
  observable: string,
  exact: boolean,
): Expectation {
  const places = placesOf(observable, layout);
  let total = 0;
  let odd = 0;
  for (const outcome of outcomesOf(values)) {
    let parity = 0;
    for (const place of places) {
      const bit = outcome.charCodeAt(place) - zero;
      if (bit !== 0 && bit !== 1) throw notBits(outcome);
      parity ^= bit;
    }
    const value = values[outcome]!;
    total += value;
    if (parity) odd += value;
  }
  if (!(total > 0)) throw new RangeError("There are no outcomes to take the mean of.");
  const value = (total - 2 * odd) / total;
  if (exact) return { value, standardError: 0, low: value, high: value, shots: 0 };
  const even = wilsonInterval(total - odd, total);
  const standardError = 2 * wilsonStandardError(total - odd, total);
  return { value, standardError, low: 2 * even.low - 1, high: 2 * even.high - 1, shots: total };
}
