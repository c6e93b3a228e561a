import { ClassicalBits } from "../execution/classical-bits.ts";
import type { PauliString } from "../execution/quantum-state.ts";
import type { Continuation } from "../execution/scheduler.ts";
import type { Meter } from "../interpreter/execution-state.ts";
import { type AffineForm, type AffineFrames, CONSTANT, constrainRow, isConstant } from "./affine-frames.ts";
import { CliffordBranch, type CliffordMemory } from "./clifford-branch.ts";
import type { Tableau } from "./tableau.ts";

/** A branch of a Clifford program with its probability; all outcomes that it may have are alike. */
export class AffineBranch extends CliffordBranch<AffineFrames> {
  readonly weight: number;

  constructor(tableau: Tableau, frames: AffineFrames, meter: Meter, memory: CliffordMemory, weight: number) {
    super(tableau, frames, meter, memory);
    this.weight = weight;
  }

  /** Returns a bit as a sum of random bits. */
  form(bit: number): AffineForm {
    const form = this.memory.bits.open[bit]?.slice() ?? new Uint32Array(1);
    form[0]! ^= this.memory.bits.values[bit]! * CONSTANT;
    return form;
  }

  /** Returns the expectation value of a Pauli string. */
  expectation(string: PauliString): number {
    const form = this.frames.signOf(string);
    if (!isConstant(form)) return 0;
    return (form[0]! & CONSTANT ? -1 : 1) * this.tableau.expectation(string);
  }

  protected override read(_qubit: number, _reference: number, flips: Uint32Array): Uint32Array {
    return flips;
  }

  /** Returns the continuations with a bit decided: one where the bit is certain, else two that are equally likely. */
  split(bit: number): Continuation<this>[] {
    const form = this.form(bit);
    if (isConstant(form)) {
      this.writeBit(bit, form[0]! & CONSTANT);
      return [{ shots: null, resume: () => this }];
    }
    return [0, 1].map(value => ({ shots: null, resume: () => this.#decided(form, bit, value) }));
  }

  #decided(form: AffineForm, bit: number, value: number): this {
    const decided = form.slice();
    decided[0]! ^= value * CONSTANT;
    const frames = this.frames.constrained(decided);
    const bits = new ClassicalBits(this.memory.bits, row => constrainRow(row, decided));
    const memory = { bits, slots: [...this.slots], measurements: this.measurements };
    const branch = new AffineBranch(this.tableau.copy(), frames, this.meter, memory, this.weight / 2);
    branch.instruction = this.instruction;
    branch.operation = this.operation;
    branch.writeBit(bit, value);
    return branch as this;
  }
}
