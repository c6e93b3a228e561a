import { asciiString } from "#host/ascii";
import type { ClassicalRegister } from "../circuit/circuit.ts";
import { checkOutcomeCount } from "../execution/quantum-state.ts";
import type { ReadoutError } from "../execution/tally.ts";
import type { NoiseModel } from "../noise-model.ts";
import { wordsOf } from "../sampling/codes.ts";
import type { Philox } from "../sampling/philox.ts";
import { ErrorGaps } from "./error-gaps.ts";
import { hazardOf } from "./gate-noise.ts";
import type { NoisyBranch } from "./noisy-branch.ts";

/** Streams of the generator; counters are the shot, and the draw within it. */
const DECIDED_READOUTS = 13;
const FINAL_READOUTS = 14;

const ZERO = 48;
const ONE = 49;
/** Bits whose errors are applied together. */
const TOGETHER = 8;

/** Confuses the outcomes of measurements by the readout errors of a noise model. */
export class ReadoutConfusion implements ReadoutError<NoisyBranch> {
  readonly #noise: NoiseModel;
  readonly #random: Philox;
  /** The index of each bit of a register in the bit string of an outcome, and its bit in the code. */
  readonly #places: readonly { bit: number; index: number; codeBit: number }[];

  constructor(noise: NoiseModel, registers: readonly ClassicalRegister[], random: Philox) {
    this.#noise = noise;
    this.#random = random;
    let codeBit = registers.reduce((sum, { width }) => sum + width, 0);
    this.#places = registers
      .toReversed()
      .flatMap(({ offset, width }, spaces) =>
        Array.from({ length: width }, (_, i) => ({ bit: offset + width - 1 - i, spaces })),
      )
      .map(({ bit, spaces }, i) => ({ bit, index: i + spaces, codeBit: --codeBit }));
  }

  /** Returns the probability that a measurement of a qubit with this value reads the other. */
  probabilityOfError(qubit: number, value: number): number {
    const { zeroGivenOne, oneGivenZero } = this.#noise;
    return (value ? zeroGivenOne : oneGivenZero)[qubit]!;
  }

  /** Whether a shot misreads a qubit, in the given measurement of those that the program has read. */
  isMisread(qubit: number, value: number, shot: number, draw: number): boolean {
    return this.#random.uniform(shot, draw, DECIDED_READOUTS) < this.probabilityOfError(qubit, value);
  }

  sampler(
    { readFrom }: NoisyBranch,
    stream: number,
  ): (codes: Uint32Array, at: number, count: number) => void {
    const uniform = this.#random.sequence(stream, FINAL_READOUTS);
    const words = wordsOf(this.#places.length);
    const gaps = new ErrorGaps(uniform);
    const read = this.#places.flatMap(({ bit, codeBit }) => {
      const qubit = readFrom[bit]!;
      const [ofZero, ofOne] = qubit < 0 ? [0, 0] : [0, 1].map(value => this.probabilityOfError(qubit, value));
      const max = Math.max(ofZero!, ofOne!);
      const word = words - 1 - (codeBit >> 5);
      return max > 0 ? [{ word, shift: codeBit & 31, ofZero, ofOne, max, hazard: hazardOf(max) }] : [];
    });
    return (codes, first, count) => {
      for (const { word, shift, ofZero, ofOne, max, hazard } of read)
        gaps.each(hazard, count, i => {
          const at = (first + i) * words + word;
          const own = (codes[at]! >>> shift) & 1 ? ofOne! : ofZero!;
          if (own === max || uniform() * max < own) codes[at]! ^= 1 << shift;
        });
    };
  }

  applyConfusion(found: ReadonlyMap<string, number>, { readFrom }: NoisyBranch): ReadonlyMap<string, number> {
    const [first = ""] = found.keys();
    checkOutcomeCount(2 ** this.#places.filter(place => this.#isUncertain(first, place, readFrom)).length);
    const errors = this.#places.flatMap(({ bit, index }) => {
      const qubit = readFrom[bit]!;
      const [ofZero, ofOne] = qubit < 0 ? [0, 0] : [0, 1].map(value => this.probabilityOfError(qubit, value));
      return ofZero! + ofOne! > 0 ? [{ index, ofZero: ofZero!, ofOne: ofOne! }] : [];
    });
    let shares = found;
    for (let from = 0; from < errors.length; from += TOGETHER)
      shares = confuse(shares, errors.slice(from, from + TOGETHER));
    return shares;
  }

  /** Whether a bit of an outcome may be read as either value. */
  #isUncertain(key: string, { bit, index }: { bit: number; index: number }, readFrom: Int32Array): boolean {
    const qubit = readFrom[bit]!;
    const wrong = qubit < 0 ? 0 : this.probabilityOfError(qubit, key.charCodeAt(index) === ONE ? 1 : 0);
    return wrong > 0 && wrong < 1;
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
