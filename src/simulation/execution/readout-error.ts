import { asciiString } from "#host";
import type { ClassicalRegister } from "../circuit/circuit.ts";
import type { NoiseModel } from "../noise-model.ts";
import { wordsOf } from "../sampling/codes.ts";
import { ErrorGaps, hazardOf } from "../sampling/draws.ts";
import type { Philox } from "../sampling/philox.ts";
import type { ClassicalBits } from "./classical-bits.ts";
import { checkOutcomeCount } from "./quantum-state.ts";
import { keyLayout } from "./simulation-result.ts";

/** Streams of the generator; counters are the shot, and the draw within it. */
const DECIDED_READOUTS = 13;
const FINAL_READOUTS = 14;

const ZERO = 48;
const ONE = 49;
/** Bits whose errors are applied together. */
const TOGETHER = 8;

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

  /** Returns the probabilities of what is read, from those of what is found. */
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
    const errors = this.#places.flatMap(({ bit, index }) => {
      const [ofZero, ofOne] = [0, 1].map(value => this.probability(origins[bit]!, value)) as [number, number];
      return ofZero + ofOne > 0 ? [{ index, ofZero, ofOne }] : [];
    });
    let shares = found;
    for (let from = 0; from < errors.length; from += TOGETHER)
      shares = confuse(shares, errors.slice(from, from + TOGETHER));
    return shares;
  }
}

/** The errors of the bit at an index of a bit string: the probabilities that a 0 and a 1 are misread. */
interface BitErrors {
  readonly index: number;
  readonly ofZero: number;
  readonly ofOne: number;
}

/** Applies the readout errors of a few bits, in ascending order of their indices, to outcomes that are alike but for them. */
function confuse(
  shares: ReadonlyMap<string, number>,
  errors: readonly BitErrors[],
): ReadonlyMap<string, number> {
  const groups = new Map<string, Map<number, number>>();
  for (const [key, share] of shares) {
    let [rest, code, from] = ["", 0, 0];
    errors.forEach(({ index }, i) => {
      rest += `${key.slice(from, index)}?`;
      if (key.charCodeAt(index) === ONE) code |= 1 << i;
      from = index + 1;
    });
    rest += key.slice(from);
    const group = groups.get(rest);
    if (group) group.set(code, share);
    else groups.set(rest, new Map([[code, share]]));
  }
  const reported = new Map<string, number>();
  const weights = new Float64Array(2 ** errors.length);
  for (const [rest, group] of groups) {
    weights.fill(0);
    for (const [code, share] of group) weights[code] = share;
    errors.forEach(({ ofZero, ofOne }, i) => {
      for (let code = 0; code < weights.length; code++) {
        const other = code | (1 << i);
        if (other === code) continue;
        const [zero, one] = [weights[code]!, weights[other]!];
        weights[code] = zero * (1 - ofZero) + one * ofOne;
        weights[other] = zero * ofZero + one * (1 - ofOne);
      }
    });
    const characters = Uint8Array.from(rest, character => character.charCodeAt(0));
    weights.forEach((share, code) => {
      if (share <= 0) return;
      errors.forEach(({ index }, i) => {
        characters[index] = (code >> i) & 1 ? ONE : ZERO;
      });
      reported.set(asciiString(characters), share);
    });
    checkOutcomeCount(reported.size);
  }
  return reported;
}
