import type { Gate } from "../circuit/gate.ts";
import { Undecided, type Value } from "../circuit/memory.ts";
import { SimulationError } from "../errors.ts";
import type { Course } from "../execution/course.ts";
import type { Meter } from "../statevector/limits.ts";
import { type CliffordTarget, doClifford } from "./clifford.ts";
import type { Frames } from "./frames.ts";
import { gatherBits } from "./frames.ts";
import type { Tableau } from "./tableau.ts";

const UNDECIDED = new Undecided();

/** One course of a Clifford program: a reference with its outcomes, and the shots that take the same course. */
export class StabilizerCourse implements Course {
  readonly slots: Value[];
  instruction = 0;
  operation = -1;
  /** The number of each shot. */
  readonly shots: Uint32Array;
  /** The bits of the reference, and for each bit, the shots that differ; null where none does. */
  readonly #bits: Uint8Array;
  readonly #flips: (Uint32Array | null)[];
  readonly #tableau: Tableau;
  readonly #frames: Frames;
  readonly #meter: Meter;
  readonly #both: CliffordTarget;

  constructor(
    state: { tableau: Tableau; frames: Frames; meter: Meter },
    memory: { bits: Uint8Array; flips: (Uint32Array | null)[]; slots: Value[] },
    shots: Uint32Array,
  ) {
    const { tableau, frames, meter } = state;
    this.#tableau = tableau;
    this.#frames = frames;
    this.#meter = meter;
    this.#bits = memory.bits;
    this.#flips = memory.flips;
    this.slots = memory.slots;
    this.shots = shots;
    const cost = tableau.numQubits / 8 + frames.shots / 32;
    const both =
      <K extends keyof CliffordTarget>(name: K) =>
      (a: number, b = a) => {
        meter.spend(cost);
        tableau[name](a, b);
        frames[name](a, b);
      };
    this.#both = {
      h: both("h"),
      s: both("s"),
      x: both("x"),
      z: both("z"),
      cx: both("cx"),
      cz: both("cz"),
      swap: both("swap"),
    };
  }

  /** Gives the values of a bit in the shots, 32 in a word; unused bits at the end may be set. */
  values(bit: number): Uint32Array {
    const flips = this.#flips[bit] ?? new Uint32Array(Math.ceil(this.shots.length / 32));
    return this.#bits[bit] ? flips.map(word => ~word) : flips;
  }

  readBit(bit: number): number {
    if (this.#flips[bit]) {
      UNDECIDED.qubit = bit;
      throw UNDECIDED;
    }
    return this.#bits[bit]!;
  }

  writeBit(bit: number, value: number): void {
    this.#bits[bit] = value;
    this.#flips[bit] = null;
  }

  apply(gate: Gate, params: ArrayLike<number>, at: number, qubits: ArrayLike<number>, first: number): number {
    if (!doClifford(gate, params, at, qubits, first, this.#both))
      throw new SimulationError(
        `${gate.name} is not a Clifford gate with these parameters, and the stabilizer method does no others; choose the state vector.`,
      );
    return -1;
  }

  measure(qubit: number, bit: number): void {
    const value = this.#tableau.measure(qubit);
    const flips = this.#frames.measure(qubit);
    this.#meter.spend(this.#tableau.numQubits + flips.length);
    if (bit < 0) return;
    this.#bits[bit] = value;
    this.#flips[bit] = flips;
  }

  reset(qubit: number): void {
    if (this.#tableau.measure(qubit)) this.#tableau.x(qubit);
    this.#frames.reset(qubit);
    this.#meter.spend(this.#tableau.numQubits);
  }

  /** Parts the shots by their value of a bit, and gives the courses that go on, each with the bit decided. */
  split(bit: number): StabilizerCourse[] {
    const values = this.values(bit);
    const sides: number[][] = [[], []];
    for (let i = 0; i < this.shots.length; i++) sides[(values[i >> 5]! >>> (i & 31)) & 1]!.push(i);
    return sides.flatMap((places, value) => {
      if (places.length === 0) return [];
      const isAll = places.length === this.shots.length;
      const course = new StabilizerCourse(
        {
          tableau: isAll ? this.#tableau : this.#tableau.copy(),
          frames: isAll ? this.#frames : this.#frames.select(places),
          meter: this.#meter,
        },
        {
          bits: this.#bits.slice(),
          flips: this.#flips.map(flips => flips && (isAll ? flips : gatherBits(flips, places))),
          slots: [...this.slots],
        },
        Uint32Array.from(places, place => this.shots[place]!),
      );
      course.instruction = this.instruction;
      course.operation = this.operation;
      course.writeBit(bit, value);
      return [course];
    });
  }
}
