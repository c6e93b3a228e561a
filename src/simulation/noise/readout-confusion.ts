import { asciiCodes, asciiString } from "#host/ascii";
import type { ClassicalRegister } from "../circuit/circuit.ts";
import type { ReadoutError } from "../execution/tally.ts";
import type { NoiseModel } from "../noise-model.ts";
import type { Philox } from "../sampling/philox.ts";
import { hazardOf } from "./gate-noise.ts";
import type { NoisyBranch } from "./noisy-branch.ts";

/** Streams of the generator; counters are the shot, and the draw within it. */
const DECIDED_READOUTS = 13;
const FINAL_READOUTS = 14;

const ONE = 49;

/** Confuses the outcomes of measurements by the readout errors of a noise model. */
export class ReadoutConfusion implements ReadoutError<NoisyBranch> {
  readonly #noise: NoiseModel;
  readonly #random: Philox;
  readonly #hazards: readonly (readonly number[])[];
  /** The index of each bit of a register in the bit string of an outcome. */
  readonly #places: { bit: number; index: number }[] = [];

  constructor(noise: NoiseModel, registers: readonly ClassicalRegister[], random: Philox) {
    this.#noise = noise;
    this.#random = random;
    this.#hazards = [noise.oneGivenZero.map(hazardOf), noise.zeroGivenOne.map(hazardOf)];
    let index = 0;
    for (const { offset, width } of registers.toReversed()) {
      for (let bit = offset + width - 1; bit >= offset; bit--) this.#places.push({ bit, index: index++ });
      index++;
    }
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

  sample(found: string, { readFrom }: NoisyBranch, shot: number): string {
    let wrong: Uint8Array | undefined;
    let draws = 0;
    const gap = () => -Math.log1p(-this.#random.uniform(shot, draws++, FINAL_READOUTS));
    let left = gap();
    for (const { bit, index } of this.#places) {
      const qubit = readFrom[bit]!;
      if (qubit < 0) continue;
      left -= this.#hazards[found.charCodeAt(index) === ONE ? 1 : 0]![qubit]!;
      if (left >= 0) continue;
      wrong ??= asciiCodes(found);
      wrong[index]! ^= 1;
      left = gap();
    }
    return wrong ? asciiString(wrong) : found;
  }

  applyConfusion(found: ReadonlyMap<string, number>, { readFrom }: NoisyBranch): ReadonlyMap<string, number> {
    let shares = found;
    for (const { bit, index } of this.#places) {
      const qubit = readFrom[bit]!;
      if (qubit < 0) continue;
      const reported = new Map<string, number>();
      const add = (key: string, share: number) => {
        if (share > 0) reported.set(key, (reported.get(key) ?? 0) + share);
      };
      for (const [key, share] of shares) {
        const value = key.charCodeAt(index) === ONE ? 1 : 0;
        const wrong = this.probabilityOfError(qubit, value);
        add(key, share * (1 - wrong));
        add(`${key.slice(0, index)}${1 - value}${key.slice(index + 1)}`, share * wrong);
      }
      shares = reported;
    }
    return shares;
  }
}
