import type { ClassicalRegister } from "../circuit/circuit.ts";
import type { Philox } from "../sampling/philox.ts";
import { hazardOf } from "./channels.ts";
import type { NoiseModel } from "./model.ts";

/** Streams of the generator; each counts shots, and draws within a shot. */
const DECIDED_READOUTS = 13;
const FINAL_READOUTS = 14;

const ONE = 49;

/** Draws what measurements say in place of what they found. */
export class Readout {
  readonly #noise: NoiseModel;
  readonly #random: Philox;
  readonly #hazards: readonly (readonly number[])[];
  /** The place of each bit of a register in the text of an outcome. */
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

  /** Tells whether a shot's measurement of a qubit, the given one of those that the program has read, is wrong. */
  isWrong(qubit: number, value: number, shot: number, draw: number): boolean {
    const { zeroGivenOne, oneGivenZero } = this.#noise;
    const probability = (value ? zeroGivenOne : oneGivenZero)[qubit]!;
    return this.#random.uniform(shot, draw, DECIDED_READOUTS) < probability;
  }

  /** Gives what a shot says in place of what it found; `sources` has, for each bit, the qubit that it is read from or -1. */
  outcome(found: string, sources: Int32Array, shot: number): string {
    let wrong: Buffer | undefined;
    let draws = 0;
    const gap = () => -Math.log1p(-this.#random.uniform(shot, draws++, FINAL_READOUTS));
    let left = gap();
    for (const { bit, index } of this.#places) {
      const qubit = sources[bit]!;
      if (qubit < 0) continue;
      left -= this.#hazards[found.charCodeAt(index) === ONE ? 1 : 0]![qubit]!;
      if (left >= 0) continue;
      wrong ??= Buffer.from(found, "latin1");
      wrong[index]! ^= 1;
      left = gap();
    }
    return wrong ? wrong.toString("latin1") : found;
  }
}
