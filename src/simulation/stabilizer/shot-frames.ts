import type { ReadoutError } from "../execution/readout-error.ts";
import type { GateCall } from "../noise/error-sampler.ts";
import { isError, kindOf, type NoiseOfGates } from "../noise/gate-noise.ts";
import { ErrorGaps } from "../sampling/draws.ts";
import type { Philox } from "../sampling/philox.ts";
import { emptyRows, type FramesPart, PauliFrames } from "./pauli-frames.ts";

/** Stream of the draws that make frames random. */
const FRAMES = 20;

/** Counts draws, so no two of a run are the same. */
export interface DrawCounter {
  next: number;
}

/** The Pauli frames of many shots: a bit of a row for each. */
export class ShotFrames extends PauliFrames {
  readonly words: number;
  readonly #shots: number;
  readonly #random: Philox;
  readonly #draws: DrawCounter;

  private constructor(
    shots: number,
    xs: Uint32Array[],
    zs: Uint32Array[],
    random: Philox,
    draws: DrawCounter,
  ) {
    super(xs, zs);
    this.#shots = shots;
    this.words = Math.ceil(shots / 32);
    this.#random = random;
    this.#draws = draws;
  }

  /** Makes the frames of shots that begin with all qubits 0. */
  static begin(numQubits: number, shots: number, random: Philox, draws: DrawCounter): ShotFrames {
    const [xs, zs] = [0, 1].map(() => emptyRows(numQubits, Math.ceil(shots / 32)));
    return new ShotFrames(shots, xs!, zs!, random, draws).begin();
  }

  parts(values: Uint32Array): FramesPart[] {
    const sides: number[][] = [[], []];
    for (let i = 0; i < this.#shots; i++) sides[(values[i >> 5]! >>> (i & 31)) & 1]!.push(i);
    return sides.flatMap((places, value) => {
      if (places.length === 0) return [];
      const take = (row: Uint32Array) => (places.length === this.#shots ? row : gatherBits(row, places));
      return [{ value, places, share: 1, take }];
    });
  }

  select({ places, take }: FramesPart): ShotFrames {
    return new ShotFrames(places!.length, this.xs.map(take), this.zs.map(take), this.#random, this.#draws);
  }

  /** Unused bits at the end of the row may be set. */
  valuesOf(reference: number, flips: Uint32Array): Uint32Array {
    return reference ? flips.map(word => ~word) : flips;
  }

  protected override randomize(qubit: number): void {
    this.#random.flip(this.zs[qubit]!, this.#draws.next++, FRAMES);
  }
}

function gatherBits(row: Uint32Array, places: readonly number[]): Uint32Array {
  const out = new Uint32Array(Math.ceil(places.length / 32));
  places.forEach((place, i) => {
    if ((row[place >> 5]! >>> (place & 31)) & 1) out[i >> 5]! |= 1 << (i & 31);
  });
  return out;
}

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
  afterGate({ gate, params, at, qubits, first }: GateCall, frames: PauliFrames, shots: number): void {
    for (const site of this.#noiseOf(gate, qubits, first, params, at).filter(isError))
      this.#gaps.each(site.hazard, shots, shot => {
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
