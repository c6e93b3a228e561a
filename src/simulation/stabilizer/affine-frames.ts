import { PauliFrames } from "./pauli-frames.ts";

/** A sum, modulo 2, of random bits that are independent and even, and of the constant 1: a bit for each that is in it. */
export type AffineForm = Uint32Array;

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
 * The Pauli frames of all random bits at once: rows are sums of these, and so are the outcomes of measurements. The
 * frames are then exact, where those of shots are samples of them.
 */
export class AffineFrames extends PauliFrames {
  #random = 1;
  #room = 1;

  /** Makes the frames of a state in which all qubits are 0. */
  static begin(numQubits: number): AffineFrames {
    const make = () => Array.from({ length: numQubits }, () => new Uint32Array(1));
    const frames = new AffineFrames(make(), make());
    for (let qubit = 0; qubit < numQubits; qubit++) frames.randomize(qubit);
    return frames;
  }

  get words(): number {
    return this.#room;
  }

  /** Returns a copy in which a form is 0, by one random bit fewer. */
  constrained(form: AffineForm): AffineFrames {
    const constrain = (row: Uint32Array) => constrainRow(row, form);
    const copy = new AffineFrames(this.xs.map(constrain), this.zs.map(constrain));
    copy.#random = this.#random;
    copy.#room = this.#room;
    return copy;
  }

  /** Adds a new random bit to Z of a qubit. */
  protected override randomize(qubit: number): void {
    const bit = this.#random++;
    if (bit >> 5 >= this.#room) {
      this.#room *= 2;
      for (const rows of [this.xs, this.zs])
        rows.forEach((row, i) => {
          rows[i] = new Uint32Array(this.#room);
          rows[i]!.set(row);
        });
    }
    this.zs[qubit]![bit >> 5]! ^= 1 << (bit & 31);
  }
}

/** Puts the sum of the others in place of the highest random bit of a form that is 0. */
export function constrainRow(row: Uint32Array, form: AffineForm): Uint32Array {
  const out = row.slice();
  const bit = leading(form);
  if (((out[bit >> 5] ?? 0) >>> (bit & 31)) & 1)
    for (let word = 0; word <= bit >> 5; word++) out[word]! ^= form[word]!;
  return out;
}
