import type { PauliString } from "../execution/quantum-state.ts";
import type { PauliFrames } from "./clifford-branch.ts";

/** A sum, modulo 2, of random bits that are independent and even, and of the constant 1: a bit for each that is in it. */
export type AffineForm = Uint32Array<ArrayBuffer>;

/** The bit of a form's first word that stands for 1; the others are for random bits. */
export const CONSTANT = 1;

/** Whether a form has no random bits in it. */
export const isConstant = (form: AffineForm): boolean =>
  form.every((word, i) => (i === 0 ? word & ~CONSTANT : word) === 0);

/** The highest random bit of a form. */
function leading(form: AffineForm): number {
  let word = form.length - 1;
  while (form[word] === 0) word--;
  return 32 * word + 31 - Math.clz32(form[word]!);
}

/**
 * Pauli frames for all random bits at once: X and Z of each qubit as sums of random bits. What a state of zeros does
 * not notice is a new random bit, so that the outcomes of measurements become sums of them too.
 */
export class AffineFrames implements PauliFrames {
  #x: AffineForm[];
  #z: AffineForm[];
  #random = 1;
  #room = 1;

  private constructor(numQubits: number) {
    this.#x = Array.from({ length: numQubits }, () => new Uint32Array(1));
    this.#z = Array.from({ length: numQubits }, () => new Uint32Array(1));
  }

  /** Makes the frames of a state in which all qubits are 0. */
  static begin(numQubits: number): AffineFrames {
    const frames = new AffineFrames(numQubits);
    for (let qubit = 0; qubit < numQubits; qubit++) frames.#addRandom(qubit);
    return frames;
  }

  get words(): number {
    return this.#room;
  }

  /** Returns an independent copy. */
  copy(): AffineFrames {
    const copy = new AffineFrames(0);
    copy.#x = this.#x.map(row => row.slice());
    copy.#z = this.#z.map(row => row.slice());
    copy.#random = this.#random;
    copy.#room = this.#room;
    return copy;
  }

  /** Narrows the random bits to those for which a form is 0. */
  constrain(form: AffineForm): void {
    for (const rows of [this.#x, this.#z])
      rows.forEach((row, qubit) => {
        rows[qubit] = AffineFrames.constrained(row, form);
      });
  }

  /** Puts the sum of the others in place of the highest random bit of a form that is 0. */
  static constrained(row: Uint32Array, form: AffineForm): AffineForm {
    const out = Uint32Array.from(row);
    const bit = leading(form);
    if (((out[bit >> 5] ?? 0) >>> (bit & 31)) & 1)
      for (let word = 0; word <= bit >> 5; word++) out[word]! ^= form[word]!;
    return out;
  }

  h(qubit: number): void {
    [this.#x[qubit], this.#z[qubit]] = [this.#z[qubit]!, this.#x[qubit]!];
  }

  s(qubit: number): void {
    add(this.#z[qubit]!, this.#x[qubit]!);
  }

  x(): void {}

  z(): void {}

  cx(control: number, target: number): void {
    add(this.#x[target]!, this.#x[control]!);
    add(this.#z[control]!, this.#z[target]!);
  }

  cz(a: number, b: number): void {
    add(this.#z[a]!, this.#x[b]!);
    add(this.#z[b]!, this.#x[a]!);
  }

  swap(a: number, b: number): void {
    for (const rows of [this.#x, this.#z]) [rows[a], rows[b]] = [rows[b]!, rows[a]!];
  }

  add(pauli: "x" | "z", qubit: number, flips: Uint32Array): void {
    add((pauli === "x" ? this.#x : this.#z)[qubit]!, flips);
  }

  measure(qubit: number): AffineForm {
    this.#addRandom(qubit);
    return this.#x[qubit]!.slice();
  }

  reset(qubit: number): void {
    this.#x[qubit]!.fill(0);
    this.#addRandom(qubit);
  }

  /** Returns by what sign the frames change the value of a Pauli string. */
  signOf(string: PauliString): AffineForm {
    const form = new Uint32Array(this.#room);
    for (const { qubit, pauli } of string) {
      if (pauli !== "X") add(form, this.#x[qubit]!);
      if (pauli !== "Z") add(form, this.#z[qubit]!);
    }
    return form;
  }

  /** Adds a new random bit to Z of a qubit. */
  #addRandom(qubit: number): void {
    const bit = this.#random++;
    if (bit >> 5 >= this.#room) {
      this.#room *= 2;
      for (const rows of [this.#x, this.#z])
        rows.forEach((row, i) => {
          rows[i] = new Uint32Array(this.#room);
          rows[i]!.set(row);
        });
    }
    this.#z[qubit]![bit >> 5]! ^= 1 << (bit & 31);
  }
}

function add(to: AffineForm, from: Uint32Array): void {
  for (let word = 0; word < to.length; word++) to[word]! ^= from[word]!;
}
