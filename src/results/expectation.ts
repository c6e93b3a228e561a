import { notBits } from "./counts.ts";
import { type Distribution, outcomesOf } from "./distribution.ts";
import { type Accuracy, meanInterval, type Sample, widened } from "./interval.ts";
import type { Layout } from "./layout.ts";
import {
  type Observable,
  type Pauli,
  type PauliTerm,
  rangeOf,
  readObservable,
  readPauliString,
} from "./pauli.ts";

/** The mean of an observable. */
export interface Expectation {
  /** The mean; of one Pauli string from −1 to 1. */
  value: number;
  /**
   * Standard error of the mean, as the shots are finite: √(s² / n + r² / n²) / (1 + 1 / n) for n shots of variance s²,
   * and values that may be up to r from the middle of their range; for one Pauli string s² = 1 − value² and r = 1. Above
   * 0 even where all shots agree; 0 when the state is computed and not sampled.
   */
  standardError: number;
  /** Lower end of the interval, which contains the mean in at least 95% of all cases; the value itself when it is exact. */
  low: number;
  /** Upper end of the interval. */
  high: number;
  /** Shots that the mean is taken of; 0 when the result is exact. */
  shots: number;
}

export const exactExpectation = (value: number): Expectation => ({
  value,
  standardError: 0,
  low: value,
  high: value,
  shots: 0,
});

/** Gates before a measurement that turn it into a measurement of another matrix than Z. */
const rotations = { X: "h", Y: "sdg, then h", Z: "no gate" } as const;
const zero = 48;

/**
 * The expectation of a sum of Pauli strings that were all measured, in Z or in a `basis`, into which the program turned each bit
 * before: `"XZ"`, or `"X1"` for the bits that are not measured in Z.
 * Throws a `RangeError` for an observable that can't be read, or was not measured; for outcomes that are not bit strings;
 * and for no outcomes.
 */
export function expectationOf(
  values: Distribution,
  { bits, offsets }: Layout,
  observable: Observable,
  { exact, fidelity, basis = "" }: Accuracy & { basis?: string },
): Expectation {
  const terms = readObservable(observable, bits);
  checkMeasured(terms, basis ? readPauliString(basis, bits, "bits") : new Map(), bits);
  const offsetOf = new Map(bits.map((bit, position) => [bit, offsets[position]!]));
  const places = terms.map(({ factors }) => Array.from(factors.keys(), bit => offsetOf.get(bit)!));
  const parityOf = (outcome: string, term: readonly number[]) => {
    let parity = 0;
    for (const place of term) {
      const bit = outcome.charCodeAt(place) - zero;
      if (bit !== 0 && bit !== 1) throw notBits(outcome);
      parity ^= bit;
    }
    return parity;
  };
  let [total, sum, squares] = [0, 0, 0];
  for (const outcome of outcomesOf(values)) {
    let value = 0;
    for (let term = 0; term < terms.length; term++)
      value += parityOf(outcome, places[term]!) ? -terms[term]!.coefficient : terms[term]!.coefficient;
    const weight = values[outcome]!;
    total += weight;
    sum += weight * value;
    squares += weight * value * value;
  }
  if (!(total > 0)) throw new RangeError("There are no outcomes to take the mean of.");
  const mean = sum / total;
  let [middle, reach] = [0, 0];
  for (const { coefficient, factors } of terms)
    if (factors.size === 0) middle += coefficient;
    else reach += Math.abs(coefficient);
  const variance = Math.max(0, squares / total - mean * mean);
  const found = exact
    ? exactExpectation(mean)
    : sampledExpectation({ mean, variance, middle, reach, size: total });
  return { ...found, ...widened(found, { middle, reach }, fidelity ?? 1) };
}

function sampledExpectation(sample: Sample): Expectation {
  const { mean, variance, reach, size } = sample;
  const standardError = Math.sqrt(variance * size + reach ** 2) / (size + 1);
  return { value: mean, standardError, ...meanInterval(sample), shots: size };
}

/** A simulator's value of an observable in the final states of its shots, and the part of these that was drawn, by default all. */
interface SimulatedMean {
  value: number;
  variance: number;
  shots: number;
  drawn?: { share: number; shots: number; mean: number; variance: number };
}

/** Rounding of the probabilities of final states. */
const ROUNDING = 1e-7;

/**
 * The mean of an observable as a simulator computed it in a state of some fidelity, with its interval.
 * Throws a `RangeError` for an observable that can't be read.
 */
export function simulatedExpectation(
  observable: Observable,
  { value, variance, shots, drawn = { share: 1, mean: value, variance, shots } }: SimulatedMean,
  fidelity = 1,
): Expectation {
  const bounds = rangeOf(observable);
  const within = (mean: number) => {
    const nearest = Math.max(bounds.middle - bounds.reach, Math.min(bounds.middle + bounds.reach, mean));
    return Math.abs(nearest - mean) <= 2 * ROUNDING * bounds.reach ? nearest : mean;
  };
  let found = exactExpectation(within(value));
  if (shots > 0) {
    const { share, ...sample } = drawn;
    const { low, high, standardError } = sampledExpectation({ ...sample, ...bounds, size: sample.shots });
    const rounding = share < 1 ? ROUNDING * bounds.reach : 0;
    found = {
      value: within(value),
      standardError: share * standardError,
      low: within(value - share * (sample.mean - low) - rounding),
      high: within(value + share * (high - sample.mean) + rounding),
      shots,
    };
  }
  return { ...found, ...widened(found, bounds, fidelity) };
}

/** Refuses an observable of which a bit was measured in another basis. */
function checkMeasured(
  terms: readonly PauliTerm[],
  basis: ReadonlyMap<number, Pauli>,
  bits: readonly number[],
): void {
  const wanted = new Map<number, Pauli>();
  for (const { factors } of terms)
    for (const [bit, pauli] of factors) {
      const other = wanted.get(bit) ?? pauli;
      if (other !== pauli)
        throw new RangeError(
          `No one measurement gives both ${other} and ${pauli} of bit ${bit}: measure the terms of each basis in a run of their own, and add the values.`,
        );
      wanted.set(bit, pauli);
    }
  for (const [bit, pauli] of wanted) {
    const measured = basis.get(bit) ?? "Z";
    if (measured === pauli) continue;
    const letters = bits.map(each => wanted.get(each) ?? basis.get(each) ?? "Z").reverse();
    throw new RangeError(
      `${pauli} can't be read from these outcomes, in which bit ${bit} was measured in ${measured}: turn its qubit before it is measured (${rotations[pauli]}), and say so, as in { basis: "${shortBasis(letters, wanted)}" }.`,
    );
  }
}

const shortBasis = (letters: readonly string[], wanted: ReadonlyMap<number, Pauli>) =>
  letters.length <= 16
    ? letters.join("")
    : Array.from(wanted, ([bit, pauli]) => `${pauli}${bit}`)
        .slice(0, 8)
        .join(" ");
