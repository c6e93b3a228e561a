import { removeSpaces } from "./outcome.ts";

/**
 * A sum of Pauli strings with real coefficients, as a string such as `"ZZ"`, `"0.5*XX - ZZ"` or `"Z0 Z3 + 2"`, or by
 * string: `{ "ZZ": 1, "X0": 0.5 }`. A string has one letter a bit, written like an outcome, the last declared bit on the
 * left, or names the bits that it acts on by number, as `X0 Z3` does.
 */
export type Observable = string | { readonly [pauliString: string]: number };

/** A Pauli matrix other than the identity. */
export type Pauli = "X" | "Y" | "Z";

/** A product of Pauli matrices on different bits, with its coefficient. Without factors it is a number. */
export interface PauliTerm {
  coefficient: number;
  /** Bit to matrix. */
  factors: ReadonlyMap<number, Pauli>;
}

const term = /([+-]?)\s*(?:((?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)\s*\*?\s*)?([^+-]*)/y;
const numbered = /^[A-Z]\s*\d+(?:[\s*]*[A-Z]\s*\d+)*$/;
const maxShown = 40;
/** Maximum sum of the sizes of coefficients, so that variances are finite. */
const maxSum = 1e100;

const quoted = (text: string) => JSON.stringify(text.slice(0, maxShown));

/**
 * Reads a sum of Pauli strings. Equal strings are added up.
 *
 * @param bits - The numbers of the bits that a string with a letter for each one names, from right to left.
 * @param noun - What a letter stands for, in errors: `bits` or `qubits`.
 * Throws a `RangeError` for what is no such sum, and for bits that are not there.
 */
export function readObservable(
  observable: Observable,
  bits: readonly number[],
  noun: "bits" | "qubits" = "bits",
): PauliTerm[] {
  const terms = new Map<string, PauliTerm>();
  for (const { coefficient, string } of splitObservable(observable)) {
    const factors = string === null ? new Map<number, Pauli>() : readPauliString(string, bits, noun);
    const key = Array.from(factors, ([bit, pauli]) => `${bit}${pauli}`)
      .sort()
      .join();
    terms.set(key, { coefficient: coefficient + (terms.get(key)?.coefficient ?? 0), factors });
  }
  return [...terms.values()];
}

/** A term of an observable whose Pauli string is not read yet; that of a number alone is null. */
interface UnreadTerm {
  coefficient: number;
  string: string | null;
}

function splitObservable(observable: Observable): UnreadTerm[] {
  const parts =
    typeof observable === "string"
      ? [...split(observable)]
      : Object.entries(Object(observable) as object).flatMap(([string, weight]) => {
          if (!Number.isFinite(weight))
            throw new RangeError(`The coefficient of ${quoted(string)} must be a number.`);
          return Array.from(split(string), part => ({ ...part, coefficient: part.coefficient * weight }));
        });
  if (!(parts.reduce((sum, { coefficient }) => sum + Math.abs(coefficient), 0) <= maxSum))
    throw new RangeError(`The coefficients of an observable must not add up to more than ${maxSum}.`);
  if (parts.length === 0) throw new RangeError('Name an observable: "ZZ", "0.5*XX - ZZ" or { "ZZ": 1 }.');
  return parts;
}

/** Whether a value is a sum of Pauli strings, as far as that can be told without the qubits. */
export function isObservable(value: unknown): value is Observable {
  try {
    return splitObservable(value as Observable).every(({ string }) => !/[^IXYZ\d\s*]/.test(string ?? ""));
  } catch {
    return false;
  }
}

/** The middle of the values that an observable may have, and how far they may be from it. */
export function rangeOf(observable: Observable): { middle: number; reach: number } {
  let [middle, reach] = [0, 0];
  for (const { coefficient, string } of splitObservable(observable))
    if (/[XYZ]/.test(string ?? "")) reach += Math.abs(coefficient);
    else middle += coefficient;
  return { middle, reach };
}

/** Splits a sum into its terms; the string of a number alone is null. */
function* split(text: string): Generator<UnreadTerm> {
  let at = text.length - text.trimStart().length;
  if (at === text.length) yield { coefficient: 1, string: "" };
  while (at < text.length) {
    term.lastIndex = at;
    const [found, sign, number, string = ""] = term.exec(text)!;
    if (string.trim() === "" && (number === undefined || (at > 0 && !sign)))
      throw new RangeError(`${quoted(text)} lacks a Pauli string after ${quoted(text.slice(0, at + 1))}.`);
    at += found.length;
    const size = Number(number ?? 1);
    if (!Number.isFinite(size))
      throw new RangeError(`The coefficient ${number!.slice(0, maxShown)} is too large.`);
    yield { coefficient: sign === "-" ? -size : size, string: string.trim() || null };
  }
}

/**
 * Reads a string such as `XZI` or `Z0 X2`: bit to matrix, identities left out.
 * Throws a `RangeError` for other letters, for another number of them, and for bits that are not there or named twice.
 */
export function readPauliString(
  string: string,
  bits: readonly number[],
  noun: "bits" | "qubits",
): Map<number, Pauli> {
  const wrong = /[^IXYZ\d\s*]/.exec(string)?.[0];
  if (wrong !== undefined)
    throw new RangeError(
      `${JSON.stringify(wrong)} is not an observable. Write I, X, Y or Z, in capitals, for each bit.`,
    );
  return numbered.test(string) ? readNumbered(string, bits, noun) : readLetters(string, bits, noun);
}

function readLetters(string: string, bits: readonly number[], noun: string): Map<number, Pauli> {
  const letters = removeSpaces(string);
  if (/[\d*]/.test(letters))
    throw new RangeError(
      `${quoted(string)} can't be read: write a letter for each bit, or number each letter, as in "Z0 Z3".`,
    );
  if (letters.length !== bits.length)
    throw new RangeError(
      `${letters.length} letters don't fit ${noun === "bits" ? "outcomes" : "a state"} of ${bits.length} ${noun}: write one for each, the last declared on the left, or number them, as in "Z0 Z3".`,
    );
  const factors = new Map<number, Pauli>();
  for (const [position, bit] of bits.entries()) {
    const letter = letters[letters.length - 1 - position]!;
    if (letter !== "I") factors.set(bit, letter as Pauli);
  }
  return factors;
}

function readNumbered(string: string, bits: readonly number[], noun: string): Map<number, Pauli> {
  const known = new Set(bits);
  const named = new Set<number>();
  const factors = new Map<number, Pauli>();
  for (const [, letter, digits] of string.matchAll(/([A-Z])\s*(\d+)/g)) {
    const bit = Number(digits);
    const one = noun.slice(0, -1);
    if (!known.has(bit))
      throw new RangeError(`${quoted(string)}: there is no ${one} ${digits!.slice(0, 20)}.`);
    if (named.has(bit)) throw new RangeError(`${quoted(string)} names ${one} ${bit} twice.`);
    named.add(bit);
    if (letter !== "I") factors.set(bit, letter as Pauli);
  }
  return factors;
}
