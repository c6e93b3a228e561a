import type { Gate } from "../circuit/gate.ts";
import { visitCall } from "../circuit/primitives.ts";
import type { Meter } from "../interpreter/meter.ts";
import type { QuantumState, Sampler } from "./quantum-state.ts";

const UNKNOWN = -1;
/** Elements of a matrix below this are rounding. */
const NEGLIGIBLE = 1e-12;

/**
 * A state for dry runs that keeps no amplitudes: which qubits have a known value is all that it knows. What gates on the
 * others take is counted by the methods that extend it.
 */
export abstract class UnweightedState implements QuantumState {
  readonly bytes = 0;
  /** Hears of each gate of one step. */
  protected readonly meter: Meter;
  readonly #values: Int8Array;

  constructor(numQubits: number, meter: Meter) {
    this.#values = new Int8Array(numQubits);
    this.meter = meter;
  }

  get numQubits(): number {
    return this.#values.length;
  }

  isClassical(qubit: number): boolean {
    return this.#values[qubit] !== UNKNOWN;
  }

  valueOf(qubit: number): number {
    return this.#values[qubit]!;
  }

  setValue(qubit: number, value: number): void {
    this.#values[qubit] = value;
  }

  apply(gate: Gate, params: ArrayLike<number>, at: number, qubits: ArrayLike<number>, first: number): void {
    visitCall(gate, params, at, qubits, first, step => {
      this.meter.spend(1);
      const { gate: primitive, qubits: on, params: values } = step;
      const count = primitive.controls.length;
      const controls: number[] = [];
      for (let i = 0; i < count; i++) {
        const value = this.#values[on[i]!]!;
        if (value === UNKNOWN) controls.push(on[i]!);
        else if (value !== Number(primitive.controls[i])) return;
      }
      const targets = on.slice(count);
      if (primitive.kind === "swap") this.#swap(controls, targets[0]!, targets[1]!);
      else if (primitive.kind === "phase" || primitive.diagonal) this.#turnPhases([...controls, ...targets]);
      else this.#change(controls, targets[0]!, isPermutation(primitive.matrix(values, 0)));
    });
  }

  probabilityOfOne(): number {
    return 0.5;
  }

  project(qubit: number, value: number): void {
    this.#values[qubit] = value;
  }

  release(): void {}

  clone(): never {
    throw notComputed();
  }

  sampler(): Sampler {
    throw notComputed();
  }

  amplitudes(): never {
    throw notComputed();
  }

  /** Counts a gate that makes superpositions of the values of a qubit, controlled by others or not. */
  protected abstract superpose(qubit: number): void;
  /** Counts a gate that acts on several qubits at once, none of which has a known value; of the last so many, it changes the values. */
  protected abstract entangle(qubits: readonly number[], changed: number): void;
  /** Exchanges two qubits. */
  protected abstract exchange(a: number, b: number): void;

  #turnPhases(qubits: readonly number[]): void {
    const unknown = qubits.filter(qubit => !this.isClassical(qubit));
    if (unknown.length > 1) this.entangle(unknown, 0);
  }

  #change(controls: readonly number[], target: number, isFlip: boolean): void {
    const isKnown = this.isClassical(target);
    if (controls.length === 0 && isKnown && isFlip) this.#values[target]! ^= 1;
    else this.#values[target] = UNKNOWN;
    if (!isFlip) this.superpose(target);
    if (controls.length > 0) this.entangle([...controls, target], 1);
  }

  #swap(controls: readonly number[], a: number, b: number): void {
    if (controls.length === 0) {
      [this.#values[a], this.#values[b]] = [this.#values[b]!, this.#values[a]!];
      this.exchange(a, b);
    } else if (!this.isClassical(a) || !this.isClassical(b) || this.valueOf(a) !== this.valueOf(b)) {
      this.#values[a] = UNKNOWN;
      this.#values[b] = UNKNOWN;
      this.entangle([...controls, a, b], 2);
    }
  }
}

const isPermutation = (matrix: ArrayLike<number>): boolean =>
  Math.abs(matrix[0]!) + Math.abs(matrix[1]!) + Math.abs(matrix[6]!) + Math.abs(matrix[7]!) < NEGLIGIBLE;

const notComputed = () => new Error("These amplitudes are not computed.");
