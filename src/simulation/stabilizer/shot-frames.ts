import type { PauliString } from "../execution/quantum-state.ts";
import type { GateCall } from "../noise/error-sampler.ts";
import type { Philox } from "../sampling/philox.ts";
import type { PauliFrames } from "./clifford-branch.ts";

/** Stream of the draws that make frames random. */
const FRAMES = 20;

/** Counts draws, so that no two of a run are the same. */
export interface DrawCounter {
  next: number;
}

/** Noise that frames can have: Pauli errors after gates, and measurements that err. */
export interface CliffordNoise {
  /** Draws the errors that come with a gate of one step. */
  afterGate(call: GateCall, frames: ShotFrames): void;
  /** Draws for which shots a measurement says the wrong, and changes there by which it differs from the reference. */
  applyReadoutError(qubit: number, reference: number, flips: Uint32Array, shots: number): void;
}

/**
 * By which Pauli errors the states of many shots differ from that of a reference: a bit a shot for X and for Z of each
 * qubit. What a state of zeros does not notice is drawn at random, which makes outcomes random that are.
 */
export class ShotFrames implements PauliFrames {
  readonly shots: number;
  readonly words: number;
  readonly #x: Uint32Array[];
  readonly #z: Uint32Array[];
  readonly #random: Philox;
  readonly #draws: DrawCounter;

  private constructor(shots: number, x: Uint32Array[], z: Uint32Array[], random: Philox, draws: DrawCounter) {
    this.shots = shots;
    this.words = Math.ceil(shots / 32);
    this.#x = x;
    this.#z = z;
    this.#random = random;
    this.#draws = draws;
  }

  /** Makes the frames of shots that begin with all qubits 0. */
  static begin(numQubits: number, shots: number, random: Philox, draws: DrawCounter): ShotFrames {
    const make = () => Array.from({ length: numQubits }, () => new Uint32Array(Math.ceil(shots / 32)));
    const frames = new ShotFrames(shots, make(), make(), random, draws);
    for (const row of frames.#z) frames.#flipAtRandom(row);
    return frames;
  }

  /** Returns the frames of some of the shots. */
  select(places: readonly number[]): ShotFrames {
    const gather = (row: Uint32Array) => gatherBits(row, places);
    return new ShotFrames(places.length, this.#x.map(gather), this.#z.map(gather), this.#random, this.#draws);
  }

  h(qubit: number): void {
    [this.#x[qubit], this.#z[qubit]] = [this.#z[qubit]!, this.#x[qubit]!];
  }

  s(qubit: number): void {
    this.#add(this.#z[qubit]!, this.#x[qubit]!);
  }

  x(): void {}

  z(): void {}

  cx(control: number, target: number): void {
    this.#add(this.#x[target]!, this.#x[control]!);
    this.#add(this.#z[control]!, this.#z[target]!);
  }

  cz(a: number, b: number): void {
    this.#add(this.#z[a]!, this.#x[b]!);
    this.#add(this.#z[b]!, this.#x[a]!);
  }

  swap(a: number, b: number): void {
    for (const rows of [this.#x, this.#z]) [rows[a], rows[b]] = [rows[b]!, rows[a]!];
  }

  /** Puts a Pauli error on a shot: 1 X, 2 Y, 3 Z. */
  flip(qubit: number, shot: number, pauli: number): void {
    const bit = 1 << (shot & 31);
    if (pauli === 1 || pauli === 2) this.#x[qubit]![shot >> 5]! ^= bit;
    if (pauli >= 2) this.#z[qubit]![shot >> 5]! ^= bit;
  }

  add(pauli: "x" | "z", qubit: number, flips: Uint32Array): void {
    this.#add((pauli === "x" ? this.#x : this.#z)[qubit]!, flips);
  }

  /** Returns for which shots the outcome of a measurement differs from the reference. */
  measure(qubit: number): Uint32Array {
    this.#flipAtRandom(this.#z[qubit]!);
    return this.#x[qubit]!.slice();
  }

  reset(qubit: number): void {
    this.#x[qubit]!.fill(0);
    this.#flipAtRandom(this.#z[qubit]!);
  }

  /** Returns for which shots the frames flip the sign of a Pauli string. */
  signOf(string: PauliString): Uint32Array {
    const flips = new Uint32Array(this.words);
    for (const { qubit, pauli } of string) {
      if (pauli !== "X") this.#add(flips, this.#x[qubit]!);
      if (pauli !== "Z") this.#add(flips, this.#z[qubit]!);
    }
    return flips;
  }

  #add(to: Uint32Array, from: Uint32Array): void {
    for (let word = 0; word < this.words; word++) to[word]! ^= from[word]!;
  }

  #flipAtRandom(row: Uint32Array): void {
    this.#random.flip(row, this.#draws.next++, FRAMES);
  }
}

/** Returns the bits at some places. */
export function gatherBits(row: Uint32Array, places: readonly number[]): Uint32Array {
  const out = new Uint32Array(Math.ceil(places.length / 32));
  places.forEach((place, i) => {
    if ((row[place >> 5]! >>> (place & 31)) & 1) out[i >> 5]! |= 1 << (i & 31);
  });
  return out;
}
