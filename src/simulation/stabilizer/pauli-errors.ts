import { ErrorGaps } from "../noise/error-gaps.ts";
import type { GateCall } from "../noise/error-sampler.ts";
import { hazardOf, kindOf, type NoiseOfGates } from "../noise/gate-noise.ts";
import type { ReadoutConfusion } from "../noise/readout-confusion.ts";
import type { Philox } from "../sampling/philox.ts";
import type { CliffordNoise, ShotFrames } from "./shot-frames.ts";

/** Stream of the generator. */
const DRAWS = 21;

/** Puts Pauli errors on the frames of many shots, which stand in a row for each place where an error can happen. */
export class PauliErrors implements CliffordNoise {
  readonly #noiseOf: NoiseOfGates;
  readonly #readout: ReadoutConfusion;
  readonly #uniform: () => number;
  readonly #gaps: ErrorGaps;

  constructor(noiseOf: NoiseOfGates, readout: ReadoutConfusion, random: Philox) {
    this.#noiseOf = noiseOf;
    this.#readout = readout;
    this.#uniform = random.sequence(0, DRAWS);
    this.#gaps = new ErrorGaps(this.#uniform);
  }

  afterGate({ gate, params, at, qubits, first }: GateCall, frames: ShotFrames): void {
    for (const site of this.#noiseOf(gate, qubits, first, params, at).errors)
      this.#gaps.each(site.hazard, frames.shots, shot => {
        const kind = kindOf(site, this.#uniform());
        site.qubits.forEach((qubit, place) => {
          frames.flip(qubit, shot, (kind >> (2 * place)) & 3);
        });
      });
  }

  applyReadoutError(qubit: number, reference: number, flips: Uint32Array, shots: number): void {
    const [ofZero, ofOne] = [0, 1].map(value => this.#readout.probabilityOfError(qubit, value)) as [
      number,
      number,
    ];
    const max = Math.max(ofZero, ofOne);
    this.#gaps.each(hazardOf(max), shots, shot => {
      const value = reference ^ ((flips[shot >> 5]! >>> (shot & 31)) & 1);
      const own = value ? ofOne : ofZero;
      if (own === max || this.#uniform() * max < own) flips[shot >> 5]! ^= 1 << (shot & 31);
    });
  }
}
