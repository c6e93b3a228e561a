import type { Gate } from "../circuit/gate.ts";
import { isAntidiagonal, isDiagonal, type Matrix2 } from "../circuit/matrix.ts";
import { visitCall } from "../circuit/primitives.ts";
import { MemoryLimitError } from "../errors.ts";
import { formatBytes } from "../execution/format-bytes.ts";
import type { PauliString } from "../execution/pauli-string.ts";
import type { QuantumState, Sampler } from "../execution/quantum-state.ts";
import { samplerOfList } from "../execution/sampler-of-list.ts";
import type { Meter } from "../interpreter/meter.ts";
import { type AmplitudeList, multiplyPairs } from "./multiply-pairs.ts";
import { pauliExpectations } from "./pauli-expectations.ts";

/** What a sparse state may take up. */
export interface SparseLimits {
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

  /** How many amplitudes are not zero. */
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
    for (let i = 0; i < this.#size; i++) if (this.#bit(i, qubit) !== value) this.#flip(i, qubit);
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

  apply(gate: Gate, params: ArrayLike<number>, at: number, qubits: ArrayLike<number>, first: number): void {
    if (gate.kind === "composite") {
      visitCall(gate, params, at, qubits, first, step => {
        this.apply(step.gate, step.params, 0, step.qubits, 0);
      });
      return;
    }
    this.#limits.meter.spend(this.#size * this.#words);
    const controls = gate.controls.map((on, i) => ({ qubit: qubits[first + i]!, value: on ? 1 : 0 }));
    const isSelected = (i: number) => controls.every(({ qubit, value }) => this.#bit(i, qubit) === value);
    const hasSuperposedControl = controls.some(({ qubit }) => this.#superposed[qubit]);
    const target = qubits[first + controls.length]!;
    if (gate.kind === "phase") {
      const angle = gate.scale * params[at]!;
      for (let i = 0; i < this.#size; i++)
        if (isSelected(i)) this.#applyPhase(i, Math.cos(angle), Math.sin(angle));
    } else if (gate.kind === "swap") {
      const other = qubits[first + controls.length + 1]!;
      for (let i = 0; i < this.#size; i++)
        if (this.#bit(i, target) !== this.#bit(i, other) && isSelected(i)) {
          this.#flip(i, target);
          this.#flip(i, other);
        }
      const either = this.#superposed[target]! | this.#superposed[other]! | Number(hasSuperposedControl);
      if (controls.length > 0) this.#superposed[target] = this.#superposed[other] = either;
      else
        [this.#superposed[target], this.#superposed[other]] = [
          this.#superposed[other]!,
          this.#superposed[target]!,
        ];
    } else this.#multiply(target, gate.matrix(params, at), isSelected, hasSuperposedControl);
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
      this.#keys.copyWithin(kept * this.#words, i * this.#words, (i + 1) * this.#words);
      this.#re[kept] = this.#re[i]!;
      this.#im[kept] = this.#im[i]!;
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

  #flip(i: number, qubit: number): void {
    this.#keys[i * this.#words + (qubit >> 5)]! ^= 1 << (qubit & 31);
  }

  #applyPhase(i: number, cr: number, ci: number): void {
    const re = this.#re[i]!;
    this.#re[i] = re * cr - this.#im[i]! * ci;
    this.#im[i] = re * ci + this.#im[i]! * cr;
  }

  #multiply(
    qubit: number,
    m: Matrix2,
    isSelected: (i: number) => boolean,
    hasSuperposedControl: boolean,
  ): void {
    const diagonal = isDiagonal(m);
    const flipping = isAntidiagonal(m);
    if (diagonal || flipping) {
      for (let i = 0; i < this.#size; i++) {
        if (!isSelected(i)) continue;
        const entry = diagonal ? 6 * this.#bit(i, qubit) : 4 - 2 * this.#bit(i, qubit);
        this.#applyPhase(i, m[entry]!, m[entry + 1]!);
        if (flipping) this.#flip(i, qubit);
      }
      if (flipping && hasSuperposedControl) this.#superposed[qubit] = 1;
      return;
    }
    this.#applyPairs(qubit, m, isSelected);
    this.#superposed[qubit] = 1;
  }

  /** Multiplies the pairs of amplitudes that differ in one qubit by a matrix. */
  #applyPairs(qubit: number, m: Matrix2, isSelected: (i: number) => boolean): void {
    const size = this.#size;
    const from = this.#list();
    const selected = new Uint8Array(size);
    for (let i = 0; i < size; i++) selected[i] = Number(isSelected(i));
    this.#reserve(2 * size);
    const { meter } = this.#limits;
    this.#size = multiplyPairs(from, this.#list(), { size, words: this.#words, qubit, m, selected, meter });
  }

  #list(): AmplitudeList {
    return { keys: this.#keys, re: this.#re, im: this.#im };
  }

  /** Makes new lists with room for so many amplitudes. */
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
