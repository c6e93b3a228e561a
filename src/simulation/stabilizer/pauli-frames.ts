import type { CliffordTarget } from "../circuit/clifford.ts";
import type { PauliString } from "../execution/quantum-state.ts";

/**
 * Pauli frames: the Pauli errors by which the states of a branch differ from its reference, as a row of bits for X and
 * one for Z of each qubit (Knill, 2005; Gidney, Stim, 2021). An error that a state of zeros does not notice, Z on a
 * qubit that is 0, is random: that makes outcomes random which are.
 */
export abstract class PauliFrames implements CliffordTarget {
  protected xs: Uint32Array[];
  protected zs: Uint32Array[];

  constructor(xs: Uint32Array[], zs: Uint32Array[]) {
    this.xs = xs;
    this.zs = zs;
  }

  /** Words that a row takes up. */
  abstract readonly words: number;

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

function addRow(to: Uint32Array, from: Uint32Array): void {
  for (let word = 0; word < to.length; word++) to[word]! ^= from[word]!;
}
