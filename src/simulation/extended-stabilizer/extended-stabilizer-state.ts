import { applyClifford } from "../circuit/clifford.ts";
import type { Gate, Numbers } from "../circuit/gate.ts";
import { visitCall } from "../circuit/primitives.ts";
import { standardGate } from "../circuit/standard.ts";
import {
  expectationsOf,
  type PauliString as PauliObservable,
  type QuantumState,
  type Sampler,
} from "../execution/quantum-state.ts";
import type { Meter } from "../interpreter/execution-state.ts";
import { Tableau } from "../stabilizer/tableau.ts";
import type { StateVector } from "../statevector/state-vector.ts";
import {
  bitAt,
  CliffordFrame,
  hasY,
  multiplyPaulis,
  type PauliString,
  qubitsIn,
  withoutQubit,
} from "./clifford-frame.ts";
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
  readonly #frame: CliffordFrame;
  readonly #inner: StateVector;
  readonly #meter: Meter;
  /** Copies that samplers draw from, which are released with the state. */
  readonly #sampled: ExtendedStabilizerState[] = [];

  /** Makes the state in which each qubit of a state vector is 0. */
  constructor(inner: StateVector, meter: Meter, frame = new CliffordFrame(inner.numQubits)) {
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
    return image.x.every(word => word === 0) && this.#activeIn(image).length === 0;
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
        rotate: (on, angle) =>
          this.#rotate(on.map(qubit => this.#frame.imageOfZ(qubit)).reduce(multiplyPaulis), angle),
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
      this.#toZOfPivot(image, pivot);
      if (value) this.#frame.innerX(pivot);
      return;
    }
    const found = this.#toSingleZ(image);
    if (!found) return;
    this.#inner.project(found.qubit, value ^ found.sign);
    this.#settle();
  }

  expectations(strings: readonly PauliObservable[]): number[] {
    const images = strings.map(string => this.#imageOf(string));
    const inner = images.map(({ x, z }) =>
      qubitsIn(x, z).map(qubit => ({ qubit, pauli: PAULIS[2 * bitAt(z, qubit) + bitAt(x, qubit)]! })),
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

  /** Returns U†·P·U for a Pauli string P, which is not empty. */
  #imageOf(string: PauliObservable): PauliString {
    const turned = this.#frame.copy();
    for (const { qubit, pauli } of string) {
      if (pauli === "Y") {
        turned.z(qubit);
        turned.s(qubit);
      }
      if (pauli !== "Z") turned.h(qubit);
    }
    this.#meter.work(Tableau.bytes(this.numQubits) / 8, 1);
    return string.map(({ qubit }) => turned.imageOfZ(qubit)).reduce(multiplyPaulis);
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
        this.#toZOfPivot(image, pivot);
        random.add(pivot);
      } else {
        const found = this.#toSingleZ(image, measured);
        if (found) measured.add(found.qubit);
        this.#settle(measured);
      }
      image = this.#frame.imageOfZ(qubit);
      const involved = qubitsIn(image.x, image.z);
      return {
        sign: image.sign,
        random: involved.filter(one => random.has(one)),
        measured: involved.filter(one => measured.has(one)),
      };
    });
    return samplerOfForms(forms, [...random], [...measured], this.#inner.sampler([...measured]));
  }

  /** Applies `exp(-i·angle/2·P)` to φ. */
  #rotate(image: PauliString, angle: number): void {
    const pivot = this.#pivotOf(image);
    if (pivot >= 0) {
      this.#toXOfPivot(image, pivot);
      this.#inner.apply(RX, [angle], 0, [pivot], 0);
    } else {
      const found = this.#toSingleZ(image);
      if (found) this.#inner.apply(RZ, [found.sign ? -angle : angle], 0, [found.qubit], 0);
      this.#settle();
    }
  }

  /** Returns a qubit of φ that is 0 and on which a Pauli string has X or Y, or -1. */
  #pivotOf({ x }: PauliString, except?: ReadonlySet<number>): number {
    return qubitsIn(x, x).find(qubit => this.#inner.isClassical(qubit) && !except?.has(qubit)) ?? -1;
  }

  /** Returns the qubits of φ in superposition on which a Pauli string acts. */
  #activeIn({ x, z }: PauliString): number[] {
    return qubitsIn(x, z).filter(qubit => !this.#inner.isClassical(qubit));
  }

  /** Changes U, but not φ, so a Pauli string becomes X of its pivot: controls on a qubit that is 0 do nothing. */
  #toXOfPivot(image: PauliString, pivot: number): void {
    this.#meter.work((this.numQubits * this.numQubits) / 8, 0);
    if (hasY(image, pivot)) this.#frame.innerSdg(pivot);
    this.#frame.innerControlled(pivot, withoutQubit(image, pivot));
  }

  /** The same for Z of its pivot, which was 0 in the X basis and is 0 now. */
  #toZOfPivot(image: PauliString, pivot: number): void {
    this.#toXOfPivot(image, pivot);
    this.#frame.innerH(pivot);
  }

  /**
   * Changes U and φ so that a Pauli string becomes a signed Z of one qubit of φ in superposition, apart from those that
   * are given, which it changes nothing of. Returns null where it acts on none.
   */
  #toSingleZ(image: PauliString, except?: ReadonlySet<number>): { qubit: number; sign: number } | null {
    const active = this.#activeIn(image).filter(qubit => !except?.has(qubit));
    const qubit = active[0];
    if (qubit === undefined) return null;
    const do1 = (gate: Gate, on: number) => this.#inner.apply(gate, [], 0, [on], 0);
    for (const one of active) {
      if (bitAt(image.x, one) === 0) continue;
      if (bitAt(image.z, one)) {
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
