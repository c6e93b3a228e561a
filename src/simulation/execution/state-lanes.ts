import type { ElementaryGate, Gate } from "../circuit/gate.ts";
import type { QuantumState } from "./quantum-state.ts";

/** Room for the states of many branches of a program side by side, each in a lane. */
export interface StateLanes {
  /** Copies a state into a lane; returns a group of that lane alone, or null where the state is too large. */
  load(state: QuantumState, lane: number): LaneGroup | null;
  /** Returns the number of [0, 1) that the run draws in each of the lanes, given the shots and draws of all; the list is used again. */
  uniforms(
    lanes: readonly number[],
    shots: Uint32Array,
    draws: Uint32Array,
    stream: number,
  ): ArrayLike<number>;
  /** Releases the memory of all lanes. */
  release(): void;
}

/** The states of some lanes whose qubits are arranged alike, so that one pass applies a gate to all of them. */
export interface LaneGroup {
  /** The lanes of the group. A method that is called with this very list acts on all of them. */
  readonly lanes: number[];
  /** Amplitudes of each lane. */
  readonly size: number;
  /** Whether a qubit is in no superposition in any lane. */
  isClassical(qubit: number): boolean;
  /** Returns the value of a classical qubit in each lane of the memory. */
  valuesOf(qubit: number): Uint8Array;
  /** Applies a gate whose parameters begin at `at` and whose qubits begin at `first` of the given lists. */
  apply(
    gate: Gate,
    params: ArrayLike<number>,
    at: number,
    qubits: ArrayLike<number>,
    first: number,
    lanes: number[],
  ): void;
  /** Applies a gate with parameters of their own in each of some lists of lanes, which are those of `lanes`. */
  applyEach(
    gate: ElementaryGate,
    qubits: ArrayLike<number>,
    each: readonly { readonly params: ArrayLike<number>; readonly lanes: readonly number[] }[],
    lanes: number[],
  ): void;
  /** Whether a gate may make the states larger. */
  widens(
    gate: Gate,
    params: ArrayLike<number>,
    at: number,
    qubits: ArrayLike<number>,
    first: number,
  ): boolean;
  /** Returns the probability that a measurement of a qubit finds 1, for each of the lanes. */
  probabilitiesOfOne(qubit: number, lanes: readonly number[]): number[];
  /** Projects a qubit on the values that measurements have found, whose probabilities they have had. */
  project(
    qubit: number,
    lanes: readonly number[],
    outcomes: ArrayLike<number>,
    probabilities: ArrayLike<number>,
  ): void;
  /** Sets a qubit to 0 that has just been projected on these values. */
  clear(qubit: number, lanes: number[], outcomes: ArrayLike<number>): void;
  /** Adds a lane with the state of another. */
  fork(lane: number, to: number): void;
  /** Whether the lanes are better split into two groups, if each of their states grows so many times as large. */
  isTooLarge(growth: number): boolean;
  /** Takes lanes away, and returns a group of these. */
  split(lanes: number[]): LaneGroup;
  /** Takes the lanes of another group, unless the qubits are arranged so differently that it is not worth it; returns whether it did. */
  join(other: LaneGroup): boolean;
  /** Releases the memory of lanes that are not used any more. */
  end(): void;
}

/** Makes room for the states of so many branches. */
export type StartLanes = (capacity: number) => StateLanes;
