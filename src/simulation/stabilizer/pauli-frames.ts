import type { CliffordTarget } from "../circuit/clifford.ts";
import type { PauliString } from "../execution/quantum-state.ts";

/** The frames in which a bit has one of its values. */
export interface FramesPart {
  readonly value: number;
  /** The places of its shots; null in exact frames. */
  readonly places: readonly number[] | null;
  /** Its share of the probability, in exact frames. */
  readonly share: number;
  /** Returns what is left of a row. */
  take(row: Uint32Array): Uint32Array;
}

/**
 * Pauli frames: the Pauli errors by which the states of a branch differ from its reference, as a row of bits for X and
 * one for Z of each qubit (Knill, 2005; Gidney, Stim, 2021). An error that a state of zeros does not notice, Z on a
 * qubit that is 0, is random: that makes outcomes random which are.
 */
export abstract class PauliFrames implements CliffordTarget {
  protected readonly xs: Uint32Array[];
  protected readonly zs: Uint32Array[];

  constructor(xs: Uint32Array[], zs: Uint32Array[]) {
    this.xs = xs;
    this.zs = zs;
  }

  /** Makes the frames of a state in which all qubits are 0. */
  protected begin(): this {
    for (let qubit = 0; qubit < this.zs.length; qubit++) this.randomize(qubit);
    return this;
  }

  /** Words that a row takes up. */
  abstract readonly words: number;

  /** Returns the frames by the value of a bit, whose row of values is given: one part where the bit is certain. */
  abstract parts(values: Uint32Array): FramesPart[];

  abstract select(part: FramesPart): PauliFrames;

  /** Returns the row of a bit's values, from that in the reference and the row of differences from it. */
  abstract valuesOf(reference: number, flips: Uint32Array): Uint32Array;

  /** Makes Z on a qubit that is 0 random. */
  protected abstract randomize(qubit: number): void;

  h(qubit: number): void {
    [this.xs[qubit], this.zs[qubit]] = [this.zs[qubit]!, this.xs[qubit]!];
  }

  s(qubit: number): void {
    addRow(this.zs[qubit]!, this.xs[qubit]!);
  }

  x(): void {}

  z(): void {}

  cx(control: number, target: number): void {
    addRow(this.xs[target]!, this.xs[control]!);
    addRow(this.zs[control]!, this.zs[target]!);
  }

  cz(a: number, b: number): void {
    addRow(this.zs[a]!, this.xs[b]!);
    addRow(this.zs[b]!, this.xs[a]!);
  }

  swap(a: number, b: number): void {
    for (const rows of [this.xs, this.zs]) [rows[a], rows[b]] = [rows[b]!, rows[a]!];
  }

  /** Puts a Pauli error at one place of the rows: 1 X, 2 Y, 3 Z. */
  flip(qubit: number, place: number, pauli: number): void {
    const bit = 1 << (place & 31);
    if (pauli === 1 || pauli === 2) this.xs[qubit]![place >> 5]! ^= bit;
    if (pauli >= 2) this.zs[qubit]![place >> 5]! ^= bit;
  }

  /** Puts a Pauli error, X or else Z, where the outcomes of a measurement differ from the reference. */
  add(pauli: "x" | "z", qubit: number, flips: Uint32Array): void {
    addRow((pauli === "x" ? this.xs : this.zs)[qubit]!, flips);
  }

  /** Returns the difference of a measurement's outcome from that of the reference. */
  measure(qubit: number): Uint32Array {
    this.randomize(qubit);
    return this.xs[qubit]!.slice();
  }

  reset(qubit: number): void {
    this.xs[qubit]!.fill(0);
    this.randomize(qubit);
  }

  /** Returns where the frames flip the sign of a Pauli string. */
  signOf(string: PauliString): Uint32Array {
    const flips = new Uint32Array(this.words);
    for (const { qubit, pauli } of string) {
      if (pauli !== "X") addRow(flips, this.xs[qubit]!);
      if (pauli !== "Z") addRow(flips, this.zs[qubit]!);
    }
    return flips;
  }
}

/** Adds a row to another, modulo 2. */
export function addRow(to: Uint32Array, from: Uint32Array): void {
  for (let word = 0; word < to.length; word++) to[word]! ^= from[word]!;
}

/** Makes a row of zeros for each qubit, `words` long. */
export const emptyRows = (numQubits: number, words: number): Uint32Array[] =>
  Array.from({ length: numQubits }, () => new Uint32Array(words));
