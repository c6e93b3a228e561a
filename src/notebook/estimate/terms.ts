import { type Observable, readObservable } from "../../results/index.ts";
import {
  bit,
  commute,
  commuteByQubit,
  diagonalize,
  type LibraryCall,
  masksOf,
  type PauliMasks,
  placesOf,
  stringName,
  supportOf,
} from "../../simulation/index.ts";
import { observableName } from "../results/expectation-list.ts";

/** Terms of some observables, each string once, and the sums of them. */
export type Terms = ReturnType<typeof readTerms>;

/** Reads observables; strings that several have in common are one term. Throws a `RangeError` for anything else. */
export function readTerms(observables: readonly Observable[], numQubits: number) {
  const qubits = Array.from({ length: numQubits }, (_, qubit) => qubit);
  const places = new Map<string, number>();
  const strings: PauliMasks[] = [];
  const sums = observables.map(observable => {
    /** Coefficient of each term, by its number. */
    const weights = new Map<number, number>();
    let constant = 0;
    for (const { coefficient, factors } of readObservable(observable, qubits, "qubits")) {
      if (factors.size === 0) constant += coefficient;
      else if (coefficient !== 0) {
        const string = masksOf(factors);
        const key = stringName(string);
        if (!places.has(key)) places.set(key, strings.push(string) - 1);
        weights.set(places.get(key)!, coefficient);
      }
    }
    return { name: observableName(observable), constant, weights };
  });
  return { strings, sums };
}

/** The value of a term in an outcome: the parity of some qubits, and its sign. */
export interface Reading {
  readonly term: number;
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

/** Groups terms that commute qubit by qubit; or those that commute at all, if fewer shots are expected to suffice. */
export function groupTerms(terms: Terms, gateGrowth = GATE_GROWTH): Group[] {
  const sizes = terms.strings.map((_, term) =>
    Math.max(0, ...terms.sums.map(({ weights }) => Math.abs(weights.get(term) ?? 0))),
  );
  const ways = [
    sortInto(terms.strings, sizes, commuteByQubit).map(places => groupByQubit(terms.strings, places)),
    sortInto(terms.strings, sizes, commute).map(places => {
      const strings = places.map(place => terms.strings[place]!);
      const isByQubit = strings.every((a, i) => strings.every((b, j) => j <= i || commuteByQubit(a, b)));
      if (isByQubit) return groupByQubit(terms.strings, places);
      const { gates, products } = diagonalize(strings);
      return { gates, readings: products.map((product, i): Reading => ({ term: places[i]!, ...product })) };
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
  strings: readonly PauliMasks[],
  sizes: readonly number[],
  agree: (a: PauliMasks, b: PauliMasks) => boolean,
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

function groupByQubit(strings: readonly PauliMasks[], places: readonly number[]): Group {
  const x = places.reduce((mask, place) => mask | strings[place]!.x, 0n);
  const z = places.reduce((mask, place) => mask | strings[place]!.z, 0n);
  const gates = placesOf(x).flatMap(qubit =>
    (bit(z, qubit) ? ["sdg", "h"] : ["h"]).map((gate): LibraryCall => ({ gate, qubits: [qubit] })),
  );
  const readings = places.map((term): Reading => ({ term, mask: supportOf(strings[term]!), sign: 1 }));
  return { readings, gates };
}
