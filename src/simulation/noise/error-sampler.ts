import type { ElementaryGate, Gate, Numbers } from "../circuit/gate.ts";
import { visitCall } from "../circuit/primitives.ts";
import type { Philox } from "../sampling/philox.ts";
import type { NoiseOfGates } from "./gate-noise.ts";

/** Streams of the generator; counters are the shot, and the draw within it. */
const GAPS = 11;
const KINDS = 12;

export interface GateCall {
  readonly gate: ElementaryGate;
  readonly params: Numbers;
  readonly at: number;
  readonly qubits: Numbers;
  readonly first: number;
}

/**
 * Samples errors shot by shot. Each shot has a threshold, and its next error is where the cumulative hazard of its
 * branch first exceeds it: a gate without an error costs one comparison for all shots of a branch.
 * Samples depend only on the seed, the shot and its number of errors.
 */
export class ErrorSampler {
  readonly noiseOf: NoiseOfGates;
  readonly #thresholds: Float64Array;
  readonly #drawn: Uint32Array;
  readonly #random: Philox;

  constructor(noiseOf: NoiseOfGates, shots: number, random: Philox) {
    this.noiseOf = noiseOf;
    this.#thresholds = new Float64Array(shots);
    this.#drawn = new Uint32Array(shots);
    this.#random = random;
  }

  /** Restarts shots at the beginning of the program, and sorts them by their next errors. */
  begin(shots: Uint32Array): Uint32Array {
    for (const shot of shots) {
      this.#drawn[shot] = 0;
      this.#thresholds[shot] = this.#gap(shot);
    }
    return this.#sortedByNext(shots);
  }

  /** Returns the cumulative hazard at which a shot's next error happens. */
  next(shot: number): number {
    return this.#thresholds[shot]!;
  }

  /** Returns the total hazard of a gate's errors and jumps; infinite if it depends on the state. */
  hazard({ gate, params, at, qubits, first }: GateCall): number {
    let hazard = 0;
    for (const site of this.noiseOf(gate, qubits, first, params, at))
      hazard += site.hazard ?? Number.POSITIVE_INFINITY;
    return hazard;
  }

  /** Returns a uniform random number that selects the next error of a shot, before that is resampled. */
  uniform(shot: number): number {
    return this.#random.uniform(shot, this.#drawn[shot]!, KINDS);
  }

  /** Resamples the next errors of shots that have had one at the cumulative hazard `sum`. */
  resample(shots: Uint32Array, sum: number): Uint32Array {
    for (const shot of shots) this.#thresholds[shot] = sum + this.#gap(shot);
    return this.#sortedByNext(shots);
  }

  #gap(shot: number): number {
    return -Math.log1p(-this.#random.uniform(shot, this.#drawn[shot]!++, GAPS));
  }

  #sortedByNext(shots: Uint32Array): Uint32Array {
    const thresholds = this.#thresholds;
    return shots.sort((a, b) => thresholds[a]! - thresholds[b]! || a - b);
  }
}

/** Decomposes a gate into elementary ones. */
export function elementaryCalls(
  gate: Gate,
  params: Numbers,
  at: number,
  qubits: Numbers,
  first: number,
): GateCall[] {
  const calls: GateCall[] = [];
  visitCall(gate, params, at, qubits, first, one => {
    calls.push({ gate: one.gate, params: one.params, at: 0, qubits: one.qubits, first: 0 });
  });
  return calls;
}
