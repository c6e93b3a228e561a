import { asciiString } from "#host";
import { SimulationError } from "../errors.ts";
import {
  bitStrings,
  type CodedCounts,
  type CodedOutcomes,
  countCodes,
  selectBits,
  wordsOf,
} from "../sampling/codes.ts";
import type { Branch } from "./branch.ts";
import type { KeyLayout } from "./classical-bits.ts";
import type { Sampler } from "./quantum-state.ts";

const SPACE = 32;
const ZERO = 48;
const QUESTION_MARK = 63;
/** Words of codes that are written at a time. */
const CHUNK_WORDS = 2 ** 20;
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
  readonly #words: number;
  /** An outcome with all bits 0, and the places of its bits, the highest first. */
  readonly #characters: Uint8Array;
  readonly #places: number[] = [];
  readonly #codes: Uint32Array;
  /** Counts of the codes, once there is no room for all of them. */
  readonly #weights: Uint32Array | undefined;
  #size = 0;
  #selected: (CodedOutcomes & { characters: Uint8Array; places: readonly number[] }) | undefined;
  #counted: CodedCounts | undefined;

  /** Allocates room for `shots` outcomes. `isOrdered`: whether all are kept as they were added, not only how often each was. */
  constructor(layout: KeyLayout, shots: number, isOrdered: boolean) {
    this.#characters = new Uint8Array(layout.length).fill(SPACE);
    for (let place = 0; place < layout.length; place++) {
      if (layout[place] === null) continue;
      this.#characters[place] = ZERO;
      this.#places.push(place);
    }
    const { length } = this.#places;
    this.#words = wordsOf(length);
    if (isOrdered && shots * this.#words > MAX_MEMORY_WORDS)
      throw new SimulationError(
        `A memory of ${shots.toLocaleString("en-US")} shots of ${length} bits is too long. Request fewer shots, or only counts.`,
      );
    const room = Math.ceil((1.5 * MAX_CHARACTERS) / Math.max(1, layout.length));
    const size = isOrdered ? shots : Math.min(shots, room);
    this.#codes = new Uint32Array(size * this.#words);
    if (size < shots) this.#weights = new Uint32Array(size);
  }

  add(count: number, write: WriteCodes): void {
    const chunk = 32 * Math.ceil(CHUNK_WORDS / this.#words / 32);
    for (let from = 0; from < count; from += chunk) {
      const to = Math.min(count, from + chunk);
      if ((this.#size + to - from) * this.#words > this.#codes.length) this.#countEqual();
      write({ from, to }, this.#codes, this.#size);
      this.#weights?.fill(1, this.#size, this.#size + to - from);
      this.#size += to - from;
    }
  }

  get counted(): CodedCounts {
    const { pattern, codes, places } = this.#varying;
    const weights = this.#weights?.subarray(0, this.#size);
    this.#counted ??= { pattern, ...countCodes(codes, wordsOf(places.length), weights) };
    return this.#counted;
  }

  /** Returns the bit strings of the outcomes, each once, ascending. */
  get keys(): readonly string[] {
    return this.written(this.counted);
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

  written({ codes }: Pick<CodedOutcomes, "codes">): string[] {
    const { characters, places } = this.#varying;
    return bitStrings(codes, characters, places);
  }

  /** All outcomes by the bits in which they differ. */
  get #varying() {
    this.#selected ??= this.#select();
    return this.#selected;
  }

  #select() {
    const codes = this.#codes.subarray(0, this.#size * this.#words);
    const numBits = this.#places.length;
    const selected = selectBits(codes, numBits);
    const characters = this.#characters.slice();
    const patterned = characters.slice();
    const places: number[] = [];
    this.#places.forEach((place, i) => {
      const bit = numBits - 1 - i;
      const word = this.#words - 1 - (bit >> 5);
      if ((selected.mask[word]! >>> (bit & 31)) & 1) {
        patterned[place] = QUESTION_MARK;
        places.push(place);
      } else {
        characters[place] = ZERO + (((codes[word] ?? 0) >>> (bit & 31)) & 1);
        patterned[place] = characters[place]!;
      }
    });
    return { pattern: asciiString(patterned), codes: selected.codes, characters, places };
  }

  /** Counts equal outcomes, which makes room unless too many are different. */
  #countEqual(): void {
    const before = this.#codes.subarray(0, this.#size * this.#words);
    const { codes, counts } = countCodes(before, this.#words, this.#weights?.subarray(0, this.#size));
    this.#codes.set(codes);
    this.#weights?.set(counts);
    this.#size = counts.length;
    this.checkLength();
  }
}

/** Outcomes from which on a sampler's tables, of as many values, pay off. */
const MANY = 1024;

/** Possible outcomes of a branch, with their keys and codes. */
export interface BranchOutcomes {
  readonly sampler: Sampler;
  keyOf(outcome: number): string;
  /** Returns a function that writes the codes of outcomes; adjacent equal outcomes share the work. */
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
    codesOf(outcomes) {
      if (sampler.codes && decided.length === places.length && outcomes.length > MANY)
        return ({ from, to }, codes, at) => codes.set(sampler.codes!(outcomes.subarray(from, to)), at);
      const code = new Uint32Array(words);
      return ({ from, to }, codes, at) => {
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
    },
  };
}
