import type { ReadoutError } from "../execution/readout-error.ts";
import type { GateCall } from "../noise/error-sampler.ts";
import { isError, kindOf, type NoiseOfGates } from "../noise/gate-noise.ts";
import { ErrorGaps } from "../sampling/draws.ts";
import type { Philox } from "../sampling/philox.ts";
import type { ShotFrames } from "./shot-frames.ts";

/** Stream of the generator. */
const DRAWS = 21;

/** Applies Pauli errors to the frames of many shots, with a row of shots for each place where an error can happen. */
export class PauliErrors {
  readonly #noiseOf: NoiseOfGates;
  readonly #readout: ReadoutError;
  readonly #gaps: ErrorGaps;

  constructor(noiseOf: NoiseOfGates, readout: ReadoutError, random: Philox) {
    this.#noiseOf = noiseOf;
    this.#readout = readout;
    this.#gaps = new ErrorGaps(random.sequence(0, DRAWS));
  }

  /** Draws the errors that come with an elementary gate. */
  afterGate({ gate, params, at, qubits, first }: GateCall, frames: ShotFrames): void {
    for (const site of this.#noiseOf(gate, qubits, first, params, at).filter(isError))
      this.#gaps.each(site.hazard, frames.shots, shot => {
        const kind = kindOf(site, this.#gaps.uniform());
        site.qubits.forEach((qubit, place) => {
          frames.flip(qubit, shot, (kind >> (2 * place)) & 3);
        });
      });
  }

  /** Draws for which shots a measurement is misread, and changes there by which it differs from the reference. */
  applyReadoutError(qubit: number, reference: number, flips: Uint32Array, shots: number): void {
    this.#readout.misread(qubit, shots, this.#gaps, {
      valueAt: shot => reference ^ ((flips[shot >> 5]! >>> (shot & 31)) & 1),
      flip: shot => {
        flips[shot >> 5]! ^= 1 << (shot & 31);
      },
    });
  }
}
