import { asciiString } from "#host/ascii";
import type { ClassicalRegister } from "../circuit/circuit.ts";
import { bitStrings, codesOfColumns } from "../sampling/bit-strings.ts";
import { type CodedCounts, countCodes, placesOf } from "../sampling/coded-counts.ts";
import type { Branch } from "./branch.ts";
import type { Sampler } from "./quantum-state.ts";

/** Shots from which on tables are worth their making. */
const MANY_SHOTS = 1024;
/** Maximum number of bits of a code. */
const MAX_BITS = 32;

const SPACE = 32;
const ZERO = 48;
const QUESTION_MARK = 63;

/**
 * The keys of outcomes, each once and ascending, how often each was found, and for each outcome the place of its key.
 * They may be written only when they are asked for.
 */
export interface Keys {
  readonly keys: readonly string[];
  readonly counts: Uint32Array;
  readonly keyIndices: Uint32Array;
  /** The same as numbers, where they were found so. */
  readonly coded?: CodedCounts;
}

/** Makes a function from what a branch's state may be found in to the key of the outcome. */
export function outcomeKeys(
  registers: readonly ClassicalRegister[],
  branch: Branch,
): {
  keyOf: (outcome: number) => string;
  keysOf: (outcomes: Uint32Array) => Keys;
  sampler: Sampler;
} {
  const codes: number[] = [];
  const qubits: number[] = [];
  const characterAt: number[] = [];
  for (const { offset, width } of registers.toReversed()) {
    if (codes.length > 0) codes.push(SPACE);
    for (let bit = offset + width - 1; bit >= offset; bit--) {
      const source = branch.sources[bit]!;
      if (source >= 0) {
        qubits.push(source);
        characterAt.push(codes.length);
      }
      codes.push(ZERO + branch.bits[bit]!);
    }
  }
  const sampler = branch.state.sampler(qubits);
  const characters = Uint8Array.from(codes);
  const keyOf = (outcome: number) => {
    for (let place = 0; place < qubits.length; place++)
      characters[characterAt[place]!] = ZERO + sampler.value(outcome, place);
    return asciiString(characters);
  };
  const keysOf = (outcomes: Uint32Array): Keys => {
    if (!sampler.codes || outcomes.length < MANY_SHOTS) return countKeys(outcomes, keyOf);
    return new CodedKeys(sampler.codes(outcomes), characters, characterAt);
  };
  return { keyOf, keysOf, sampler };
}

/** Returns the keys of many shots whose bits are known, 32 shots in a word, and null stands for a space; or null where they have too many bits, or are few. */
export function keysOfColumns(columns: readonly (Uint32Array | null)[], shots: number): Keys | null {
  const places = columns.flatMap((column, place) => (column ? [place] : []));
  if (shots < MANY_SHOTS || places.length > MAX_BITS) return null;
  const codes = codesOfColumns(
    columns.filter(column => column !== null),
    shots,
  );
  return new CodedKeys(
    codes,
    Uint8Array.from(columns, column => (column ? ZERO : SPACE)),
    places,
  );
}

/** The keys of codes whose bits, the highest first, are written at places of a string. */
class CodedKeys implements Keys {
  readonly #codes: Uint32Array;
  readonly #characters: Uint8Array;
  readonly #places: readonly number[];
  #counted: Omit<CodedCounts, "pattern"> | undefined;
  #keys: readonly string[] | undefined;

  constructor(codes: Uint32Array, characters: Uint8Array, places: readonly number[]) {
    this.#codes = codes;
    this.#characters = characters;
    this.#places = places;
  }

  get #found(): Omit<CodedCounts, "pattern"> {
    this.#counted ??= countCodes(this.#codes, this.#places.length);
    return this.#counted;
  }

  get keys(): readonly string[] {
    this.#keys ??= bitStrings(this.#found.codes, this.#characters, this.#places);
    return this.#keys;
  }

  get coded(): CodedCounts {
    const characters = this.#characters.slice();
    for (const place of this.#places) characters[place] = QUESTION_MARK;
    return { pattern: asciiString(characters), ...this.#found };
  }

  get counts(): Uint32Array {
    return this.#found.counts;
  }

  get keyIndices(): Uint32Array {
    return placesOf(this.#codes, this.#found.codes);
  }
}

/** Counts outcomes of which equal ones lie next to each other. */
function countKeys(outcomes: Uint32Array, keyOf: (outcome: number) => string): Keys {
  const found = new Map<string, number[]>();
  for (let i = 0, first = 0; i < outcomes.length; i = first) {
    while (first < outcomes.length && outcomes[first] === outcomes[i]) first++;
    const key = keyOf(outcomes[i]!);
    const ranges = found.get(key);
    if (ranges) ranges.push(i, first);
    else found.set(key, [i, first]);
  }
  const keys = [...found.keys()].sort();
  const counts = new Uint32Array(keys.length);
  const keyIndices = new Uint32Array(outcomes.length);
  keys.forEach((key, place) => {
    const ranges = found.get(key)!;
    for (let r = 0; r < ranges.length; r += 2) {
      counts[place]! += ranges[r + 1]! - ranges[r]!;
      keyIndices.fill(place, ranges[r], ranges[r + 1]);
    }
  });
  return { keys, counts, keyIndices };
}
