import type { Gate, Numbers } from "../circuit/gate.ts";
import { visitCall } from "../circuit/primitives.ts";
import type { PauliString, QuantumState, Sampler } from "../execution/quantum-state.ts";
import type { Meter } from "../interpreter/execution-state.ts";
import type { Matrix } from "../linear-algebra/matrix.ts";
import { isAntidiagonal, isDiagonal, isNot, X } from "../linear-algebra/one-qubit.ts";
import {
  ALL,
  type Amplitudes,
  type Condition,
  checkMemory,
  defaultThreads,
  narrow,
  type OverlapMasks,
  positionsIn,
  type StateOptions,
  UNMETERED,
} from "./amplitudes.ts";
import { LargeAmplitudes, MIN_LARGE_QUBITS } from "./large-amplitudes.ts";
import { type AffineBit, codesAt, QubitLayout, valueAt } from "./qubit-layout.ts";
import { SmallAmplitudes } from "./small-amplitudes.ts";

/**
 * The state of qubits. Only qubits in superposition take up amplitudes: the others are kept as classical values, or as
 * copies and parities of others, join when a gate first needs it, and leave when they are measured.
 */
export class StateVector implements QuantumState {
  readonly numQubits: number;
  readonly #options: StateOptions;
  readonly #meter: Meter;
  #layout: QubitLayout;
  #amplitudes: Amplitudes;
  #phase = 0;

  /** Makes the state in which each of the qubits is 0. `meter` is called with the work done; `amplitudes` are of no qubits. */
  constructor(
    numQubits: number,
    options: StateOptions,
    meter: Meter = UNMETERED,
    amplitudes: Amplitudes = new SmallAmplitudes(),
  ) {
    this.numQubits = numQubits;
    this.#amplitudes = amplitudes;
    this.#options = options;
    this.#meter = meter;
    this.#layout = new QubitLayout(numQubits);
  }

  /** Bytes that the amplitudes take up. */
  get bytes(): number {
    return this.#amplitudes.bytes;
  }

  /** Whether a qubit has a value, and is in no superposition. */
  isClassical(qubit: number): boolean {
    return this.#layout.isClassical(qubit);
  }

  /** Returns the value of a qubit that is not in superposition. */
  valueOf(qubit: number): number {
    return this.#layout.valueOf(qubit);
  }

  /** Sets the value of a qubit that is not in superposition. */
  setValue(qubit: number, value: number): void {
    this.#layout.setValue(qubit, value);
  }

  /** Whether another state keeps the same few amplitudes in the same places, but for rounding and a global phase. */
  equals(other: QuantumState): boolean {
    if (!(other instanceof StateVector) || !this.#layout.equals(other.#layout)) return false;
    const [own, others] = [this.#amplitudes, other.#amplitudes];
    return own instanceof SmallAmplitudes && others instanceof SmallAmplitudes && own.equals(others);
  }

  /** Returns an independent copy. */
  clone(): StateVector {
    const copy = new StateVector(this.numQubits, this.#options, this.#meter, this.#amplitudes.copy());
    copy.#layout = this.#layout.copy();
    copy.#phase = this.#phase;
    return copy;
  }

  /** Releases the memory of a state that is not used any more. */
  release(): void {
    this.#amplitudes.release();
  }

  /** Applies a gate whose parameters begin at `at` and whose qubits begin at `first` of the given lists. */
  apply(gate: Gate, params: Numbers, at: number, qubits: Numbers, first: number): void {
    if (gate.kind === "composite") {
      visitCall(gate, params, at, qubits, first, step => {
        this.apply(step.gate, step.params, 0, step.qubits, 0);
      });
      return;
    }
    this.#meter.spend(this.#amplitudes instanceof SmallAmplitudes ? 2 ** this.#layout.numPositions : 1);
    const { controls } = gate;
    const target = first + controls.length;
    const select = () => this.#select(controls, qubits, first);
    const selection = select();
    if (!selection) return;
    if (gate.kind === "phase") this.#applyPhase(selection, gate.scale * params[at]!);
    else if (gate.kind === "swap") this.#swap(qubits[target]!, qubits[target + 1]!, selection, select);
    else {
      const m = gate.matrix(params, at);
      if (isNot(m) && controls.length <= 1 && this.#tryRelabelX(qubits[target]!, qubits[first]!, controls))
        return;
      this.#multiply(qubits[target]!, selection, select, m);
    }
  }

  /** Returns the probability that a measurement of a qubit finds 1. */
  probabilityOfOne(qubit: number): number {
    if (this.isClassical(qubit)) return this.valueOf(qubit);
    const { position, inverted } = this.#single(qubit);
    const { zero, one } = this.#amplitudes.weights(position);
    return (inverted ? zero : one) / (zero + one);
  }

  /** Projects a qubit on a value that a measurement has found; qubits with the same value follow. */
  project(qubit: number, value: number): void {
    if (this.isClassical(qubit)) return;
    const { position, inverted } = this.#single(qubit);
    const bit = value ^ Number(inverted);
    this.#amplitudes = this.#amplitudes.project(position, bit);
    this.#layout.remove(position, bit);
  }

  /** Returns the possible values of some qubits; outcomes are the bits of indices that the qubits depend on. */
  sampler(qubits: readonly number[]): Sampler {
    return samplerOf(
      this.#amplitudes,
      qubits.map(qubit => this.#layout.affineBitOf(qubit)),
    );
  }

  expectations(strings: readonly PauliString[]): number[] {
    return pauliExpectations(this.#amplitudes, this.#layout, strings);
  }

  /** Returns all 2^n amplitudes, real and imaginary parts interleaved; qubit 0 is the lowest bit of the index. */
  amplitudes(): number[] {
    const places = Array.from({ length: this.numQubits }, (_, qubit) => this.#layout.affineBitOf(qubit));
    return allAmplitudes(this.#amplitudes, places, this.#phase);
  }

  /** Returns the position of a qubit, or that of the one which it is a copy of. */
  #single(qubit: number): { position: number; inverted: boolean } {
    return this.#layout.single(qubit) ?? { position: this.#addQubit(qubit), inverted: false };
  }

  /** Turns controls into a condition on the amplitudes. */
  #select(controls: readonly boolean[], qubits: Numbers, first: number): Condition | null {
    let condition: Condition | null = ALL;
    for (let i = 0; i < controls.length; i++) {
      const qubit = qubits[first + i]!;
      const wanted = controls[i] ? 1 : 0;
      if (this.isClassical(qubit)) {
        if (this.valueOf(qubit) !== wanted) return null;
        continue;
      }
      const { position, inverted } = this.#single(qubit);
      condition = narrow(condition, position, wanted ^ Number(inverted));
      if (!condition) return null;
    }
    return condition;
  }

  /**
   * Applies an X with at most one control where that only changes how values are written down: on a qubit without a
   * position it makes a copy or parity, and without a control it inverts. Returns whether it could.
   */
  #tryRelabelX(target: number, control: number, controls: readonly boolean[]): boolean {
    const places = this.#layout;
    const position = places.positionOf(target);
    if (position >= 0) {
      if (controls.length > 0) return false;
      for (const other of places.dependents(position)) places.add(other, { parity: 0, value: 1 });
      this.#amplitudes.matrix(position, 0, 0, X);
      return true;
    }
    const { parity, value } = controls.length > 0 ? places.affineBitOf(control) : { parity: 0, value: 1 };
    places.add(target, { parity, value: value ^ Number(controls[0] === false) });
    return true;
  }

  #applyPhase({ mask, on }: Condition, angle: number): void {
    if (mask === 0) this.#phase += angle;
    else this.#amplitudes.phase(mask, on, Math.cos(angle), Math.sin(angle));
  }

  #multiply(qubit: number, condition: Condition, select: () => Condition | null, m: Matrix): void {
    const diagonal = isDiagonal(m);
    const flipping = isAntidiagonal(m);
    const value = this.valueOf(qubit);
    if (this.isClassical(qubit) && (diagonal || (flipping && condition.mask === 0))) {
      const entry = diagonal ? 6 * value : 4 - 2 * value;
      this.#applyPhase(condition, Math.atan2(m[entry + 1]!, m[entry]!));
      if (flipping) this.setValue(qubit, 1 - value);
    } else if (diagonal) {
      const { position, inverted } = this.#single(qubit);
      for (const value of [0, 1]) {
        const [re, im] = [m[6 * value]!, m[6 * value + 1]!];
        const selected = re === 1 && im === 0 ? null : narrow(condition, position, value ^ Number(inverted));
        if (selected) this.#amplitudes.phase(selected.mask, selected.on, re, im);
      }
    } else {
      const position = this.#layout.ownPosition(qubit, this.#addQubit);
      const selected = select();
      if (!selected) return;
      this.#amplitudes.matrix(position, selected.mask, selected.on, m);
    }
  }

  #swap(a: number, b: number, { mask }: Condition, select: () => Condition | null): void {
    if (mask === 0) {
      this.#layout.swap(a, b);
      return;
    }
    if (this.isClassical(a) && this.isClassical(b) && this.valueOf(a) === this.valueOf(b)) return;
    const first = 1 << this.#layout.ownPosition(a, this.#addQubit);
    const second = 1 << this.#layout.ownPosition(b, this.#addQubit);
    const [p, q] = [this.#layout.positionOf(a), this.#layout.positionOf(b)];
    const selected = select();
    if (!selected) return;
    this.#amplitudes.matrix(p, second, second, X);
    this.#amplitudes.matrix(q, selected.mask | first, selected.on | first, X);
    this.#amplitudes.matrix(p, second, second, X);
  }

  /** Adds a bit of a qubit's own, the highest, and returns its position. */
  readonly #addQubit = (qubit: number): number => {
    const position = this.#layout.numPositions;
    checkMemory(position + 1, this.#options);
    if (position + 1 === MIN_LARGE_QUBITS && this.#amplitudes instanceof SmallAmplitudes) {
      const { precision = "single", threads = defaultThreads() } = this.#options;
      this.#amplitudes = LargeAmplitudes.of(this.#amplitudes, { precision, threads, meter: this.#meter });
    }
    this.#amplitudes.addQubit();
    const { parity, value } = this.#layout.addQubit(qubit);
    if (value) this.#amplitudes.matrix(position, 0, 0, X);
    for (const other of positionsIn(parity)) this.#amplitudes.matrix(position, 1 << other, 1 << other, X);
    return position;
  };
}

/** Returns the possible values at places; outcomes are the bits of indices that they depend on. */
function samplerOf(amplitudes: Amplitudes, places: readonly AffineBit[]): Sampler {
  const mask = places.reduce((bits, { parity }) => bits | parity, 0);
  return {
    draw: (count, random, b, stream) => {
      if (mask === 0) return new Uint32Array(count);
      const indices = amplitudes.draw(count, random, b, stream);
      if (mask === 2 ** amplitudes.numPositions - 1) return indices;
      for (let i = 0; i < count; i++) indices[i]! &= mask;
      return indices.sort();
    },
    each: visit => {
      const positions = positionsIn(mask);
      amplitudes.marginal(positions).forEach((probability, value) => {
        visit(
          positions.reduce((index, position, place) => index + ((value >>> place) & 1) * 2 ** position, 0),
          probability,
        );
      });
    },
    value: (outcome, place) => valueAt(outcome, places[place]!),
    ...(places.length <= 32 && { codes: outcomes => codesAt(outcomes, places) }),
  };
}

/** Returns the amplitudes of all values at places, times a phase, real and imaginary parts interleaved. */
function allAmplitudes(amplitudes: Amplitudes, places: readonly AffineBit[], phase: number): number[] {
  const out = new Array<number>(2 * 2 ** places.length).fill(0);
  const { re, im } = amplitudes.planes();
  const [c, s] = [Math.cos(phase), Math.sin(phase)];
  for (let i = 0; i < 2 ** amplitudes.numPositions; i++) {
    const index = places.reduce((bits, place, qubit) => bits | (valueAt(i, place) << qubit), 0);
    out[2 * index] = re[i]! * c - im[i]! * s;
    out[2 * index + 1] = re[i]! * s + im[i]! * c;
  }
  return out;
}

/** Overlaps that are computed at a time. */
const MAX_OVERLAPS = 128;

/** Returns the expectation values of Pauli strings: of amplitudes times those whose bits they flip, by the signs that they give them. */
function pauliExpectations(
  amplitudes: Amplitudes,
  layout: QubitLayout,
  strings: readonly PauliString[],
): number[] {
  const values = new Array<number>(strings.length).fill(0);
  const terms = strings.flatMap((string, place) => {
    const term = termOf(layout, string);
    return term ? [{ ...term, place }] : [];
  });
  for (let first = 0; first < terms.length; first += MAX_OVERLAPS) {
    const own = terms.slice(first, first + MAX_OVERLAPS);
    const overlaps = amplitudes.overlaps(own);
    own.forEach(({ place, sign }, i) => {
      values[place] = sign * overlaps[i]!;
    });
  }
  return values;
}

/** Returns the overlap that a Pauli string has the value of, but for a sign; null where its value is 0. */
function termOf(layout: QubitLayout, string: PauliString): (OverlapMasks & { sign: number }) | null {
  const flipped = new Set(string.flatMap(({ qubit, pauli }) => (pauli === "Z" ? [] : [qubit])));
  const flips = layout.flipsOf(flipped);
  if (flips === null) return null;
  let signs: AffineBit = { parity: 0, value: 0 };
  let numY = 0;
  for (const { qubit, pauli } of string) {
    if (pauli === "Y") numY++;
    if (pauli === "X") continue;
    const { parity, value } = layout.affineBitOf(qubit);
    signs = { parity: signs.parity ^ parity, value: signs.value ^ value };
  }
  return { flips, signs: signs.parity, sign: (signs.value ? -1 : 1) * [1, -1, -1, 1][numY % 4]! };
}
