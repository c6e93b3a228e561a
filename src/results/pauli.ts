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
/** Maximum sum of the sizes of coefficients, to keep variances finite. */
const maxSum = 1e100;

const quoted = (text: string) => JSON.stringify(text.slice(0, maxShown));

/**
 * Reads a sum of Pauli strings. Equal strings are added up.
 *
 * @param bits - The numbers of the bits that a string with a letter for each one names, from right to left.
 * @param noun - What a letter stands for, in errors: `bits` or `qubits`.
 * Throws a `RangeError` for anything but such a sum, and for unknown bits.
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

/** A term of an observable whose Pauli string is not read yet; null for a plain number. */
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

/** Splits a sum into its terms; the string of a plain number is null. */
function* split(text: string): Generator<UnreadTerm> {
  let at = text.length - text.trimStart().length;
  if (at === text.length) yield { coefficient: 1, string: "" };
  while (at < text.length) {
    term.lastIndex = at;
    const [found, sign, number, string = ""] = term.exec(text)!;
    if (string.trim() === "" && (number === undefined || (at > 0 && !sign) || /\*\s*$/.test(found)))
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
 * Throws a `RangeError` for other letters, for another number of them, and for bits that are unknown or named twice.
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

const LETTERS = ["I", "X", "Y", "Z"] as const;
/** Smaller coefficients are rounding, relative to the largest entry. */
const ROUNDING = 1e-14;

type Entries = ReturnType<typeof entriesOf>;

/**
 * Finds the entries of a Pauli string: the bits of a column's number that differ in its row, those that change the sign, and
 * the power of i of all of them.
 */
function entriesOf(letters: Iterable<readonly [bit: number, letter: Pauli | "I"]>) {
  const entries = { flips: 0, signs: 0, turns: 0 };
  for (const [bit, letter] of letters) {
    if (letter === "X" || letter === "Y") entries.flips |= 1 << bit;
    if (letter === "Y" || letter === "Z") entries.signs |= 1 << bit;
    if (letter === "Y") entries.turns++;
  }
  return entries;
}

/** Lists all Pauli strings on some qubits, the identity first, each with its name, such as `X0 Z2`. */
function stringsOn(qubits: readonly number[]): (Entries & { name: string })[] {
  return Array.from({ length: 4 ** qubits.length }, (_, index) => {
    const letters = qubits.map((_, place) => LETTERS[Math.floor(index / 4 ** place) % 4]!);
    const factors = qubits
      .map((qubit, place) => ({ qubit, letter: letters[place]! }))
      .filter(({ letter }) => letter !== "I")
      .sort((a, b) => a.qubit - b.qubit);
    const name = factors.map(({ qubit, letter }) => `${letter}${qubit}`).join(" ") || `I${qubits[0]}`;
    return { name, ...entriesOf(letters.entries()) };
  });
}

function entryOf({ signs, turns }: Entries, column: number): [re: number, im: number] {
  const power = turns + (isOdd(column & signs) ? 2 : 0);
  return [[1, 0, -1, 0][power % 4]!, [0, 1, 0, -1][power % 4]!];
}

/** The names of all Pauli strings on some qubits but the identity. */
export const pauliStringsOn = (qubits: readonly number[]): string[] =>
  stringsOn(qubits)
    .slice(1)
    .map(({ name }) => name);

/**
 * A Hermitian matrix on some qubits as a sum of Pauli strings: by string its coefficient. Its values are real and imaginary
 * parts, interleaved, row by row; the first qubit is the lowest bit of a row's number.
 */
export function pauliSumOf(
  { size, values }: { readonly size: number; readonly values: ArrayLike<number> },
  qubits: readonly number[],
): { [pauliString: string]: number } {
  const scale = Array.from(values).reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  const terms = stringsOn(qubits).map(string => {
    let sum = 0;
    for (let column = 0; column < size; column++) {
      const at = 2 * (column * size + (column ^ string.flips));
      const [re, im] = entryOf(string, column);
      sum += re * values[at]! - im * values[at + 1]!;
    }
    return [string.name, sum / size] as const;
  });
  const kept = terms.filter(([, coefficient]) => Math.abs(coefficient) > ROUNDING * scale);
  return Object.fromEntries(kept.length > 0 ? kept : terms.slice(0, 1));
}

/** The density matrix of some qubits, of the expectation values of all Pauli strings on them. */
export function matrixOfMeans(
  qubits: readonly number[],
  meanOf: (pauliString: string) => number,
): { size: number; values: Float64Array } {
  const size = 2 ** qubits.length;
  const values = new Float64Array(2 * size * size);
  stringsOn(qubits).forEach((string, index) => {
    const mean = (index === 0 ? 1 : meanOf(string.name)) / size;
    for (let column = 0; column < size; column++) {
      const at = 2 * ((column ^ string.flips) * size + column);
      const [re, im] = entryOf(string, column);
      values[at]! += mean * re;
      values[at + 1]! += mean * im;
    }
  });
  return { size, values };
}

/**
 * The expectation ⟨ψ|O|ψ⟩ of a sum of Pauli strings.
 *
 * @param amplitudes - Real and imaginary parts, interleaved; qubit `q` is bit `q` of an amplitude's place.
 */
export function stateExpectation(amplitudes: ArrayLike<number>, terms: readonly PauliTerm[]): number {
  return terms.reduce((sum, { coefficient, factors }) => sum + coefficient * meanOf(amplitudes, factors), 0);
}

/** A Pauli string takes |j⟩ to iʸ (−1)^|j ∧ signs| |j ⊕ flips⟩, with y the number of its Y. */
function meanOf(amplitudes: ArrayLike<number>, factors: PauliTerm["factors"]): number {
  const { flips, signs, turns } = entriesOf(factors);
  let [re, im] = [0, 0];
  for (let from = 0; 2 * from < amplitudes.length; from++) {
    const to = from ^ flips;
    const [a, b] = [amplitudes[2 * from]!, amplitudes[2 * from + 1]!];
    const [c, d] = [amplitudes[2 * to]!, amplitudes[2 * to + 1]!];
    const sign = isOdd(from & signs) ? -1 : 1;
    re += sign * (c * a + d * b);
    im += sign * (c * b - d * a);
  }
  return [re, -im, -re, im][turns % 4]!;
}

function isOdd(bits: number): boolean {
  let folded = bits ^ (bits >> 16);
  for (const shift of [8, 4, 2, 1]) folded ^= folded >> shift;
  return (folded & 1) === 1;
}
