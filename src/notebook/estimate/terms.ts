import { type Observable, type PauliTerm, readObservable } from "../../results/index.ts";
import type { LibraryCall } from "../../simulation/index.ts";

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

const bit = (mask: bigint, place: number): bigint => (mask >> BigInt(place)) & 1n;

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
    .map(place => `${bit(x, place) ? (bit(z, place) ? "Y" : "X") : "Z"}${place}`)
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

/** The value of a term in an outcome: the parity of some qubits, and its sign. */
export interface Reading {
  readonly term: number;
  /** The qubits whose outcomes are multiplied. */
  readonly mask: bigint;
  readonly sign: 1 | -1;
}

/** Terms that one measurement gives, and the gates before it. */
export interface Group {
  readonly readings: readonly Reading[];
  readonly gates: readonly LibraryCall[];
}

/** Relative growth of a group's error by each two-qubit gate before its measurement. */
const GATE_GROWTH = 0.1;

/**
 * Sorts terms into groups that are measured together: those that commute qubit by qubit; or those that commute at all, if
 * fewer shots are expected to suffice, errors of the two-qubit gates before the measurement included.
 */
export function groupTerms(terms: Terms, gateGrowth = GATE_GROWTH): Group[] {
  const sizes = sizesOf(terms);
  const ways = [
    sortInto(terms.strings, sizes, commuteByQubit).map(places => groupByQubit(terms.strings, places)),
    sortInto(terms.strings, sizes, commute).map(places => {
      const strings = places.map(place => terms.strings[place]!);
      const isByQubit = strings.every((a, i) => strings.every((b, j) => j <= i || commuteByQubit(a, b)));
      return isByQubit ? groupByQubit(terms.strings, places) : groupByRotation(terms.strings, places);
    }),
  ];
  const costs = ways.map(groups =>
    groups.reduce((sum, { readings, gates }) => {
      const size = Math.hypot(...readings.map(({ term }) => sizes[term]!));
      return sum + size * (1 + gateGrowth * gates.filter(({ qubits }) => qubits.length > 1).length);
    }, 0),
  );
  return costs[1]! < costs[0]! ? ways[1]! : ways[0]!;
}

/** Puts each term, the largest first, into the first list whose members all agree with it. */
function sortInto(
  strings: readonly PauliString[],
  sizes: readonly number[],
  agree: (a: PauliString, b: PauliString) => boolean,
): number[][] {
  const lists: number[][] = [];
  const order = strings.map((_, place) => place).sort((a, b) => sizes[b]! - sizes[a]! || a - b);
  for (const place of order) {
    const list = lists.find(members => members.every(member => agree(strings[member]!, strings[place]!)));
    if (list) list.push(place);
    else lists.push([place]);
  }
  return lists;
}

function groupByQubit(strings: readonly PauliString[], places: readonly number[]): Group {
  let [x, z] = [0n, 0n];
  for (const place of places) {
    x |= strings[place]!.x;
    z |= strings[place]!.z;
  }
  const gates = placesOf(x).flatMap(qubit =>
    (bit(z, qubit) ? ["sdg", "h"] : ["h"]).map((gate): LibraryCall => ({ gate, qubits: [qubit] })),
  );
  const readings = places.map((term): Reading => ({ term, mask: supportOf(strings[term]!), sign: 1 }));
  return { readings, gates };
}

/** A Pauli string with its sign: odd for −1. */
interface SignedString {
  x: bigint;
  z: bigint;
  sign: bigint;
}

/** Turns a string as a gate turns what it acts on: U P U⁻¹. */
function conjugate(string: SignedString, { gate, qubits: [a = 0, b = 0] }: LibraryCall): void {
  const [xa, za, xb, zb] = [bit(string.x, a), bit(string.z, a), bit(string.x, b), bit(string.z, b)];
  const [A, B] = [BigInt(a), BigInt(b)];
  if (gate === "h") {
    string.sign ^= xa & za;
    string.x ^= (xa ^ za) << A;
    string.z ^= (xa ^ za) << A;
  } else if (gate === "s") {
    string.sign ^= xa & za;
    string.z ^= xa << A;
  } else if (gate === "cx") {
    string.sign ^= xa & zb & (xb ^ za ^ 1n);
    string.x ^= xa << B;
    string.z ^= zb << A;
  } else {
    string.sign ^= xa & xb & (za ^ zb);
    string.z ^= (xa << B) ^ (xb << A);
  }
}

/**
 * Finds Clifford gates after which commuting strings are products of Z: one string after the other is turned into X on one
 * of its qubits, and that into Z.
 */
function groupByRotation(strings: readonly PauliString[], places: readonly number[]): Group {
  const signed = places.map(place => ({ x: strings[place]!.x, z: strings[place]!.z, sign: 0n }));
  const rows = signed.map(string => ({ ...string }));
  const gates: LibraryCall[] = [];
  const apply = (gate: string, ...qubits: number[]) => {
    const call = { gate, qubits };
    gates.push(call);
    for (const string of [...signed, ...rows]) conjugate(string, call);
  };
  for (;;) {
    const open = rows.filter(({ x }) => x !== 0n);
    if (open.length === 0) break;
    const row = open.reduce((best, each) =>
      countBits(each.x | each.z) < countBits(best.x | best.z) ? each : best,
    );
    const [pivot, ...others] = placesOf(row.x) as [number, ...number[]];
    for (const other of others) apply("cx", pivot, other);
    if (bit(row.z, pivot)) apply("s", pivot);
    for (const other of placesOf(row.z)) apply("cz", pivot, other);
    apply("h", pivot);
    for (const other of rows) if (other !== row && bit(other.z, pivot)) other.z ^= row.z;
  }
  const readings = signed.map(
    ({ z, sign }, index): Reading => ({ term: places[index]!, mask: z, sign: sign ? -1 : 1 }),
  );
  return { readings, gates };
}
