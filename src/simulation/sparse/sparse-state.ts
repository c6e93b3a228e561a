import type { Gate, Numbers } from "../circuit/gate.ts";
import { applyElementary, type Control, type GateTarget, visitCall } from "../circuit/primitives.ts";
import { formatBytes, MemoryLimitError } from "../errors.ts";
import {
  type PauliString,
  type QuantumState,
  type Sampler,
  samplerOfList,
} from "../execution/quantum-state.ts";
import { runPure } from "../execution/scheduler.ts";
import { checkWidth, joinClauses, type Simulator } from "../execution/simulator.ts";
import type { Meter } from "../interpreter/execution-state.ts";
import type { Matrix } from "../linear-algebra/matrix.ts";
import { isAntidiagonal, isDiagonal } from "../linear-algebra/one-qubit.ts";
import {
  type AmplitudeList,
  type BasisStates,
  exchangeSelected,
  flipSelected,
  multiplyPairs,
  pauliExpectations,
  SHARE_OF_PERMUTATION,
  selectStates,
} from "./pairs.ts";

interface SparseLimits {
  readonly maxBytes: number;
  readonly meter: Meter;
}

/**
 * A state of any number of qubits that keeps the amplitudes which are not zero, in double precision, each with the
 * values of all qubits. Gates that permute basis states or change phases go through the list; others pair it up.
 */
export class SparseState implements QuantumState {
  readonly numQubits: number;
  readonly #limits: SparseLimits;
  readonly #words: number;
  /** For each qubit, whether it may be in superposition. */
  readonly #superposed: Uint8Array;
  readonly #target: GateTarget = {
    phase: (controls, angle) => {
      const own = this.#undecided(controls);
      if (own) this.#turnPhases(selectStates(this.#states(), own), Math.cos(angle), Math.sin(angle));
    },
    exchange: (controls, a, b) => {
      const own = this.#undecided(controls);
      if (!own) return;
      exchangeSelected(this.#states(), selectStates(this.#states(), own), a, b);
      const [first, second] = [this.#superposed[a]!, this.#superposed[b]!];
      if (own.length > 0) this.#superposed[a] = this.#superposed[b] = 1;
      else [this.#superposed[a], this.#superposed[b]] = [second, first];
    },
    multiply: (controls, qubit, m) => {
      const own = this.#undecided(controls);
      if (own) this.#multiply(qubit, m, selectStates(this.#states(), own), own.length > 0);
    },
  };
  #size = 1;
  #keys: Uint32Array;
  #re = Float64Array.of(1);
  #im = Float64Array.of(0);

  /** Makes the state in which each of the qubits is 0. */
  constructor(numQubits: number, limits: SparseLimits) {
    this.numQubits = numQubits;
    this.#limits = limits;
    this.#words = Math.max(1, Math.ceil(numQubits / 32));
    this.#keys = new Uint32Array(this.#words);
    this.#superposed = new Uint8Array(numQubits);
  }

  get bytes(): number {
    return this.#re.length * (16 + 4 * this.#words);
  }

  /** Number of amplitudes that are not zero. */
  get size(): number {
    return this.#size;
  }

  isClassical(qubit: number): boolean {
    return this.#superposed[qubit] === 0;
  }

  valueOf(qubit: number): number {
    return this.#bit(0, qubit);
  }

  setValue(qubit: number, value: number): void {
    if (this.valueOf(qubit) !== value) flipSelected(this.#states(), selectStates(this.#states(), []), qubit);
  }

  clone(): SparseState {
    const copy = new SparseState(this.numQubits, this.#limits);
    copy.#superposed.set(this.#superposed);
    copy.#size = this.#size;
    copy.#keys = this.#keys.slice(0, this.#size * this.#words);
    copy.#re = this.#re.slice(0, this.#size);
    copy.#im = this.#im.slice(0, this.#size);
    return copy;
  }

  release(): void {}

  apply(gate: Gate, params: Numbers, at: number, qubits: Numbers, first: number): void {
    if (gate.kind === "composite") {
      visitCall(gate, params, at, qubits, first, step => {
        this.apply(step.gate, step.params, 0, step.qubits, 0);
      });
      return;
    }
    this.#limits.meter.spend(SHARE_OF_PERMUTATION * this.#size);
    applyElementary(gate, params, at, qubits, first, this.#target);
  }

  probabilityOfOne(qubit: number): number {
    let one = 0;
    let all = 0;
    for (let i = 0; i < this.#size; i++) {
      const weight = this.#weight(i);
      all += weight;
      if (this.#bit(i, qubit)) one += weight;
    }
    return one / all;
  }

  project(qubit: number, value: number): void {
    let kept = 0;
    let weight = 0;
    for (let i = 0; i < this.#size; i++) {
      if (this.#bit(i, qubit) !== value) continue;
      weight += this.#weight(i);
      if (kept < i) {
        for (let word = 0; word < this.#words; word++)
          this.#keys[kept * this.#words + word] = this.#keys[i * this.#words + word]!;
        this.#re[kept] = this.#re[i]!;
        this.#im[kept] = this.#im[i]!;
      }
      kept++;
    }
    this.#size = kept;
    const scale = 1 / Math.sqrt(weight);
    for (let i = 0; i < kept; i++) {
      this.#re[i]! *= scale;
      this.#im[i]! *= scale;
    }
    this.#superposed[qubit] = 0;
  }

  sampler(qubits: readonly number[]): Sampler {
    const weights = Float64Array.from({ length: this.#size }, (_, i) => this.#weight(i));
    return samplerOfList(weights, (outcome, place) => this.#bit(outcome, qubits[place]!));
  }

  expectations(strings: readonly PauliString[]): number[] {
    return pauliExpectations(this.#list(), strings, {
      size: this.#size,
      words: this.#words,
      meter: this.#limits.meter,
    });
  }

  amplitudes(): number[] {
    const out = new Array<number>(2 * 2 ** this.numQubits).fill(0);
    for (let i = 0; i < this.#size; i++) {
      const index = this.#keys[i * this.#words]!;
      out[2 * index] = this.#re[i]!;
      out[2 * index + 1] = this.#im[i]!;
    }
    return out;
  }

  #weight(i: number): number {
    return this.#re[i]! * this.#re[i]! + this.#im[i]! * this.#im[i]!;
  }

  #bit(i: number, qubit: number): number {
    return (this.#keys[i * this.#words + (qubit >> 5)]! >>> (qubit & 31)) & 1;
  }

  #states(): BasisStates {
    return { keys: this.#keys, words: this.#words, size: this.#size };
  }

  /** Returns the controls whose qubits may be in superposition; null where another one forbids the gate. */
  #undecided(controls: readonly Control[]): readonly Control[] | null {
    const own: Control[] = [];
    for (const control of controls)
      if (!this.isClassical(control.qubit)) own.push(control);
      else if (this.valueOf(control.qubit) !== control.value) return null;
    return own;
  }

  /** Multiplies the amplitudes that are selected by a number. */
  #turnPhases(selected: Uint8Array, x: number, y: number): void {
    const [re, im] = [this.#re, this.#im];
    for (let i = 0; i < selected.length; i++) {
      if (!selected[i]) continue;
      const a = re[i]!;
      re[i] = a * x - im[i]! * y;
      im[i] = a * y + im[i]! * x;
    }
  }

  #multiply(qubit: number, m: Matrix, selected: Uint8Array, isControlled: boolean): void {
    if (isDiagonal(m) || isAntidiagonal(m)) {
      const flips = !isDiagonal(m);
      const states = this.#states();
      for (const value of [0, 1]) {
        const entry = flips ? 4 - 2 * value : 6 * value;
        if (m[entry] !== 1 || m[entry + 1] !== 0)
          this.#turnPhases(selectStates(states, [{ qubit, value }], selected), m[entry]!, m[entry + 1]!);
      }
      if (flips) flipSelected(states, selected, qubit);
      if (flips && isControlled) this.#superposed[qubit] = 1;
      return;
    }
    this.#applyPairs(qubit, m, selected);
    this.#superposed[qubit] = 1;
  }

  /** Multiplies the pairs of amplitudes that differ in one qubit by a matrix. */
  #applyPairs(qubit: number, m: Matrix, selected: Uint8Array): void {
    const size = this.#size;
    const from = this.#list();
    this.#reserve(2 * size);
    const { meter } = this.#limits;
    this.#size = multiplyPairs(from, this.#list(), { size, words: this.#words, qubit, m, selected, meter });
  }

  #list(): AmplitudeList {
    return { keys: this.#keys, re: this.#re, im: this.#im };
  }

  /** Makes new lists with room for the given number of amplitudes. */
  #reserve(size: number): void {
    const bytes = size * (16 + 4 * this.#words);
    if (bytes > this.#limits.maxBytes)
      throw new MemoryLimitError(
        `The sparse state has grown to ${this.#size.toLocaleString("en-US")} amplitudes, and twice as many take ${formatBytes(bytes)}; at most ${formatBytes(this.#limits.maxBytes)} may be used here.`,
      );
    this.#keys = new Uint32Array(size * this.#words);
    this.#re = new Float64Array(size);
    this.#im = new Float64Array(size);
  }
}

/** Simulates with the amplitudes that are not zero. */
export const sparseSimulator: Simulator = {
  name: "sparse",

  check: () => null,

  reason: (_circuit, _wishes, refusals) =>
    refusals.length > 0 ? joinClauses(refusals) : "Most amplitudes may be zero.",

  run(circuit, run) {
    const { maxQubits, maxBytes, meter } = run;
    checkWidth(circuit, maxQubits);
    return runPure(circuit, run, () => new SparseState(circuit.numQubits, { maxBytes, meter }));
  },
};
