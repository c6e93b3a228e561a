import { add, type Distribution, type MutableDistribution, outcomesOf } from "./distribution.ts";

/** A shot of neutral atoms: whether each site held an atom before, and after Rydberg states were ejected. */
interface AtomShot {
  success?: unknown;
  pre_sequence?: unknown;
  post_sequence?: unknown;
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
  const { success, pre_sequence: before, post_sequence: after } = shot as AtomShot;
  if (success === false) return null;
  if (!isReading(before) || !isReading(after) || before.length !== after.length) return undefined;
  return before.map((atom, site) => (atom === 0 ? "e" : after[site] === 0 ? "r" : "g")).join("");
}

/** Counts how often each outcome was seen. */
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
