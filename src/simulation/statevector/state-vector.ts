import { availableParallelism } from "node:os";
import type { Gate } from "../circuit/gate.ts";
import type { Matrix2 } from "../circuit/matrix.ts";
import { parameterMemory } from "../circuit/memory.ts";
import type { QuantumState, Sampler } from "../execution/quantum-state.ts";
import { type Amplitudes, positionsIn } from "./amplitudes.ts";
import { FEWEST_LARGE, LargeAmplitudes } from "./large-amplitudes.ts";
import { checkMemory, type Meter, type StateLimits, UNMETERED } from "./limits.ts";
import { codesAt, type Place, valueAt } from "./place.ts";
import { SmallAmplitudes } from "./small-amplitudes.ts";

/** How a state vector is computed. */
export interface StateOptions extends StateLimits {
  /** Most threads. Results are the same for any number. Default: as many as the machine has cores, at most 8. */
  threads?: number;
}

const DEFAULT_THREADS = 8;

/** A condition on the amplitudes: the bits at `mask` are `on`; null where no amplitude satisfies it. */
type Selection = Condition | null;

interface Condition {
  readonly mask: number;
  readonly on: number;
}

/**
 * The state of qubits. Only qubits in superposition take up amplitudes: the others are kept as classical values, or as
 * copies and parities of others, join when a gate first needs it, and leave when they are measured.
 */
export class StateVector implements QuantumState {
  readonly numQubits: number;
  readonly #options: StateOptions;
  readonly #meter: Meter;
  readonly #values: Uint8Array;
  readonly #positions: Int32Array;
  /** For a qubit without a position, the positions whose parity, together with its value, it has. */
  readonly #parities: Int32Array;
  #order: number[] = [];
  #amplitudes: Amplitudes = new SmallAmplitudes();
  #phase = 0;

  /** Makes the state in which each of the qubits is 0. `meter` is told what is done. */
  constructor(numQubits: number, options: StateOptions, meter: Meter = UNMETERED) {
    this.numQubits = numQubits;
    this.#options = options;
    this.#meter = meter;
    this.#values = new Uint8Array(numQubits);
    this.#positions = new Int32Array(numQubits).fill(-1);
    this.#parities = new Int32Array(numQubits);
  }

  /** Bytes that the amplitudes take up. */
  get bytes(): number {
    return this.#amplitudes.bytes;
  }

  /** Tells whether a qubit has a value, and is in no superposition. */
  isClassical(qubit: number): boolean {
    return this.#positions[qubit]! < 0 && this.#parities[qubit] === 0;
  }

  /** Gives the value of a qubit that is not in superposition. */
  valueOf(qubit: number): number {
    return this.#values[qubit]!;
  }

  /** Sets the value of a qubit that is not in superposition. */
  setValue(qubit: number, value: number): void {
    this.#values[qubit] = value;
  }

  /** Gives an independent copy. */
  clone(): StateVector {
    const copy = new StateVector(this.numQubits, this.#options, this.#meter);
    copy.#values.set(this.#values);
    copy.#positions.set(this.#positions);
    copy.#parities.set(this.#parities);
    copy.#order = [...this.#order];
    copy.#amplitudes = this.#amplitudes.copy();
    copy.#phase = this.#phase;
    return copy;
  }

  /** Gives back the memory of a state that is not used any more. */
  release(): void {
    this.#amplitudes.release();
  }

  /** Applies a gate whose parameters begin at `at` and whose qubits begin at `first` of the given lists. */
  apply(gate: Gate, params: ArrayLike<number>, at: number, qubits: ArrayLike<number>, first: number): void {
    if (gate.kind === "composite") {
      const memory = parameterMemory(Array.from({ length: gate.numParams }, (_, i) => params[at + i]!));
      for (const step of gate.steps)
        this.apply(
          step.gate,
          step.params.map(compute => compute(memory)),
          0,
          step.qubits.map(qubit => qubits[first + qubit]!),
          0,
        );
      return;
    }
    this.#meter.spend(this.#amplitudes instanceof SmallAmplitudes ? 2 ** this.#order.length : 1);
    const { controls } = gate;
    const target = first + controls.length;
    const select = () => this.#select(controls, qubits, first);
    const selection = select();
    if (!selection) return;
    if (gate.kind === "phase") this.#turn(selection, gate.scale * params[at]!);
    else if (gate.kind === "swap") this.#swap(qubits[target]!, qubits[target + 1]!, selection, select);
    else {
      const m = gate.matrix(params, at);
      if (isNot(m) && controls.length <= 1 && this.#inverts(qubits[target]!, qubits[first]!, controls))
        return;
      this.#multiply(qubits[target]!, selection, select, m);
    }
  }

  /** Gives the probability that a measurement of a qubit finds 1. */
  probabilityOfOne(qubit: number): number {
    if (this.isClassical(qubit)) return this.#values[qubit]!;
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
    const [owner] = this.#order.splice(position, 1) as [number];
    this.#order.forEach((moved, place) => {
      this.#positions[moved] = place;
    });
    this.#positions[owner] = -1;
    this.#values[owner] = bit;
    const low = (1 << position) - 1;
    for (let other = 0; other < this.numQubits; other++) {
      const parity = this.#parities[other]!;
      if ((parity >>> position) & 1) this.#values[other]! ^= bit;
      this.#parities[other] = (parity & low) | ((parity >>> (position + 1)) << position);
    }
  }

  /** Gives what the values of some qubits may be; outcomes are the bits of indices that the qubits depend on. */
  sampler(qubits: readonly number[]): Sampler {
    const places = qubits.map(qubit => this.#placeOf(qubit));
    const mask = places.reduce((bits, { parity }) => bits | parity, 0);
    const amplitudes = this.#amplitudes;
    return {
      draw: (count, random, b, stream) => {
        if (mask === 0) return new Uint32Array(count);
        const indices = amplitudes.draw(count, random, b, stream);
        if (mask === 2 ** this.#order.length - 1) return indices;
        for (let i = 0; i < count; i++) indices[i]! &= mask;
        return indices.sort();
      },
      each: visit => {
        const bits = positionsIn(mask).map(position => 2 ** position);
        amplitudes.marginal(positionsIn(mask)).forEach((probability, value) => {
          visit(
            bits.reduce((index, bit, place) => index + ((value >>> place) & 1) * bit, 0),
            probability,
          );
        });
      },
      value: (outcome, place) => valueAt(outcome, places[place]!),
      ...(places.length <= 32 && { codes: outcomes => codesAt(outcomes, places) }),
    };
  }

  /** Gives all 2^n amplitudes, real and imaginary parts in turn; qubit 0 is the lowest bit of the index. */
  amplitudes(): number[] {
    const out = new Array<number>(2 * 2 ** this.numQubits).fill(0);
    const { re, im } = this.#amplitudes.planes();
    const [c, s] = [Math.cos(this.#phase), Math.sin(this.#phase)];
    const places = Array.from({ length: this.numQubits }, (_, qubit) => this.#placeOf(qubit));
    for (let i = 0; i < 2 ** this.#order.length; i++) {
      const index = places.reduce((bits, place, qubit) => bits | (valueAt(i, place) << qubit), 0);
      out[2 * index] = re[i]! * c - im[i]! * s;
      out[2 * index + 1] = re[i]! * s + im[i]! * c;
    }
    return out;
  }

  /** Gives what a qubit's value is in terms of the index of an amplitude. */
  #placeOf(qubit: number): Place {
    const position = this.#positions[qubit]!;
    return position >= 0
      ? { parity: 1 << position, value: 0 }
      : { parity: this.#parities[qubit]!, value: this.#values[qubit]! };
  }

  /** Gives the position of a qubit, or that of the one which it is a copy of. */
  #single(qubit: number): { position: number; inverted: boolean } {
    const position = this.#positions[qubit]!;
    if (position >= 0) return { position, inverted: false };
    const parity = this.#parities[qubit]!;
    if ((parity & (parity - 1)) === 0)
      return { position: 31 - Math.clz32(parity), inverted: this.#values[qubit] === 1 };
    return { position: this.#activate(qubit), inverted: false };
  }

  /** Turns controls into a condition on the amplitudes. */
  #select(controls: readonly boolean[], qubits: ArrayLike<number>, first: number): Selection {
    let mask = 0;
    let on = 0;
    for (let i = 0; i < controls.length; i++) {
      const qubit = qubits[first + i]!;
      const wanted = controls[i] ? 1 : 0;
      if (this.isClassical(qubit)) {
        if (this.#values[qubit] !== wanted) return null;
        continue;
      }
      const { position, inverted } = this.#single(qubit);
      const bit = 1 << position;
      const value = (wanted ^ Number(inverted)) << position;
      if (mask & bit && (on & bit) !== value) return null;
      mask |= bit;
      on |= value;
    }
    return { mask, on };
  }

  /**
   * Does a NOT with at most one control where that only changes how values are written down: on a qubit without a
   * position it makes a copy or parity, and without a control it inverts. Tells whether it could.
   */
  #inverts(target: number, control: number, controls: readonly boolean[]): boolean {
    const position = this.#positions[target]!;
    if (position >= 0) {
      if (controls.length > 0) return false;
      for (let other = 0; other < this.numQubits; other++)
        this.#values[other]! ^= (this.#parities[other]! >>> position) & 1;
      this.#amplitudes.exchange(position, 0, 0);
      return true;
    }
    const { parity, value } = controls.length > 0 ? this.#placeOf(control) : { parity: 0, value: 1 };
    this.#parities[target]! ^= parity;
    this.#values[target]! ^= value ^ Number(controls[0] === false);
    return true;
  }

  #turn({ mask, on }: Condition, angle: number): void {
    if (mask === 0) this.#phase += angle;
    else this.#amplitudes.phase(mask, on, Math.cos(angle), Math.sin(angle));
  }

  #multiply(qubit: number, { mask, on }: Condition, select: () => Selection, m: Matrix2): void {
    const diagonal = m[2] === 0 && m[3] === 0 && m[4] === 0 && m[5] === 0;
    const flipping = m[0] === 0 && m[1] === 0 && m[6] === 0 && m[7] === 0;
    const value = this.#values[qubit]!;
    if (this.isClassical(qubit) && (diagonal || (flipping && mask === 0))) {
      const entry = diagonal ? 6 * value : 4 - 2 * value;
      this.#turn({ mask, on }, Math.atan2(m[entry + 1]!, m[entry]!));
      if (flipping) this.#values[qubit] = 1 - value;
    } else if (diagonal) {
      const { position, inverted } = this.#single(qubit);
      const bit = 1 << position;
      for (const [entry, isSet] of [
        [0, inverted],
        [6, !inverted],
      ] as const) {
        const isOne = m[entry] === 1 && m[entry + 1] === 0;
        const wanted = isSet ? bit : 0;
        if (isOne || (mask & bit && (on & bit) !== wanted)) continue;
        this.#amplitudes.phase(mask | bit, on | wanted, m[entry]!, m[entry + 1]!);
      }
    } else {
      const position = this.#ownPosition(qubit);
      const selected = select();
      if (!selected) return;
      if (isNot(m)) this.#amplitudes.exchange(position, selected.mask, selected.on);
      else this.#amplitudes.matrix(position, selected.mask, selected.on, m);
    }
  }

  #swap(a: number, b: number, { mask }: Condition, select: () => Selection): void {
    if (mask === 0) {
      for (const list of [this.#positions, this.#values, this.#parities])
        [list[a], list[b]] = [list[b]!, list[a]!];
      for (const qubit of [a, b])
        if (this.#positions[qubit]! >= 0) this.#order[this.#positions[qubit]!] = qubit;
      return;
    }
    if (this.isClassical(a) && this.isClassical(b) && this.#values[a] === this.#values[b]) return;
    const first = 1 << this.#ownPosition(a);
    const second = 1 << this.#ownPosition(b);
    const [p, q] = [this.#positions[a]!, this.#positions[b]!];
    const selected = select();
    if (!selected) return;
    this.#amplitudes.exchange(p, second, second);
    this.#amplitudes.exchange(q, selected.mask | first, selected.on | first);
    this.#amplitudes.exchange(p, second, second);
  }

  /** Gives the position of a qubit that is about to change; those that depend on its bit get their own. */
  #ownPosition(qubit: number): number {
    const position = this.#positions[qubit]! >= 0 ? this.#positions[qubit]! : this.#activate(qubit);
    for (let other = 0; other < this.numQubits; other++)
      if ((this.#parities[other]! >>> position) & 1) this.#activate(other);
    return position;
  }

  /** Gives a qubit a bit of its own, the highest. */
  #activate(qubit: number): number {
    const position = this.#order.length;
    checkMemory(position + 1, this.#options);
    if (position + 1 === FEWEST_LARGE && this.#amplitudes instanceof SmallAmplitudes) {
      const { precision = "single", threads = Math.min(availableParallelism(), DEFAULT_THREADS) } =
        this.#options;
      this.#amplitudes = LargeAmplitudes.of(this.#amplitudes, { precision, threads, meter: this.#meter });
    }
    this.#amplitudes.activate();
    if (this.#values[qubit]) this.#amplitudes.exchange(position, 0, 0);
    for (const other of positionsIn(this.#parities[qubit]!))
      this.#amplitudes.exchange(position, 1 << other, 1 << other);
    this.#values[qubit] = 0;
    this.#parities[qubit] = 0;
    this.#order.push(qubit);
    this.#positions[qubit] = position;
    return position;
  }
}

function isNot(m: Matrix2): boolean {
  return (
    m[0] === 0 &&
    m[1] === 0 &&
    m[2] === 1 &&
    m[3] === 0 &&
    m[4] === 1 &&
    m[5] === 0 &&
    m[6] === 0 &&
    m[7] === 0
  );
}
