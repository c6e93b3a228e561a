import type { Gate } from "../circuit/gate.ts";
import { Undecided, type Value } from "../circuit/memory.ts";
import { Branch } from "../execution/branch.ts";
import type { QuantumState } from "../execution/quantum-state.ts";
import type { Philox } from "../sampling/philox.ts";
import type { Errors, GateCall } from "./errors.ts";
import type { Readout } from "./readout.ts";

/** Stream of the draws that decide measurements within a program. */
const DECISIONS = 10;
/** What a branch answers that stops for its noise, in place of the qubit that has to be decided. */
const NOISE = 2 ** 32;

/** What the branches of a run share. */
export interface Noise {
  readonly errors: Errors;
  readonly readout: Readout;
  readonly random: Philox;
}

/** What comes next for some of the shots of a branch that has stopped. */
export interface Course {
  readonly shots: Uint32Array;
  /** Makes this happen in the branch, or in a fork of it. */
  enter(branch: NoisyBranch): void;
}

type Stop = { kind: "errors"; call: GateCall; hazard: number } | { kind: "readout"; bit: number };

/** One course of a program under noise. All its shots have had the same errors and the same outcomes. */
export class NoisyBranch extends Branch {
  declare shots: Uint32Array;
  /** For each bit, the qubit whose measurement it holds and may be wrong, or -1. */
  readonly readFrom: Int32Array;
  readonly #noise: Noise;
  #hazard = 0;
  #readouts = 0;
  #stop: Stop | null = null;

  /** Begins a program with some shots, in the order of their next errors. */
  constructor(state: QuantumState, numBits: number, slots: Value[], shots: Uint32Array, noise: Noise) {
    super(state, numBits, slots, shots);
    this.readFrom = new Int32Array(numBits).fill(-1);
    this.#noise = noise;
  }

  override fork(): NoisyBranch {
    const copy = this.copyInto(
      new NoisyBranch(this.state.clone(), this.bits.length, [...this.slots], this.shots, this.#noise),
    );
    copy.readFrom.set(this.readFrom);
    copy.#hazard = this.#hazard;
    copy.#readouts = this.#readouts;
    return copy;
  }

  override apply(
    gate: Gate,
    params: ArrayLike<number>,
    at: number,
    qubits: ArrayLike<number>,
    first: number,
  ): number {
    const call = { gate, params, at, qubits, first };
    const hazard = this.#noise.errors.hazard(call);
    const isDue = this.#noise.errors.next(this.shots[0]!) < this.#hazard + hazard;
    if (!isDue) {
      const qubit = super.apply(gate, params, at, qubits, first);
      if (qubit < 0) this.#hazard += hazard;
      return qubit;
    }
    for (let i = first; i < first + gate.numQubits; i++)
      if (this.measured[qubits[i]!] || this.cleared[qubits[i]!]) return qubits[i]!;
    this.#stop = { kind: "errors", call, hazard };
    return NOISE;
  }

  override measure(qubit: number, bit: number): void {
    super.measure(qubit, bit);
    if (bit >= 0) this.readFrom[bit] = qubit;
  }

  override writeBit(bit: number, value: number): void {
    super.writeBit(bit, value);
    this.readFrom[bit] = -1;
  }

  override readBit(bit: number): number {
    const value = super.readBit(bit);
    if (this.readFrom[bit]! < 0) return value;
    this.#stop = { kind: "readout", bit };
    const undecided = new Undecided();
    undecided.qubit = NOISE;
    throw undecided;
  }

  override decide(qubit: number, outcome: number): void {
    const readFrom = this.readFrom.slice();
    super.decide(qubit, outcome);
    this.readFrom.set(readFrom);
  }

  /** Gives the courses that the shots of a branch take which has stopped, for its noise or at a qubit. */
  coursesAt(stop: number): Course[] {
    if (stop !== NOISE) return this.#decisions(stop);
    return this.#stop?.kind === "errors" ? this.#errors(this.#stop) : this.#readings(this.#stop!.bit);
  }

  #decisions(qubit: number): Course[] {
    const one = this.state.probabilityOfOne(qubit);
    const draw = this.draws;
    return this.#splitBy(
      shot => this.#noise.random.uniform(shot, draw, DECISIONS) < one,
      (branch, outcome) => branch.decide(qubit, outcome),
    );
  }

  #readings(bit: number): Course[] {
    const qubit = this.readFrom[bit]!;
    const value = this.bits[bit]!;
    const draw = this.#readouts;
    return this.#splitBy(
      shot => this.#noise.readout.isWrong(qubit, value, shot, draw),
      (branch, wrong) => {
        branch.writeBit(bit, value ^ wrong);
        branch.#readouts++;
      },
    );
  }

  #errors({ call, hazard }: Stop & { kind: "errors" }): Course[] {
    const { errors } = this.#noise;
    const until = this.#hazard + hazard;
    const firstFree = this.shots.findIndex(shot => errors.next(shot) >= until);
    const count = firstFree < 0 ? this.shots.length : firstFree;
    const courses = errors.draw(call, this.shots.subarray(0, count), this.#hazard);
    if (firstFree >= 0) courses.push({ pattern: new Map(), shots: this.shots.subarray(count) });
    return courses.map(({ pattern, shots }) => ({
      shots,
      enter(branch) {
        errors.apply(branch.state, call, pattern);
        branch.#hazard = until;
        branch.operation++;
      },
    }));
  }

  #splitBy(isOne: (shot: number) => boolean, enter: (branch: NoisyBranch, one: number) => void): Course[] {
    const sides: number[][] = [[], []];
    for (const shot of this.shots) sides[isOne(shot) ? 1 : 0]!.push(shot);
    return sides.flatMap((shots, one) =>
      shots.length > 0 ? [{ shots: Uint32Array.from(shots), enter: branch => enter(branch, one) }] : [],
    );
  }
}
