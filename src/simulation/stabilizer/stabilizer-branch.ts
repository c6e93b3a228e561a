import type { Gate, Numbers } from "../circuit/gate.ts";
import type { Compute } from "../circuit/memory.ts";
import { visitCall } from "../circuit/primitives.ts";
import type { Continuation } from "../execution/branch.ts";
import { ClassicalBits } from "../execution/classical-bits.ts";
import type { PauliString } from "../execution/quantum-state.ts";
import type { Meter, OperationRange } from "../interpreter/execution-state.ts";
import { CliffordBranch, type CliffordMemory } from "./clifford-branch.ts";
import type { PauliErrors } from "./shot-frames.ts";
import { gatherBits, type ShotFrames } from "./shot-frames.ts";
import type { Tableau } from "./tableau.ts";

/** State shared by the branches of a run. */
interface StabilizerRun {
  readonly meter: Meter;
  readonly noise: PauliErrors | undefined;
}

/** A branch of a Clifford program that some shots take together. */
export class StabilizerBranch extends CliffordBranch<ShotFrames> {
  /** The number of each shot. */
  readonly shots: Uint32Array;
  readonly #run: StabilizerRun;

  constructor(
    run: StabilizerRun,
    tableau: Tableau,
    frames: ShotFrames,
    memory: CliffordMemory,
    shots: Uint32Array,
  ) {
    super(tableau, frames, run.meter, memory);
    this.#run = run;
    this.shots = shots;
  }

  /** Returns the values of a bit in the shots, 32 in a word; unused bits at the end may be set. */
  values(bit: number): Uint32Array {
    const flips = this.memory.bits.open[bit] ?? new Uint32Array(Math.ceil(this.shots.length / 32));
    return this.memory.bits.values[bit] ? flips.map(word => ~word) : flips;
  }

  /** Returns the expectation value of a Pauli string in each shot's state. */
  expectations(string: PauliString): number[] {
    const reference = this.tableau.expectation(string);
    const flips = this.frames.signOf(string);
    return Array.from(this.shots, (_, i) => ((flips[i >> 5]! >>> (i & 31)) & 1 ? -reference : reference));
  }

  override apply(gate: Gate, params: Numbers, at: number, qubits: Numbers, first: number): number {
    const { noise } = this.#run;
    if (!noise) return super.apply(gate, params, at, qubits, first);
    if (gate.kind !== "composite") {
      super.apply(gate, params, at, qubits, first);
      noise.afterGate({ gate, params, at, qubits, first }, this.frames);
      return -1;
    }
    visitCall(gate, params, at, qubits, first, one => this.apply(one.gate, one.params, 0, one.qubits, 0));
    return -1;
  }

  override applyWhere(bit: number, condition: Compute<boolean>, range: OperationRange): boolean {
    return !this.#run.noise && super.applyWhere(bit, condition, range);
  }

  protected override read(qubit: number, reference: number, flips: Uint32Array): Uint32Array {
    this.#run.noise?.applyReadoutError(qubit, reference, flips, this.shots.length);
    return flips;
  }

  /** Returns the continuations of the shots, by their value of a bit, each with the bit decided. */
  split(bit: number): Continuation<this>[] {
    const values = this.values(bit);
    const sides: number[][] = [[], []];
    for (let i = 0; i < this.shots.length; i++) sides[(values[i >> 5]! >>> (i & 31)) & 1]!.push(i);
    return sides.flatMap((places, value) => {
      if (places.length === 0) return [];
      const shots = Uint32Array.from(places, place => this.shots[place]!);
      return [{ shots, resume: () => this.#select(places, shots, bit, value) }];
    });
  }

  #select(places: readonly number[], shots: Uint32Array, bit: number, value: number): this {
    const isAll = places.length === this.shots.length;
    const bits = new ClassicalBits(this.memory.bits, flips => (isAll ? flips : gatherBits(flips, places)));
    const branch = new StabilizerBranch(
      this.#run,
      isAll ? this.tableau : this.tableau.copy(),
      isAll ? this.frames : this.frames.select(places),
      { bits, slots: [...this.slots], measurements: this.measurements },
      shots,
    );
    branch.instruction = this.instruction;
    branch.operation = this.operation;
    branch.writeBit(bit, value);
    return branch as this;
  }
}
