import type { Gate } from "../circuit/gate.ts";
import { visitCall } from "../circuit/primitives.ts";
import type { Continuation } from "../execution/scheduler.ts";
import type { Meter } from "../interpreter/meter.ts";
import { CliffordCourse, type CliffordMemory } from "./clifford-course.ts";
import { type CliffordNoise, type Frames, gatherBits } from "./frames.ts";
import type { Tableau } from "./tableau.ts";

/** What the courses of a run share. */
export interface StabilizerRun {
  readonly meter: Meter;
  readonly noise: CliffordNoise | undefined;
}

/** A course of a Clifford program that some shots take together. */
export class StabilizerCourse extends CliffordCourse<Frames> {
  /** The number of each shot. */
  readonly shots: Uint32Array;
  readonly #run: StabilizerRun;

  constructor(
    run: StabilizerRun,
    tableau: Tableau,
    frames: Frames,
    memory: CliffordMemory,
    shots: Uint32Array,
  ) {
    super(tableau, frames, run.meter, memory);
    this.#run = run;
    this.shots = shots;
  }

  /** Returns the values of a bit in the shots, 32 in a word; unused bits at the end may be set. */
  values(bit: number): Uint32Array {
    const flips = this.memory.flips[bit] ?? new Uint32Array(Math.ceil(this.shots.length / 32));
    return this.memory.bits[bit] ? flips.map(word => ~word) : flips;
  }

  override apply(
    gate: Gate,
    params: ArrayLike<number>,
    at: number,
    qubits: ArrayLike<number>,
    first: number,
  ): number {
    const { noise } = this.#run;
    if (!noise) return super.apply(gate, params, at, qubits, first);
    if (gate.kind !== "composite") {
      super.apply(gate, params, at, qubits, first);
      noise.afterGate(gate, qubits, first, this.differences);
      return -1;
    }
    visitCall(gate, params, at, qubits, first, one => this.apply(one.gate, one.params, 0, one.qubits, 0));
    return -1;
  }

  protected override read(qubit: number, reference: number, flips: Uint32Array): Uint32Array {
    this.#run.noise?.misread(qubit, reference, flips, this.shots.length);
    return flips;
  }

  /** Returns how the shots go on, by their value of a bit, each with the bit decided. */
  split(bit: number): Continuation<StabilizerCourse>[] {
    const values = this.values(bit);
    const sides: number[][] = [[], []];
    for (let i = 0; i < this.shots.length; i++) sides[(values[i >> 5]! >>> (i & 31)) & 1]!.push(i);
    return sides.flatMap((places, value) => {
      if (places.length === 0) return [];
      const shots = Uint32Array.from(places, place => this.shots[place]!);
      return [{ shots, resume: () => this.#select(places, shots, bit, value) }];
    });
  }

  #select(places: readonly number[], shots: Uint32Array, bit: number, value: number): StabilizerCourse {
    const isAll = places.length === this.shots.length;
    const course = new StabilizerCourse(
      this.#run,
      isAll ? this.tableau : this.tableau.copy(),
      isAll ? this.differences : this.differences.select(places),
      {
        bits: this.memory.bits.slice(),
        flips: this.memory.flips.map(flips => flips && (isAll ? flips : gatherBits(flips, places))),
        slots: [...this.slots],
      },
      shots,
    );
    course.instruction = this.instruction;
    course.operation = this.operation;
    course.writeBit(bit, value);
    return course;
  }
}
