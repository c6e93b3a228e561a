import type { GateCall } from "../noise/error-sampler.ts";
import { hazardOf, kindOf, type NoiseOfGates } from "../noise/gate-noise.ts";
import type { ReadoutConfusion } from "../noise/readout-confusion.ts";
import type { Philox } from "../sampling/philox.ts";
import type { CliffordNoise, ShotFrames } from "./shot-frames.ts";

/** Stream of the generator; it counts draws. */
const DRAWS = 21;

/**
 * Puts Pauli errors on the frames of many shots. Shots stand in a row, the same for each place where an error can happen,
 * and each draw gives how far along all of these rows the next error is: so that an error costs a draw, and none nothing.
 */
export class PauliErrors implements CliffordNoise {
  readonly #noiseOf: NoiseOfGates;
  readonly #readout: ReadoutConfusion;
  readonly #random: Philox;
  #drawn = 0;
  /** The hazards that add up before the next error. */
  #left: number;

  constructor(noiseOf: NoiseOfGates, readout: ReadoutConfusion, random: Philox) {
    this.#noiseOf = noiseOf;
    this.#readout = readout;
    this.#random = random;
    this.#left = this.#gap();
  }

  afterGate({ gate, params, at, qubits, first }: GateCall, frames: ShotFrames): void {
    for (const site of this.#noiseOf(gate, qubits, first, params, at).errors)
      this.#each(site.hazard, frames.shots, shot => {
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
    this.#each(hazardOf(max), shots, shot => {
      const value = reference ^ ((flips[shot >> 5]! >>> (shot & 31)) & 1);
      if (this.#uniform() * max < (value ? ofOne : ofZero)) flips[shot >> 5]! ^= 1 << (shot & 31);
    });
  }

  /** Calls back for the shots that have an error of this hazard. */
  #each(hazard: number, shots: number, visit: (shot: number) => void): void {
    if (hazard <= 0) return;
    let at = this.#left / hazard;
    while (at < shots) {
      const shot = Math.floor(at);
      visit(shot);
      at = shot + 1 + this.#gap() / hazard;
    }
    this.#left = (at - shots) * hazard;
  }

  #gap(): number {
    return -Math.log1p(-this.#uniform());
  }

  #uniform(): number {
    const draw = this.#drawn++;
    return this.#random.uniform(draw % 2 ** 32, Math.floor(draw / 2 ** 32), DRAWS);
  }
}
