import { notBits } from "./counts.ts";
import { type Distribution, outcomesOf } from "./distribution.ts";
import type { Layout } from "./layout.ts";
import { compact } from "./outcome.ts";

/** The mean of an observable whose values are +1 and −1. */
export interface Expectation {
  value: number;
  /** How far the mean is off because the shots are finite: √((1 − value²) / shots); 0 when it is exact. */
  standardError: number;
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
  let sum = 0;
  for (const outcome of outcomesOf(values)) {
    let parity = 0;
    for (const place of places) {
      const bit = outcome.charCodeAt(place) - zero;
      if (bit !== 0 && bit !== 1) throw notBits(outcome);
      parity ^= bit;
    }
    const value = values[outcome]!;
    total += value;
    sum += parity ? -value : value;
  }
  if (!(total > 0)) throw new RangeError("There are no outcomes to take the mean of.");
  const value = sum / total;
  return { value, standardError: exact ? 0 : Math.sqrt((1 - value * value) / total) };
}
