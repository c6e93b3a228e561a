import type { Gate } from "../circuit/gate.ts";
import type { Matrix2 } from "../circuit/matrix.ts";
import { parameterMemory } from "../circuit/memory.ts";
import { SimulationError } from "../errors.ts";
import { applyExchange, applyMatrix, applyPhase, keepHalf, type Planes, weightOf } from "./kernels.ts";

/** Bytes of one complex amplitude in double precision. */
const AMPLITUDE_BYTES = 16;

/** What a state vector may take up. */
export interface StateLimits {
  /** Most qubits in superposition at a time. */
  maxQubits: number;
  /** Most bytes of amplitudes. */
  maxBytes: number;
}

/**
 * The exact state of qubits in double precision. Only qubits in superposition take up amplitudes:
 * the others are kept as classical values, join when a gate first needs it, and leave when they are measured.
 */
export class StateVector {
  readonly numQubits: number;
  readonly #limits: StateLimits;
  readonly #spend: (amplitudes: number) => void;
  readonly #values: Uint8Array;
  readonly #positions: Int32Array;
  #order: number[] = [];
  #planes: Planes = { re: Float64Array.of(1), im: Float64Array.of(0), size: 1 };
  #phase = 0;

  /** Makes the state in which each of the qubits is 0. `spend` is told how many amplitudes each gate touches. */
  constructor(numQubits: number, limits: StateLimits, spend: (amplitudes: number) => void = () => {}) {
    this.numQubits = numQubits;
    this.#limits = limits;
    this.#spend = spend;
    this.#values = new Uint8Array(numQubits);
    this.#positions = new Int32Array(numQubits).fill(-1);
  }

  /** Bytes that the amplitudes take up. */
  get bytes(): number {
    return this.#planes.re.length * AMPLITUDE_BYTES;
  }

  /** The amplitudes of the qubits in superposition; {@link positionOf} gives each one's bit. */
  get planes(): Readonly<Planes> {
    return this.#planes;
  }

  /** Gives the bit of a qubit in the index of an amplitude, or -1 where the qubit has a classical value. */
  positionOf(qubit: number): number {
    return this.#positions[qubit]!;
  }

  /** Gives the value of a qubit that is not in superposition. */
  valueOf(qubit: number): number {
    return this.#values[qubit]!;
  }

  /** Gives an independent copy. */
  clone(): StateVector {
    const copy = new StateVector(this.numQubits, this.#limits, this.#spend);
    copy.#values.set(this.#values);
    copy.#positions.set(this.#positions);
    copy.#order = [...this.#order];
    const { re, im, size } = this.#planes;
    copy.#planes = { re: re.slice(0, size), im: im.slice(0, size), size };
    copy.#phase = this.#phase;
    return copy;
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
    this.#spend(this.#planes.size);
    const controls: number[] = [];
    let on = 0;
    for (let i = 0; i < gate.controls.length; i++) {
      const qubit = qubits[first + i]!;
      const wanted = gate.controls[i] ? 1 : 0;
      const position = this.#positions[qubit]!;
      if (position >= 0) {
        controls.push(position);
        on |= wanted << position;
      } else if (this.#values[qubit] !== wanted) return;
    }
    const target = first + gate.controls.length;
    if (gate.kind === "phase") this.#turn(controls, on, gate.scale * params[at]!);
    else if (gate.kind === "swap") this.#swap(qubits[target]!, qubits[target + 1]!, controls, on);
    else this.#multiply(qubits[target]!, controls, on, gate.matrix(params, at));
  }

  /** Gives the probability that a measurement of a qubit finds 1. */
  probabilityOfOne(qubit: number): number {
    const position = this.#positions[qubit]!;
    if (position < 0) return this.#values[qubit]!;
    const one = weightOf(this.#planes, position, 1);
    return one / (one + weightOf(this.#planes, position, 0));
  }

  /** Projects a qubit on a value that a measurement has found with the given probability. */
  project(qubit: number, value: number): void {
    const position = this.#positions[qubit]!;
    if (position < 0) return;
    keepHalf(this.#planes, position, value, 1 / Math.sqrt(weightOf(this.#planes, position, value)));
    this.#order.splice(position, 1);
    this.#order.forEach((moved, place) => {
      this.#positions[moved] = place;
    });
    this.#positions[qubit] = -1;
    this.#values[qubit] = value;
  }

  /** Sets the value of a qubit that is not in superposition. */
  setValue(qubit: number, value: number): void {
    this.#values[qubit] = value;
  }

  /** Gives all 2^n amplitudes, real and imaginary parts in turn; qubit 0 is the lowest bit of the index. */
  amplitudes(): number[] {
    const out = new Array<number>(2 * 2 ** this.numQubits).fill(0);
    const { re, im, size } = this.#planes;
    const c = Math.cos(this.#phase);
    const s = Math.sin(this.#phase);
    let base = 0;
    for (let qubit = 0; qubit < this.numQubits; qubit++)
      if (this.#positions[qubit]! < 0 && this.#values[qubit]) base += 2 ** qubit;
    for (let i = 0; i < size; i++) {
      let index = base;
      this.#order.forEach((qubit, place) => {
        if ((i >> place) & 1) index += 2 ** qubit;
      });
      out[2 * index] = re[i]! * c - im[i]! * s;
      out[2 * index + 1] = re[i]! * s + im[i]! * c;
    }
    return out;
  }

  #turn(controls: readonly number[], on: number, angle: number): void {
    if (controls.length === 0) this.#phase += angle;
    else applyPhase(this.#planes, controls, on, Math.cos(angle), Math.sin(angle));
  }

  #multiply(qubit: number, controls: readonly number[], on: number, m: Matrix2): void {
    const diagonal = m[2] === 0 && m[3] === 0 && m[4] === 0 && m[5] === 0;
    const flipping = m[0] === 0 && m[1] === 0 && m[6] === 0 && m[7] === 0;
    let position = this.#positions[qubit]!;
    if (position < 0) {
      const value = this.#values[qubit]!;
      const entry = diagonal ? 6 * value : 4 - 2 * value;
      if (diagonal || (flipping && controls.length === 0)) {
        this.#turn(controls, on, Math.atan2(m[entry + 1]!, m[entry]!));
        if (flipping) this.#values[qubit] = 1 - value;
        return;
      }
      position = this.#activate(qubit);
    }
    const bit = 1 << position;
    if (diagonal) {
      const positions = [...controls, position];
      if (m[0] !== 1 || m[1] !== 0) applyPhase(this.#planes, positions, on, m[0]!, m[1]!);
      if (m[6] !== 1 || m[7] !== 0) applyPhase(this.#planes, positions, on | bit, m[6]!, m[7]!);
    } else if (flipping && m[2] === 1 && m[4] === 1) applyExchange(this.#planes, [position], controls, on);
    else applyMatrix(this.#planes, position, controls, on, m);
  }

  #swap(a: number, b: number, controls: readonly number[], on: number): void {
    if (controls.length === 0) {
      const [pa, pb] = [this.#positions[a]!, this.#positions[b]!];
      [this.#positions[a], this.#positions[b]] = [pb, pa];
      [this.#values[a], this.#values[b]] = [this.#values[b]!, this.#values[a]!];
      if (pa >= 0) this.#order[pa] = b;
      if (pb >= 0) this.#order[pb] = a;
      return;
    }
    const [pa, pb] = [this.#positions[a]!, this.#positions[b]!];
    if (pa < 0 && pb < 0 && this.#values[a] === this.#values[b]) return;
    const first = pa < 0 ? this.#activate(a) : pa;
    const second = pb < 0 ? this.#activate(b) : pb;
    applyExchange(this.#planes, [first, second], controls, on | (1 << first));
  }

  /** Gives a classical qubit a bit of its own, the highest. */
  #activate(qubit: number): number {
    const position = this.#order.length;
    const size = this.#planes.size;
    if (2 * size > this.#planes.re.length) this.#grow(2 * size);
    const planes = this.#planes;
    planes.re.fill(0, size, 2 * size);
    planes.im.fill(0, size, 2 * size);
    planes.size = 2 * size;
    if (this.#values[qubit]) {
      planes.re.copyWithin(size, 0, size).fill(0, 0, size);
      planes.im.copyWithin(size, 0, size).fill(0, 0, size);
    }
    this.#order.push(qubit);
    this.#positions[qubit] = position;
    return position;
  }

  #grow(length: number): void {
    checkMemory(Math.log2(length), this.#limits);
    const { re, im, size } = this.#planes;
    const grown: Planes = { re: new Float64Array(length), im: new Float64Array(length), size };
    grown.re.set(re.subarray(0, size));
    grown.im.set(im.subarray(0, size));
    this.#planes = grown;
  }
}

/** Throws a {@link SimulationError} where a state of so many qubits is over a limit, before any of it is allocated. */
export function checkMemory(qubits: number, limits: StateLimits): void {
  const bytes = AMPLITUDE_BYTES * 2 ** qubits;
  if (qubits > limits.maxQubits)
    throw new SimulationError(
      `The program needs a state of ${qubits} qubits, which takes ${formatBytes(bytes)}; at most ${limits.maxQubits} qubits (${formatBytes(AMPLITUDE_BYTES * 2 ** limits.maxQubits)}) are simulated here.`,
    );
  if (bytes > limits.maxBytes)
    throw new SimulationError(
      `The program needs a state of ${qubits} qubits, which takes ${formatBytes(bytes)}; at most ${formatBytes(limits.maxBytes)} may be used here.`,
    );
}

function formatBytes(bytes: number): string {
  const units = ["B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];
  const unit = Math.min(Math.floor(Math.log2(bytes) / 10), units.length - 1);
  const value = bytes / 1024 ** unit;
  return `${value >= 1e6 ? value.toExponential(1) : Math.round(value * 10) / 10} ${units[unit]}`;
}
