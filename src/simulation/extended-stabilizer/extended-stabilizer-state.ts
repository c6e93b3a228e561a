import { applyClifford } from "../circuit/clifford.ts";
import type { Gate, Numbers } from "../circuit/gate.ts";
import { visitCall } from "../circuit/primitives.ts";
import { standardGate } from "../circuit/standard.ts";
import {
  expectationsOf,
  type PauliString,
  type QuantumState,
  type Sampler,
} from "../execution/quantum-state.ts";
import type { Meter } from "../interpreter/execution-state.ts";
import type { PauliProduct } from "../stabilizer/pauli-product.ts";
import { Tableau } from "../stabilizer/tableau.ts";
import type { StateVector } from "../statevector/state-vector.ts";
import { lowerToRotations } from "./rotations.ts";
import { type OutcomeForm, samplerOfForms } from "./sampler.ts";

const [H, SDG, X, CX] = [standardGate("h"), standardGate("sdg"), standardGate("x"), standardGate("cx")];
const [RX, RZ] = [standardGate("rx"), standardGate("rz")];

/** By the bits of X and Z. */
const PAULIS = [undefined, "X", "Z", "Y"] as const;

/**
 * A state U|φ⟩ of a Clifford gate U, kept as a tableau, and a state vector φ. A Clifford gate changes U alone. A rotation
 * becomes one about a Pauli string of φ, in which U is changed so that at most one more qubit of φ leaves 0: φ has as
 * many qubits as there are rotations that do not commute with what is known, and a Clifford program has none.
 */
export class ExtendedStabilizerState implements QuantumState {
  readonly #frame: Tableau;
  readonly #inner: StateVector;
  readonly #meter: Meter;
  /** Copies that samplers draw from, which are released with the state. */
  readonly #sampled: ExtendedStabilizerState[] = [];

  /** Makes the state in which each qubit of a state vector is 0. */
  constructor(inner: StateVector, meter: Meter, frame = new Tableau(inner.numQubits)) {
    this.#inner = inner;
    this.#meter = meter;
    this.#frame = frame;
  }

  get numQubits(): number {
    return this.#inner.numQubits;
  }

  get bytes(): number {
    return this.#inner.bytes + Tableau.bytes(this.numQubits);
  }

  isClassical(qubit: number): boolean {
    const image = this.#frame.imageOfZ(qubit);
    return image.xQubits().length === 0 && this.#activeIn(image).length === 0;
  }

  valueOf(qubit: number): number {
    return this.#frame.imageOfZ(qubit).sign;
  }

  setValue(qubit: number, value: number): void {
    if (this.valueOf(qubit) !== value) this.#frame.x(qubit);
  }

  clone(): ExtendedStabilizerState {
    return new ExtendedStabilizerState(this.#inner.clone(), this.#meter, this.#frame.copy());
  }

  release(): void {
    this.#inner.release();
    for (const copy of this.#sampled) copy.release();
  }

  apply(gate: Gate, params: Numbers, at: number, qubits: Numbers, first: number): void {
    visitCall(gate, params, at, qubits, first, one => {
      this.#meter.spend(this.numQubits / 8);
      if (applyClifford(one.gate, one.params, 0, one.qubits, 0, this.#frame)) return;
      lowerToRotations(one, {
        clifford: this.#frame,
        rotate: (on, angle) => this.#rotate(this.#frame.imageOfZ(...on), angle),
      });
    });
  }

  probabilityOfOne(qubit: number): number {
    const image = this.#frame.imageOfZ(qubit);
    if (this.#pivotOf(image) >= 0) return 0.5;
    const found = this.#toSingleZ(image);
    if (!found) return image.sign;
    const one = this.#inner.probabilityOfOne(found.qubit);
    this.#settle();
    return found.sign ? 1 - one : one;
  }

  project(qubit: number, value: number): void {
    const image = this.#frame.imageOfZ(qubit);
    const pivot = this.#pivotOf(image);
    if (pivot >= 0) {
      this.#toPivot(image, pivot, true);
      if (value) this.#frame.innerX(pivot);
      return;
    }
    const found = this.#toSingleZ(image);
    if (!found) return;
    this.#inner.project(found.qubit, value ^ found.sign);
    this.#settle();
  }

  expectations(strings: readonly PauliString[]): number[] {
    const images = strings.map(string => this.#frame.imageOf(string));
    const inner = images.map(image =>
      image.qubits().map(qubit => ({ qubit, pauli: PAULIS[2 * image.zAt(qubit) + image.xAt(qubit)]! })),
    );
    return expectationsOf(this.#inner, inner).map((value, i) => (images[i]!.sign ? -value : value));
  }

  sampler(qubits: readonly number[]): Sampler {
    const copy = this.clone();
    this.#sampled.push(copy);
    return copy.#measureAll(qubits);
  }

  amplitudes(): never {
    throw new Error("The extended stabilizer gives no amplitudes.");
  }

  /** Finds what each of some qubits' values is a sum of; the state is changed for it. */
  #measureAll(qubits: readonly number[]): Sampler {
    /** Qubits of φ that are measured, and those that stand for a random bit. */
    const measured = new Set<number>();
    const random = new Set<number>();
    const forms = qubits.map((qubit): OutcomeForm => {
      let image = this.#frame.imageOfZ(qubit);
      const pivot = this.#pivotOf(image, random);
      if (pivot >= 0) {
        this.#toPivot(image, pivot, true);
        random.add(pivot);
      } else {
        const found = this.#toSingleZ(image, measured);
        if (found) measured.add(found.qubit);
        this.#settle(measured);
      }
      image = this.#frame.imageOfZ(qubit);
      const involved = image.qubits();
      return {
        sign: image.sign,
        random: involved.filter(one => random.has(one)),
        measured: involved.filter(one => measured.has(one)),
      };
    });
    return samplerOfForms(forms, [...random], [...measured], this.#inner.sampler([...measured]));
  }

  /** Applies `exp(-i·angle/2·P)` to φ. */
  #rotate(image: PauliProduct, angle: number): void {
    const pivot = this.#pivotOf(image);
    if (pivot >= 0) {
      this.#toPivot(image, pivot, false);
      this.#inner.apply(RX, [angle], 0, [pivot], 0);
    } else {
      const found = this.#toSingleZ(image);
      if (found) this.#inner.apply(RZ, [found.sign ? -angle : angle], 0, [found.qubit], 0);
      this.#settle();
    }
  }

  /** Returns a qubit of φ that is 0 and on which a Pauli string has X or Y, or -1. */
  #pivotOf(image: PauliProduct, except?: ReadonlySet<number>): number {
    return image.xQubits().find(qubit => this.#inner.isClassical(qubit) && !except?.has(qubit)) ?? -1;
  }

  /** Returns the qubits of φ in superposition on which a Pauli string acts. */
  #activeIn(image: PauliProduct): number[] {
    return image.qubits().filter(qubit => !this.#inner.isClassical(qubit));
  }

  /** Changes U, but not φ, so a Pauli string becomes X of its pivot, or Z. */
  #toPivot(image: PauliProduct, pivot: number, isZ: boolean): void {
    this.#meter.work((this.numQubits * this.numQubits) / 8, 0);
    this.#frame.innerToPivot(image, pivot, isZ);
  }

  /**
   * Changes U and φ so that a Pauli string becomes a signed Z of one qubit of φ in superposition, apart from those that
   * are given, which it changes nothing of. Returns null where it acts on none.
   */
  #toSingleZ(image: PauliProduct, except?: ReadonlySet<number>): { qubit: number; sign: number } | null {
    const active = this.#activeIn(image).filter(qubit => !except?.has(qubit));
    const qubit = active[0];
    if (qubit === undefined) return null;
    const do1 = (gate: Gate, on: number) => this.#inner.apply(gate, [], 0, [on], 0);
    for (const one of active) {
      if (!image.xAt(one)) continue;
      if (image.zAt(one)) {
        do1(SDG, one);
        this.#frame.innerSdg(one);
      }
      do1(H, one);
      this.#frame.innerH(one);
    }
    for (const other of active.slice(1)) {
      this.#inner.apply(CX, [], 0, [other, qubit], 0);
      this.#frame.innerCx(other, qubit);
    }
    return { qubit, sign: image.sign };
  }

  /** Makes each qubit of φ 0 that is known to be 1, as a copy of others may be once they are measured. */
  #settle(except?: ReadonlySet<number>): void {
    for (let qubit = 0; qubit < this.numQubits; qubit++) {
      if (!this.#inner.isClassical(qubit) || !this.#inner.valueOf(qubit) || except?.has(qubit)) continue;
      this.#inner.apply(X, [], 0, [qubit], 0);
      this.#frame.innerX(qubit);
    }
  }
}
