import { asciiString } from "#host";
import { SimulationError } from "../errors.ts";
import type { Continuation } from "../execution/branch.ts";
import { ClassicalBits } from "../execution/classical-bits.ts";
import type { PauliString } from "../execution/quantum-state.ts";
import type { Meter } from "../interpreter/execution-state.ts";
import { CliffordBranch, type CliffordMemory } from "./clifford-branch.ts";
import { PauliFrames } from "./pauli-frames.ts";
import type { Tableau } from "./tableau.ts";

/** A branch of a Clifford program with its probability; all outcomes that it may have are alike. */
export class AffineBranch extends CliffordBranch<AffineFrames> {
  readonly weight: number;

  constructor(tableau: Tableau, frames: AffineFrames, meter: Meter, memory: CliffordMemory, weight: number) {
    super(tableau, frames, meter, memory);
    this.weight = weight;
  }

  /** Returns a bit as a sum of random bits. */
  form(bit: number): AffineForm {
    const form = this.memory.bits.open[bit]?.slice() ?? new Uint32Array(1);
    form[0]! ^= this.memory.bits.values[bit]! * CONSTANT;
    return form;
  }

  /** Returns the expectation value of a Pauli string. */
  expectation(string: PauliString): number {
    const form = this.frames.signOf(string);
    if (!isConstant(form)) return 0;
    return (form[0]! & CONSTANT ? -1 : 1) * this.tableau.expectation(string);
  }

  protected override read(_qubit: number, _reference: number, flips: Uint32Array): Uint32Array {
    return flips;
  }

  /** Returns the continuations with a bit decided: one where the bit is certain, else two that are equally likely. */
  split(bit: number): Continuation<this>[] {
    const form = this.form(bit);
    if (isConstant(form)) {
      this.writeBit(bit, form[0]! & CONSTANT);
      return [{ shots: null, resume: () => this }];
    }
    return [0, 1].map(value => ({ shots: null, resume: () => this.#decided(form, bit, value) }));
  }

  #decided(form: AffineForm, bit: number, value: number): this {
    const decided = form.slice();
    decided[0]! ^= value * CONSTANT;
    const frames = this.frames.constrained(decided);
    const bits = new ClassicalBits(this.memory.bits, row => constrainRow(row, decided));
    const memory = { bits, slots: [...this.slots], measurements: this.measurements };
    const branch = new AffineBranch(this.tableau.copy(), frames, this.meter, memory, this.weight / 2);
    branch.instruction = this.instruction;
    branch.operation = this.operation;
    branch.writeBit(bit, value);
    return branch as this;
  }
}

/** A sum, modulo 2, of random bits that are independent and even, and of the constant 1: a bit for each that is in it. */
type AffineForm = Uint32Array;

/** The bit of a form's first word that stands for 1; the others are for random bits. */
const CONSTANT = 1;

/** Whether a form has no random bits in it. */
const isConstant = (form: AffineForm): boolean =>
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

const ZERO = 48;

/**
 * Calls back for every outcome whose bits are sums of random bits; all of them are equally likely. `bits` are those of
 * the outcome's string from left to right, null for a space. Throws a SimulationError where they are too many to list.
 */
export function visitOutcomes(
  bits: readonly (AffineForm | null)[],
  visit: (outcome: string, probability: number) => void,
): void {
  const basis = columnBasis(bits);
  const max = Math.min(MAX_DIMENSIONS, Math.floor(Math.log2(MAX_CHARACTERS / Math.max(1, bits.length))));
  if (basis.length > max)
    throw new SimulationError(
      `The program has 2^${basis.length} equally likely outcomes, too many to list (at most 2^${max} of ${bits.length} characters); ask for shots instead.`,
    );
  const text = Uint8Array.from(bits.map(form => (form ? ZERO + (form[0]! & CONSTANT) : 32)));
  const count = 2 ** basis.length;
  for (let i = 0; ; ) {
    visit(asciiString(text), 1 / count);
    if (++i === count) return;
    for (const place of basis[31 - Math.clz32(i & -i)]!) text[place]! ^= 1;
  }
}

/** Returns independent sets of places that random bits flip together, and of which all others are sums. */
function columnBasis(bits: readonly (AffineForm | null)[]): number[][] {
  const columns = new Map<number, bigint>();
  bits.forEach((form, place) => {
    form?.forEach((word, at) => {
      for (let rest = at === 0 ? word & ~CONSTANT : word; rest !== 0; rest &= rest - 1) {
        const random = 32 * at + 31 - Math.clz32(rest & -rest);
        columns.set(random, (columns.get(random) ?? 0n) | (1n << BigInt(place)));
      }
    });
  });
  const basis = new Map<number, bigint>();
  for (const column of columns.values()) {
    let rest = column;
    while (rest !== 0n) {
      const lead = rest.toString(2).length - 1;
      const known = basis.get(lead);
      if (known === undefined) {
        basis.set(lead, rest);
        break;
      }
      rest ^= known;
    }
  }
  return [...basis.values()].map(column =>
    bits.flatMap((_, place) => ((column >> BigInt(place)) & 1n ? [place] : [])),
  );
}
