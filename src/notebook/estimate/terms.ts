import { type Observable, type PauliTerm, readObservable } from "../../results/index.ts";

/** A product of Pauli matrices on qubits, as masks: bit i of `x` is set for X and Y on qubit i, of `z` for Z and Y. */
export interface PauliString {
  readonly x: bigint;
  readonly z: bigint;
}

/** A sum of numbered terms and a number. */
export interface TermSum {
  readonly constant: number;
  /** Coefficient of each term, by its number. */
  readonly weights: ReadonlyMap<number, number>;
}

/** Terms of some observables, each string once. */
export interface Terms {
  readonly strings: readonly PauliString[];
  readonly sums: readonly TermSum[];
}

/** Returns the number of set bits. */
export function countBits(mask: bigint): number {
  let count = 0;
  for (let rest = mask; rest; rest &= rest - 1n) count++;
  return count;
}

/** Lists the places of set bits, ascending. */
export function placesOf(mask: bigint): number[] {
  const places: number[] = [];
  for (let place = 0, rest = mask; rest; place++, rest >>= 1n) if (rest & 1n) places.push(place);
  return places;
}

/** Returns the qubits that a string acts on. */
export const supportOf = ({ x, z }: PauliString): bigint => x | z;

/** Whether two strings commute. */
export const commute = (a: PauliString, b: PauliString): boolean =>
  (countBits(a.x & b.z) + countBits(a.z & b.x)) % 2 === 0;

/** Whether two strings have the same matrix on every qubit that both act on. */
export const commuteByQubit = (a: PauliString, b: PauliString): boolean =>
  (((a.x ^ b.x) | (a.z ^ b.z)) & supportOf(a) & supportOf(b)) === 0n;

/** Writes a string such as `X0 Z2`. */
export const stringName = ({ x, z }: PauliString): string =>
  placesOf(x | z)
    .map(place => {
      const [hasX, hasZ] = [(x >> BigInt(place)) & 1n, (z >> BigInt(place)) & 1n];
      return `${hasX ? (hasZ ? "Y" : "X") : "Z"}${place}`;
    })
    .join(" ");

/**
 * Reads observables of a program with `numQubits` qubits; strings that several have in common are one term.
 * Throws a `RangeError` for text that is not a sum of Pauli strings, and for missing qubits.
 */
export function readTerms(observables: readonly Observable[], numQubits: number): Terms {
  const qubits = Array.from({ length: numQubits }, (_, qubit) => qubit);
  const places = new Map<string, number>();
  const strings: PauliString[] = [];
  const sums = observables.map(observable => {
    const weights = new Map<number, number>();
    let constant = 0;
    for (const { coefficient, factors } of readObservable(observable, qubits, "qubits")) {
      if (factors.size === 0) constant += coefficient;
      else if (coefficient !== 0) {
        const string = stringOf(factors);
        const key = stringName(string);
        if (!places.has(key)) places.set(key, strings.push(string) - 1);
        weights.set(places.get(key)!, coefficient);
      }
    }
    return { constant, weights };
  });
  return { strings, sums };
}

function stringOf(factors: PauliTerm["factors"]): PauliString {
  let [x, z] = [0n, 0n];
  for (const [qubit, pauli] of factors) {
    if (pauli !== "Z") x |= 1n << BigInt(qubit);
    if (pauli !== "X") z |= 1n << BigInt(qubit);
  }
  return { x, z };
}

/** Returns the size of each term: the largest coefficient that it has in a sum. */
export const sizesOf = ({ strings, sums }: Terms): number[] =>
  strings.map((_, term) => Math.max(0, ...sums.map(({ weights }) => Math.abs(weights.get(term) ?? 0))));
