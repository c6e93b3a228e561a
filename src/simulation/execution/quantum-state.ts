import type { Gate, Numbers } from "../circuit/gate.ts";
import { SimulationError } from "../errors.ts";
import { drawWeighted } from "../sampling/draws.ts";
import type { Philox } from "../sampling/philox.ts";

/** The values of some qubits in a state, to be drawn or listed. Outcomes are numbered in a way of the state's own. */
export interface Sampler {
  /** Draws `count` outcomes; equal ones are adjacent. */
  draw(count: number, random: Philox, b: number, stream: number): Uint32Array;
  /** Calls back for every outcome that is possible with its probability; values may be the same in several. */
  each(visit: (outcome: number, probability: number) => void): void;
  /** Returns the value that a qubit, by its place among those asked for, has in an outcome. */
  value(outcome: number, place: number): number;
  /** Returns all these values as the bits of a number for each outcome, the first qubit's the highest. Default: one by one. */
  codes?(outcomes: Uint32Array): Uint32Array;
}

/** The state of the qubits of a program. Some of them are known to have a classical value. */
export interface QuantumState {
  readonly numQubits: number;
  /** Bytes that the state takes up. */
  readonly bytes: number;
  /** Whether a qubit is known to have a value, and to be in no superposition. */
  isClassical(qubit: number): boolean;
  /** Returns the value of a qubit that is classical. */
  valueOf(qubit: number): number;
  /** Sets the value of a qubit that is classical. */
  setValue(qubit: number, value: number): void;
  /** Applies a gate whose parameters begin at `at` and whose qubits begin at `first` of the given lists. */
  apply(gate: Gate, params: Numbers, at: number, qubits: Numbers, first: number): void;
  /** Returns the probability that a measurement of a qubit finds 1. */
  probabilityOfOne(qubit: number): number;
  /** Projects a qubit on a value that a measurement has found. */
  project(qubit: number, value: number): void;
  /** Applies the no-jump operator of amplitude damping: the amplitudes of the qubit's 1 shrink by this probability. Default: by gates. */
  damp?(qubit: number, probability: number): void;
  /** Whether another state of as many qubits is the same but for rounding and a global phase, as far as it is easily told. Default: states are never compared. */
  equals?(other: QuantumState): boolean;
  /** Returns an independent copy. */
  clone(): QuantumState;
  /** Releases the memory of a state that is not used any more. */
  release(): void;
  /** Returns the possible values of some qubits. */
  sampler(qubits: readonly number[]): Sampler;
  expectations(strings: readonly PauliString[]): number[];
  /** Returns all 2^n amplitudes, real and imaginary parts interleaved; qubit 0 is the lowest bit of the index. */
  amplitudes(): number[];
}

/** A state that keeps nothing: each measurement may find 0 or 1. */
export class UnknownState implements QuantumState {
  readonly numQubits: number;
  readonly bytes = 0;

  constructor(numQubits: number) {
    this.numQubits = numQubits;
  }

  isClassical(): boolean {
    return false;
  }

  valueOf(): number {
    return 0;
  }

  probabilityOfOne(): number {
    return 0.5;
  }

  setValue(): void {}

  apply(_gate: Gate, _params: Numbers, _at: number, _qubits: Numbers, _first: number): void {}

  project(): void {}

  release(): void {}

  clone(): this {
    return this;
  }

  readonly sampler = unknown;
  readonly expectations = unknown;
  readonly amplitudes = unknown;
}

function unknown(): never {
  throw new Error("Nothing is known of this state.");
}

/** Makes a sampler of a list of outcomes by their weights, which need not add up to 1. */
export function samplerOfList(weights: Float64Array, value: Sampler["value"]): Sampler {
  return {
    draw: (count, random, b, stream) => drawWeighted(weights, count, random, b, stream),
    each: visit => {
      const total = weights.reduce((sum, weight) => sum + weight, 0);
      weights.forEach((weight, i) => {
        visit(i, weight / total);
      });
    },
    value,
  };
}

/** Maximum number of outcomes of a distribution that is listed. */
const MAX_OUTCOMES = 2 ** 20;

/** Throws a {@link SimulationError} where a program has more outcomes than can be listed. */
export function checkOutcomeCount(count: number): void {
  if (count > MAX_OUTCOMES)
    throw new SimulationError(
      `The program has more than ${MAX_OUTCOMES.toLocaleString("en-US")} outcomes, too many to list; ask for shots instead.`,
    );
}

/** A Pauli matrix on a qubit. */
export interface PauliFactor {
  readonly qubit: number;
  readonly pauli: "X" | "Y" | "Z";
}

/** A product of Pauli matrices on different qubits; without factors it is 1. */
export type PauliString = readonly PauliFactor[];

/** A sum of Pauli strings with real coefficients. */
export type PauliSum = readonly { readonly coefficient: number; readonly string: PauliString }[];

/** Returns the expectation values of Pauli strings in a state, which is kept. */
export function expectationsOf(state: QuantumState, strings: readonly PauliString[]): number[] {
  const found = strings.filter(string => string.length > 0);
  const values = state.expectations(found).values();
  return strings.map(string => (string.length > 0 ? values.next().value! : 1));
}
