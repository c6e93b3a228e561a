import { asciiString } from "#host/ascii";
import type { ClassicalRegister } from "../circuit/circuit.ts";
import { wordsOf } from "../sampling/coded-counts.ts";
import { moves } from "../sampling/select-bits.ts";
import type { Branch } from "./branch.ts";
import type { Sampler } from "./quantum-state.ts";
import type { WriteCodes } from "./shot-outcomes.ts";

/** Outcomes from which on tables are worth their making. */
const MANY = 1024;
const SPACE = 32;
const ZERO = 48;

/** What a branch's state may be found in, its keys, and its codes. */
export interface BranchOutcomes {
  readonly sampler: Sampler;
  /** Returns the bit string of an outcome. */
  keyOf(outcome: number): string;
  /** Returns what writes the codes of outcomes of which equal ones lie next to each other. */
  codesOf(outcomes: Uint32Array): WriteCodes;
}

/** Returns the outcomes of a branch: bits that are known, and those that its state decides. */
export function outcomesOf(registers: readonly ClassicalRegister[], branch: Branch): BranchOutcomes {
  const bits = registers
    .toReversed()
    .flatMap(({ offset, width }) => Array.from({ length: width }, (_, i) => offset + width - 1 - i));
  const words = wordsOf(bits.length);
  const qubits: number[] = [];
  /** The bit of the code that each of these qubits decides. */
  const decided: number[] = [];
  const known = new Uint32Array(words);
  const wordAt = (bit: number) => words - 1 - (bit >> 5);
  bits.forEach((place, i) => {
    const bit = bits.length - 1 - i;
    const source = branch.sources[place]!;
    if (source >= 0) {
      qubits.push(source);
      decided.push(bit);
    } else if (branch.bits[place]) known[wordAt(bit)]! |= 1 << (bit & 31);
  });
  const sampler = branch.state.sampler(qubits);

  const codesByRuns =
    (outcomes: Uint32Array): WriteCodes =>
    ({ from, to }, codes, at) => {
      const code = new Uint32Array(words);
      for (let i = from; i < to; i++) {
        if (i === from || outcomes[i] !== outcomes[i - 1]) {
          code.set(known);
          decided.forEach((bit, place) => {
            if (sampler.value(outcomes[i]!, place)) code[wordAt(bit)]! |= 1 << (bit & 31);
          });
        }
        for (let word = 0; word < words; word++) codes[(at + i - from) * words + word] = code[word]!;
      }
    };

  const codesByTables = (outcomes: Uint32Array, valuesOf: NonNullable<Sampler["codes"]>): WriteCodes => {
    const width = wordsOf(decided.length);
    const tables = Array.from({ length: words }, (_, word) =>
      moves(
        decided.flatMap((bit, i) => {
          const own = decided.length - 1 - i;
          return wordAt(bit) === word ? [{ word: width - 1 - (own >> 5), bit: own & 31, to: bit & 31 }] : [];
        }),
      ),
    );
    const isWhole = decided.length === bits.length;
    return ({ from, to }, codes, at) => {
      const found = valuesOf(outcomes.subarray(from, to));
      if (isWhole) codes.set(found, at * words);
      else
        tables.forEach((own, word) => {
          for (let i = 0; i < to - from; i++) {
            let code = known[word]!;
            for (const { word: other, shift, table } of own)
              code |= table[(found[i * width + other]! >>> shift) & 255]!;
            codes[(at + i) * words + word] = code;
          }
        });
    };
  };

  return {
    sampler,
    keyOf(outcome) {
      const characters: number[] = [];
      let place = 0;
      for (const { offset, width } of registers.toReversed()) {
        if (characters.length > 0) characters.push(SPACE);
        for (let bit = offset + width - 1; bit >= offset; bit--)
          characters.push(
            ZERO + (branch.sources[bit]! >= 0 ? sampler.value(outcome, place++) : branch.bits[bit]!),
          );
      }
      return asciiString(Uint8Array.from(characters));
    },
    codesOf: outcomes =>
      sampler.codes && outcomes.length >= MANY
        ? codesByTables(outcomes, own => sampler.codes!(own))
        : codesByRuns(outcomes),
  };
}
