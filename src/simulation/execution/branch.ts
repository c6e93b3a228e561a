import { changesQubit, type Gate, type Numbers } from "../circuit/gate.ts";
import { DeferredMeasurement, type Value } from "../circuit/memory.ts";
import type { ExecutionState } from "../interpreter/execution-state.ts";
import type { Philox } from "../sampling/philox.ts";
import { ClassicalBits, isEqual } from "./classical-bits.ts";
import { SURE_SHOTS } from "./expectation-tally.ts";
import type { QuantumState } from "./quantum-state.ts";

/** The continuation of a branch that has stopped, for some of its shots or a share of its probability. */
export interface Continuation<C> {
  /** Null in an exact run. */
  readonly shots: Uint32Array | null;
  /** Returns the branch that continues: the stopped one itself if this is its last continuation, else a copy. */
  resume(isLast: boolean): C;
}

/** A branch that can wait while others run. */
export interface SchedulableBranch extends ExecutionState, Disposable {
  /** Bytes of its state. */
  readonly bytes: number;
  /** Returns the continuations of the branch, which has stopped at what {@link run} has returned; none if all are negligible. */
  split(stop: number): Continuation<this>[];
  /** Joins a branch into this one, which has stopped at the same place, if both have the same memory and state; returns whether it did. */
  join?(other: this): boolean;
}

/** Branches of an exact run below this probability are dropped. */
const NEGLIGIBLE = 1e-12;
/** Probabilities within this distance of 0 or 1 are rounding errors. */
const CERTAIN = 1e-14;
/** Stream of the draws that decide measurements within a program. */
export const DECISIONS = 1;

const DEFERRED = new DeferredMeasurement();

/**
 * A branch of a program: its quantum state, its classical memory and its program counter.
 * Measurements and resets are deferred until something depends on their outcome. Until then a bit only records its qubit,
 * and all such bits are sampled together at the end. The principle of deferred measurement (Nielsen and Chuang, 4.4)
 * holds, as a measured qubit is projected before any gate that changes its value.
 */
export class Branch implements SchedulableBranch {
  readonly state: QuantumState;
  readonly bits: ClassicalBits;
  readonly slots: Value[];
  /** For each qubit: 1 if its measurement is deferred, 2 if gates have acted on it since, else 0. */
  readonly measured: Uint8Array;
  /** For each qubit, whether it was reset after its last use. */
  readonly cleared: Uint8Array;
  instruction = 0;
  operation = -1;
  /** Probability of the measurements of the branch; 0 where it is unknown. */
  weight = 1;
  /** The shots that run through the branch; null in an exact run. */
  shots: Uint32Array | null;
  draws = 0;
  protected readonly decisions: number = DECISIONS;
  protected readonly random: Philox;

  /** Begins with a number of bits that are 0, or with copies of others. */
  constructor(
    state: QuantumState,
    bits: number | ClassicalBits,
    slots: Value[],
    shots: Uint32Array | null,
    random: Philox,
  ) {
    this.random = random;
    this.state = state;
    this.bits = new ClassicalBits(bits);
    this.slots = slots;
    this.measured = new Uint8Array(state.numQubits);
    this.cleared = new Uint8Array(state.numQubits);
    this.shots = shots;
  }

  /** Returns an independent copy. */
  fork(): Branch {
    return this.copyInto(new Branch(this.state.clone(), this.bits, [...this.slots], this.shots, this.random));
  }

  /** Whether a qubit was reset, or measured before gates that act on it: no coherence of it is left, whatever the state holds. */
  isDephased(qubit: number): boolean {
    return this.cleared[qubit] === 1 || this.measured[qubit] === 2;
  }

  /** Probability of the branch; 0 where it is unknown. */
  get probability(): number {
    return this.weight;
  }

  get bytes(): number {
    return this.state.bytes;
  }

  /** Returns the continuations with each value of the qubit at which the branch has stopped. */
  split(qubit: number): Continuation<this>[] {
    const one = this.state.probabilityOfOne(qubit);
    const { draws, random } = this;
    const isOne = (shot: number) => random.uniform(shot, draws, this.decisions) < one;
    return this.splitInTwo(one, isOne, (branch, outcome) => branch.decide(qubit, outcome));
  }

  /** Returns the continuations of shots that have a 1 with a probability, each if `isOne` says so, or both shares. */
  protected splitInTwo(
    one: number,
    isOne: (shot: number) => boolean,
    enter: (branch: this, outcome: number) => void,
  ): Continuation<this>[] {
    const { shots, weight } = this;
    const side = (outcome: number, own: Uint32Array | null) =>
      this.continuation(own, outcome ? one : 1 - one, branch => enter(branch, outcome));
    if (!shots)
      return [0, 1].flatMap(x => (weight * (x ? one : 1 - one) > NEGLIGIBLE ? [side(x, null)] : []));
    if (one < CERTAIN) return [side(0, shots)];
    if (one > 1 - CERTAIN) return [side(1, shots)];
    const groups = Map.groupBy(shots, shot => Number(isOne(shot)));
    return [0, 1].flatMap(x => (groups.has(x) ? [side(x, Uint32Array.from(groups.get(x)!))] : []));
  }

  /** Returns the continuation of some shots, or null for a share of the probability, that `enter` leads to. */
  protected continuation(
    shots: Uint32Array | null,
    share: number,
    enter: (branch: this) => void,
  ): Continuation<this> {
    return {
      shots,
      resume: isLast => {
        const branch = isLast ? this : (this.fork() as this);
        branch.shots = shots;
        branch.weight *= share;
        try {
          enter(branch);
        } catch (error) {
          if (!isLast) branch[Symbol.dispose]();
          throw error;
        }
        return branch;
      },
    };
  }

  /** Takes the shots or the weight of a branch at the same place where its memory and state are the same; returns whether they are. */
  join(other: Branch): boolean {
    if (!this.remembersAs(other) || !this.state.equals?.(other.state)) return false;
    const { shots } = this;
    const areSure = !shots || Math.min(shots.length, other.shots!.length) >= SURE_SHOTS;
    this.weight = areSure && this.weight > 0 && other.weight > 0 ? this.weight + other.weight : 0;
    if (shots) this.shots = merge(shots, other.shots!);
    return true;
  }

  /** Whether another branch has the same memory, and its shots have drawn as often. */
  protected remembersAs(other: Branch): boolean {
    return (
      (!this.shots || this.draws === other.draws) &&
      isEqual(this.bits.values, other.bits.values) &&
      isEqual(this.bits.open, other.bits.open) &&
      isEqual(this.measured, other.measured) &&
      isEqual(this.cleared, other.cleared) &&
      isEqual(this.slots, other.slots)
    );
  }

  /** Releases the memory of the state. */
  [Symbol.dispose](): void {
    this.state.release();
  }

  protected copyInto<T extends Branch>(copy: T): T {
    copy.measured.set(this.measured);
    copy.cleared.set(this.cleared);
    copy.instruction = this.instruction;
    copy.operation = this.operation;
    copy.weight = this.weight;
    copy.draws = this.draws;
    return copy;
  }

  undecidedQubit(bit: number): number {
    return this.bits.open[bit] ?? -1;
  }

  readBit(bit: number): number {
    const qubit = this.undecidedQubit(bit);
    if (qubit < 0) return this.bits.values[bit]!;
    DEFERRED.qubit = qubit;
    throw DEFERRED;
  }

  writeBit(bit: number, value: number): void {
    this.bits.write(bit, value);
  }

  /** Measures a qubit into a bit, or into none where `bit` is -1, without deciding the outcome if it can be put off. */
  measure(qubit: number, bit: number): void {
    const isKnown = this.cleared[qubit] === 1 || this.state.isClassical(qubit);
    if (!isKnown) this.measured[qubit] ||= 1;
    const value = isKnown && !this.cleared[qubit] ? this.state.valueOf(qubit) : 0;
    this.bits.measured(qubit, bit, value, isKnown ? null : qubit);
  }

  /** Resets a qubit; one in superposition is only marked. */
  reset(qubit: number): void {
    if (this.state.isClassical(qubit)) {
      if (this.measured[qubit]) this.#settle(qubit, this.state.valueOf(qubit));
      this.state.setValue(qubit, 0);
      this.cleared[qubit] = 0;
    } else this.cleared[qubit] = 1;
  }

  /**
   * Applies a gate whose parameters begin at `at` and whose qubits begin at `first`, and returns -1;
   * or returns a qubit that must be decided before.
   */
  apply(gate: Gate, params: Numbers, at: number, qubits: Numbers, first: number): number {
    const qubit = this.blockingQubit(gate, qubits, first);
    if (qubit >= 0) return qubit;
    for (let i = first; i < first + gate.numQubits; i++)
      if (this.measured[qubits[i]!]) this.measured[qubits[i]!] = 2;
    this.state.apply(gate, params, at, qubits, first);
    return -1;
  }

  /** Returns a qubit that must be decided before the gate can be applied, or -1. */
  blockingQubit(gate: Gate, qubits: Numbers, first: number): number {
    for (let place = 0; place < gate.numQubits; place++) {
      const qubit = qubits[first + place]!;
      if (this.cleared[qubit] || (this.measured[qubit] && changesQubit(gate, place))) return qubit;
    }
    return -1;
  }

  /** Decides the value of a qubit: the state collapses, and the bits that wait for it are set. */
  decide(qubit: number, outcome: number): void {
    this.state.project(qubit, outcome);
    this.#settle(qubit, outcome);
    if (this.cleared[qubit]) {
      this.cleared[qubit] = 0;
      this.state.setValue(qubit, 0);
    }
    this.draws++;
  }

  /** Sets the bits that wait for the value of a qubit. */
  #settle(qubit: number, value: number): void {
    this.bits.settle(qubit, value);
    this.measured[qubit] = 0;
  }
}

/** Merges two ascending lists of shots. */
function merge(a: Uint32Array, b: Uint32Array): Uint32Array {
  const merged = new Uint32Array(a.length + b.length);
  for (let i = 0, j = 0, to = 0; to < merged.length; to++)
    merged[to] = j === b.length || (i < a.length && a[i]! < b[j]!) ? a[i++]! : b[j++]!;
  return merged;
}
