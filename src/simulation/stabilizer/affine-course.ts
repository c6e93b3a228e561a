import type { Continuation } from "../execution/scheduler.ts";
import type { Meter } from "../interpreter/meter.ts";
import { type AffineForm, AffineFrames, CONSTANT, isConstant } from "./affine-frames.ts";
import { CliffordCourse, type CliffordMemory } from "./clifford-course.ts";
import type { Tableau } from "./tableau.ts";

/** A course of a Clifford program with its probability; all outcomes that it may have are alike. */
export class AffineCourse extends CliffordCourse<AffineFrames> {
  readonly weight: number;

  constructor(tableau: Tableau, frames: AffineFrames, meter: Meter, memory: CliffordMemory, weight: number) {
    super(tableau, frames, meter, memory);
    this.weight = weight;
  }

  /** Returns a bit as a sum of random bits. */
  form(bit: number): AffineForm {
    const form = this.memory.flips[bit]?.slice() ?? new Uint32Array(1);
    form[0]! ^= this.memory.bits[bit]! * CONSTANT;
    return form;
  }

  protected override read(_qubit: number, _reference: number, flips: Uint32Array): Uint32Array {
    return flips;
  }

  /** Returns how the course goes on with a bit decided: in one way where the bit is certain, else in two that are alike. */
  split(bit: number): Continuation<AffineCourse>[] {
    const form = this.form(bit);
    if (isConstant(form)) {
      this.writeBit(bit, form[0]! & CONSTANT);
      return [{ shots: null, resume: () => this }];
    }
    return [0, 1].map(value => ({ shots: null, resume: () => this.#decided(form, bit, value) }));
  }

  #decided(form: AffineForm, bit: number, value: number): AffineCourse {
    const frames = this.differences.copy();
    const decided = form.slice();
    decided[0]! ^= value * CONSTANT;
    frames.settle(decided);
    const flips = this.memory.flips.map(row => row && AffineFrames.settled(row, decided));
    const memory = { bits: this.memory.bits.slice(), flips, slots: [...this.slots] };
    const course = new AffineCourse(this.tableau.copy(), frames, this.meter, memory, this.weight / 2);
    course.instruction = this.instruction;
    course.operation = this.operation;
    course.writeBit(bit, value);
    return course;
  }
}
