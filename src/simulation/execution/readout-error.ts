import type { ClassicalRegister } from "../circuit/circuit.ts";
import type { NoiseModel } from "../noise-model.ts";
import { wordsOf } from "../sampling/codes.ts";
import { ErrorGaps, hazardOf } from "../sampling/draws.ts";
import type { Philox } from "../sampling/philox.ts";
import { type ClassicalBits, keyLayout } from "./classical-bits.ts";
import { checkOutcomeCount } from "./quantum-state.ts";

/** Streams of the generator; counters are the shot, and the draw within it. */
const DECIDED_READOUTS = 13;
const FINAL_READOUTS = 14;

const ONE = 49;

/**
 * The readout errors of a noise model: a measurement that finds 0 or 1 reads the other with a probability. They act here
 * and nowhere else: on the outcome of one shot that a program reads, on that of many shots, on the codes of final
 * outcomes, and on exact probabilities.
 */
export class ReadoutError {
  readonly #noise: NoiseModel;
  readonly #random: Philox;
  /** The index of each bit of a register in the bit string of an outcome, and its bit in the code. */
  readonly #places: readonly { bit: number; index: number; codeBit: number }[];

  constructor(noise: NoiseModel, registers: readonly ClassicalRegister[], random: Philox) {
    this.#noise = noise;
    this.#random = random;
    this.#places = keyLayout(registers)
      .flatMap((bit, index) => (bit === null ? [] : [{ bit, index }]))
      .map((place, i, { length }) => ({ ...place, codeBit: length - 1 - i }));
  }

  /** Returns the probability that a measurement of a qubit with this value reads the other; 0 without a qubit. */
  probability(qubit: number, value: number): number {
    const { zeroGivenOne, oneGivenZero } = this.#noise;
    if (qubit < 0) return 0;
    return (value ? zeroGivenOne : oneGivenZero)[qubit] ?? 0;
  }

  /** Whether a shot misreads a qubit, in the given measurement of those that the program has read. */
  isMisread(qubit: number, value: number, shot: number, draw: number): boolean {
    return this.#random.uniform(shot, draw, DECIDED_READOUTS) < this.probability(qubit, value);
  }

  /** Flips the values of a measurement in those of many shots that misread it. */
  misread(
    qubit: number,
    shots: number,
    gaps: ErrorGaps,
    { valueAt, flip }: { valueAt(shot: number): number; flip(shot: number): void },
  ): void {
    const [ofZero, ofOne] = [this.probability(qubit, 0), this.probability(qubit, 1)];
    const max = Math.max(ofZero, ofOne);
    gaps.each(hazardOf(max), shots, shot => {
      const own = valueAt(shot) ? ofOne : ofZero;
      if (own === max || gaps.uniform() * max < own) flip(shot);
    });
  }

  /** Returns a function that changes the codes of outcomes, from the code `at` on, to what their shots read. It takes ranges of outcomes that follow each other. */
  misreadCodes(
    { origins }: ClassicalBits,
    stream: number,
  ): (codes: Uint32Array, at: number, count: number) => void {
    const words = wordsOf(this.#places.length);
    const gaps = new ErrorGaps(this.#random.sequence(stream, FINAL_READOUTS));
    return (codes, first, count) => {
      for (const { bit, codeBit } of this.#places) {
        const word = first * words + words - 1 - (codeBit >> 5);
        const mask = 1 << (codeBit & 31);
        this.misread(origins[bit]!, count, gaps, {
          valueAt: i => codes[word + i * words]! & mask,
          flip: i => {
            codes[word + i * words]! ^= mask;
          },
        });
      }
    };
  }

  /** Returns the probabilities of read outcomes, given those of true outcomes. */
  misreadProbabilities(
    found: ReadonlyMap<string, number>,
    { origins }: ClassicalBits,
  ): ReadonlyMap<string, number> {
    const [first = ""] = found.keys();
    const isUncertain = ({ bit, index }: { bit: number; index: number }) => {
      const wrong = this.probability(origins[bit]!, Number(first.charCodeAt(index) === ONE));
      return wrong > 0 && wrong < 1;
    };
    checkOutcomeCount(2 ** this.#places.filter(isUncertain).length);
    let shares = found;
    for (const { bit, index } of this.#places) {
      const [ofZero, ofOne] = [0, 1].map(value => this.probability(origins[bit]!, value)) as [number, number];
      if (ofZero + ofOne === 0) continue;
      const read = new Map<string, number>();
      const add = (key: string, share: number) => {
        if (share > 0) read.set(key, (read.get(key) ?? 0) + share);
      };
      for (const [key, share] of shares) {
        const isOne = key.charCodeAt(index) === ONE;
        const wrong = share * (isOne ? ofOne : ofZero);
        add(key, share - wrong);
        add(`${key.slice(0, index)}${isOne ? 0 : 1}${key.slice(index + 1)}`, wrong);
      }
      checkOutcomeCount(read.size);
      shares = read;
    }
    return shares;
  }
}
