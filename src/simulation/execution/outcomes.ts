import { asciiString } from "#host";
import { SimulationError } from "../errors.ts";
import {
  bitStrings,
  type CodedCounts,
  type CodedOutcomes,
  countCodes,
  moves,
  placesOf,
  selectBits,
  wordsOf,
} from "../sampling/codes.ts";
import type { Branch } from "./branch.ts";
import type { KeyLayout } from "./classical-bits.ts";
import type { Sampler } from "./quantum-state.ts";

const SPACE = 32;
const ZERO = 48;
const QUESTION_MARK = 63;
/** Words of codes that are written at a time, and from which on equal ones are counted before more are added. */
const CHUNK_WORDS = 2 ** 20;
const MANY_WORDS = 2 ** 24;
/** Maximum number of words of a memory. */
const MAX_MEMORY_WORDS = 2 ** 27;
/** Maximum number of characters of all different outcomes together. */
const MAX_CHARACTERS = 2 ** 28;

/** Writes the codes of the outcomes `from` to `to`, `from` a multiple of 32, into a list, from the code `at` on. */
export type WriteCodes = (range: { from: number; to: number }, codes: Uint32Array, at: number) => void;

/**
 * The outcomes of shots as numbers: bit 0 of a code is bit 0 of the first register. Strings are written when they are
 * asked for.
 */
export class ShotOutcomes {
  readonly #bits: number;
  readonly #words: number;
  /** An outcome with all bits 0, and the places of its bits, the highest first. */
  readonly #characters: Uint8Array;
  readonly #places: number[] = [];
  readonly #isOrdered: boolean;
  #codes = new Uint32Array(0);
  #weights: Uint32Array | undefined;
  #size = 0;
  /** Number of outcomes at which their length is checked next. */
  #checkedAt: number;
  #selected: (CodedOutcomes & { characters: Uint8Array; places: readonly number[] }) | undefined;
  #counted: CodedCounts | undefined;
  #keys: readonly string[] | undefined;

  /** Allocates room for `shots` outcomes. `isOrdered`: whether all are kept as they were added, not only how often each was. */
  constructor(layout: KeyLayout, shots: number, isOrdered: boolean) {
    this.#characters = new Uint8Array(layout.length).fill(SPACE);
    for (let place = 0; place < layout.length; place++) {
      if (layout[place] === null) continue;
      this.#characters[place] = ZERO;
      this.#places.push(place);
    }
    this.#bits = this.#places.length;
    this.#words = wordsOf(this.#bits);
    this.#isOrdered = isOrdered;
    this.#checkedAt = Math.ceil((MAX_CHARACTERS + 1) / Math.max(1, layout.length));
    if (isOrdered && shots * this.#words > MAX_MEMORY_WORDS)
      throw new SimulationError(
        `A memory of ${shots.toLocaleString("en-US")} shots of ${this.#bits} bits is too long. Request fewer shots, or only counts.`,
      );
  }

  /** Adds `count` outcomes. */
  add(count: number, write: WriteCodes): void {
    const chunk = 32 * Math.ceil(CHUNK_WORDS / this.#words / 32);
    for (let from = 0; from < count; from += chunk) {
      const to = Math.min(count, from + chunk);
      this.#makeRoom(to - from, count - from);
      write({ from, to }, this.#codes, this.#size);
      this.#weights?.fill(1, this.#size, this.#size + to - from);
      this.#size += to - from;
      if (this.#size >= this.#checkedAt) {
        this.checkLength();
        this.#checkedAt = 2 * this.#size;
      }
    }
  }

  /** The counts of the outcomes. */
  get counted(): CodedCounts {
    if (!this.#counted) {
      const { pattern, codes, places } = this.#varying;
      const weights = this.#weights?.subarray(0, this.#size);
      this.#counted = { pattern, ...countCodes(codes, wordsOf(places.length), weights) };
    }
    return this.#counted;
  }

  /** The bit strings of the outcomes, each once, ascending. */
  get keys(): readonly string[] {
    const { characters, places } = this.#varying;
    this.#keys ??= bitStrings(this.counted.codes, characters, places);
    return this.#keys;
  }

  /** Throws a {@link SimulationError} where the different outcomes are too long together. */
  checkLength(): void {
    const { length } = this.#characters;
    if (this.#size * length > MAX_CHARACTERS && this.counted.counts.length * length > MAX_CHARACTERS)
      throw new SimulationError(
        `The different outcomes are longer than ${MAX_CHARACTERS.toLocaleString("en-US")} characters together; ask for fewer shots, or measure fewer qubits.`,
      );
  }

  /** Returns the outcomes as they were added, each put at its own place. */
  ordered(places: Uint32Array): CodedOutcomes {
    const { pattern, codes, places: bits } = this.#varying;
    const words = wordsOf(bits.length);
    const put = new Uint32Array(codes.length);
    for (let i = 0; i < places.length; i++)
      for (let word = 0; word < words; word++) put[places[i]! * words + word] = codes[i * words + word]!;
    return { pattern, codes: put };
  }

  /** Returns the bit strings of ordered outcomes. */
  written({ codes }: CodedOutcomes): string[] {
    const { characters, places } = this.#varying;
    if (wordsOf(places.length) > 1) return bitStrings(codes, characters, places);
    const { keys } = this;
    return Array.from(placesOf(codes, this.counted.codes), place => keys[place]!);
  }

  /** All outcomes by the bits in which they differ. */
  get #varying() {
    this.#selected ??= this.#select();
    return this.#selected;
  }

  #select() {
    const codes = this.#codes.subarray(0, this.#size * this.#words);
    const selected = selectBits(codes, this.#bits);
    const characters = this.#characters.slice();
    const patterned = characters.slice();
    const places: number[] = [];
    for (let i = 0; i < this.#bits; i++) {
      const place = this.#places[i]!;
      const bit = this.#bits - 1 - i;
      const word = this.#words - 1 - (bit >> 5);
      if ((selected.mask[word]! >>> (bit & 31)) & 1) {
        patterned[place] = QUESTION_MARK;
        places.push(place);
      } else {
        characters[place] = ZERO + (((codes[word] ?? 0) >>> (bit & 31)) & 1);
        patterned[place] = characters[place]!;
      }
    }
    return { pattern: asciiString(patterned), codes: selected.codes, characters, places };
  }

  #makeRoom(count: number, expected: number): void {
    this.#selected = undefined;
    this.#counted = undefined;
    this.#keys = undefined;
    const words = this.#words;
    const isFull = (this.#size + count) * words > this.#codes.length;
    if (isFull && !this.#isOrdered && this.#size * words > MANY_WORDS) {
      const before = this.#codes.subarray(0, this.#size * words);
      const { codes, counts } = countCodes(before, words, this.#weights?.subarray(0, this.#size));
      this.#codes.set(codes);
      this.#weights ??= new Uint32Array(this.#codes.length / words);
      this.#weights.set(counts);
      this.#size = counts.length;
      this.checkLength();
    }
    if ((this.#size + count) * words <= this.#codes.length) return;
    const least = this.#isOrdered ? expected : Math.min(expected, Math.ceil(MANY_WORDS / words));
    const room = Math.max(this.#size + Math.max(count, least), 2 * this.#size);
    const larger = new Uint32Array(room * words);
    larger.set(this.#codes.subarray(0, this.#size * words));
    this.#codes = larger;
    if (!this.#weights) return;
    const weights = new Uint32Array(room);
    weights.set(this.#weights.subarray(0, this.#size));
    this.#weights = weights;
  }
}

/** Number of outcomes for which lookup tables pay off. */
const MANY = 1024;

/** Possible outcomes of a branch, with their keys and codes. */
export interface BranchOutcomes {
  readonly sampler: Sampler;
  /** Returns the bit string of an outcome. */
  keyOf(outcome: number): string;
  /** Returns a function that writes the codes of outcomes; equal outcomes must be adjacent. */
  codesOf(outcomes: Uint32Array): WriteCodes;
}

/** Returns the outcomes of a branch: bits that are known, and those that its state decides. */
export function outcomesOf(layout: KeyLayout, { bits: { open, values }, state }: Branch): BranchOutcomes {
  const places: number[] = [];
  for (const place of layout) if (place !== null) places.push(place);
  const words = wordsOf(places.length);
  const qubits: number[] = [];
  /** The bit of the code that each of these qubits decides. */
  const decided: number[] = [];
  const known = new Uint32Array(words);
  for (let i = 0; i < places.length; i++) {
    const bit = places.length - 1 - i;
    const source = open[places[i]!];
    if (source != null) {
      qubits.push(source);
      decided.push(bit);
    } else if (values[places[i]!]) known[words - 1 - (bit >> 5)]! |= 1 << (bit & 31);
  }
  const sampler = state.sampler(qubits);
  return {
    sampler,
    keyOf(outcome) {
      let place = 0;
      const valueIn = (bit: number) => (open[bit] == null ? values[bit]! : sampler.value(outcome, place++));
      return asciiString(Uint8Array.from(layout, bit => (bit === null ? SPACE : ZERO + valueIn(bit))));
    },
    codesOf: outcomes =>
      sampler.codes && outcomes.length >= MANY
        ? codesByTables(outcomes, sampler.codes, decided, {
            known,
            isWhole: decided.length === places.length,
          })
        : codesByRuns(outcomes, sampler, decided, known),
  };
}

/** Returns a function that writes codes from the values of single qubits; adjacent equal outcomes share the work. */
function codesByRuns(
  outcomes: Uint32Array,
  sampler: Sampler,
  decided: readonly number[],
  known: Uint32Array,
): WriteCodes {
  const words = known.length;
  return ({ from, to }, codes, at) => {
    const code = new Uint32Array(words);
    for (let i = from; i < to; i++) {
      if (i === from || outcomes[i] !== outcomes[i - 1]) {
        code.set(known);
        for (let place = 0; place < decided.length; place++) {
          const bit = decided[place]!;
          if (sampler.value(outcomes[i]!, place)) code[words - 1 - (bit >> 5)]! |= 1 << (bit & 31);
        }
      }
      for (let word = 0; word < words; word++) codes[(at + i - from) * words + word] = code[word]!;
    }
  };
}

/** Returns a function that writes the codes of a sampler; lookup tables move their bits to their places. */
function codesByTables(
  outcomes: Uint32Array,
  valuesOf: NonNullable<Sampler["codes"]>,
  decided: readonly number[],
  { known, isWhole }: { known: Uint32Array; isWhole: boolean },
): WriteCodes {
  const words = known.length;
  const width = wordsOf(decided.length);
  const tables = Array.from({ length: words }, (_, word) =>
    moves(
      decided.flatMap((bit, i) => {
        const own = decided.length - 1 - i;
        return words - 1 - (bit >> 5) === word
          ? [{ word: width - 1 - (own >> 5), bit: own & 31, to: bit & 31 }]
          : [];
      }),
    ),
  );
  return ({ from, to }, codes, at) => {
    const found = valuesOf(outcomes.subarray(from, to));
    if (isWhole) {
      codes.set(found, at * words);
      return;
    }
    tables.forEach((own, word) => {
      for (let i = 0; i < to - from; i++) {
        let code = known[word]!;
        for (const { word: other, shift, table } of own)
          code |= table[(found[i * width + other]! >>> shift) & 255]!;
        codes[(at + i) * words + word] = code;
      }
    });
  };
}
