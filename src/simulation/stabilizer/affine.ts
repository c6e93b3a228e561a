import { asciiString } from "#host";
import { SimulationError } from "../errors.ts";
import { addRow, emptyRows, type FramesPart, PauliFrames } from "./pauli-frames.ts";

/** A sum, modulo 2, of random bits that are independent and even, and of the constant 1: a bit for each that is in it. */
type AffineForm = Uint32Array;

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
    return new AffineFrames(emptyRows(numQubits, 1), emptyRows(numQubits, 1)).begin();
  }

  get words(): number {
    return this.#room;
  }

  /** Returns one part where the form is certain, else two that are equally likely, with one random bit fewer. */
  parts(form: AffineForm): FramesPart[] {
    if (isConstant(form)) return [{ value: form[0]! & CONSTANT, places: null, share: 1, take: row => row }];
    return [0, 1].map(value => {
      const decided = this.valuesOf(value, form);
      return { value, places: null, share: 0.5, take: row => constrainRow(row, decided) };
    });
  }

  select({ take }: FramesPart): AffineFrames {
    const copy = new AffineFrames(this.xs.map(take), this.zs.map(take));
    copy.#random = this.#random;
    copy.#room = this.#room;
    return copy;
  }

  valuesOf(reference: number, flips: Uint32Array): AffineForm {
    const form = flips.slice();
    form[0]! ^= reference * CONSTANT;
    return form;
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
function constrainRow(row: Uint32Array, form: AffineForm): Uint32Array {
  const out = row.slice();
  const bit = leading(form);
  if (((out[bit >> 5] ?? 0) >>> (bit & 31)) & 1)
    for (let word = 0; word <= bit >> 5; word++) out[word]! ^= form[word]!;
  return out;
}

/** Maximum number of characters that the outcomes of a program may have together. */
const MAX_CHARACTERS = 2 ** 26;
const MAX_DIMENSIONS = 20;

const SPACE = 32;
const ZERO = 48;

/**
 * Calls back for every outcome whose bits are sums of random bits; all of them are equally likely. `bits` are those of
 * the outcome's string from left to right, null for a space. Throws a SimulationError where they are too many to list.
 */
export function visitOutcomes(
  bits: readonly (AffineForm | null)[],
  visit: (outcome: string, probability: number) => void,
): void {
  /** Independent forms, without the constant, that the values of places are sums of, and the places of each. */
  const basis: { form: AffineForm; lead: number; places: number[] }[] = [];
  const text = new Uint8Array(bits.length).fill(SPACE);
  const max = Math.min(MAX_DIMENSIONS, Math.floor(Math.log2(MAX_CHARACTERS / Math.max(1, bits.length))));
  bits.forEach((bit, place) => {
    if (!bit) return;
    const rest = bit.slice();
    text[place] = ZERO + (rest[0]! & CONSTANT);
    rest[0]! &= ~CONSTANT;
    for (const { form, lead, places } of basis) {
      if (((rest[lead >> 5]! >>> (lead & 31)) & 1) === 0) continue;
      addRow(rest, form);
      places.push(place);
    }
    if (rest.some(Boolean)) basis.push({ form: rest, lead: leading(rest), places: [place] });
  });
  if (basis.length > max)
    throw new SimulationError(
      `The program has 2^${basis.length} equally likely outcomes, too many to list (at most 2^${max} of ${bits.length} characters); ask for shots instead.`,
    );
  const count = 2 ** basis.length;
  for (let i = 0; ; ) {
    visit(asciiString(text), 1 / count);
    if (++i === count) return;
    for (const place of basis[31 - Math.clz32(i & -i)]!.places) text[place]! ^= 1;
  }
}
