import type { Circuit } from "../circuit/circuit.ts";
import type { ElementaryGate, Gate, Numbers } from "../circuit/gate.ts";
import { visitCall } from "../circuit/primitives.ts";
import { formatBytes } from "../errors.ts";
import {
  type PauliString,
  type QuantumState,
  type Sampler,
  samplerOfList,
} from "../execution/quantum-state.ts";
import type { Simulator } from "../execution/simulator.ts";
import type { Meter } from "../interpreter/execution-state.ts";
import { activeQubitCount, describeQubits, hasMidCircuitDependence } from "../plan/profile.ts";
import { checkMemory } from "../statevector/amplitudes.ts";
import { gateOperations } from "../transpile/gate-operations.ts";
import type { NoiseOfGates } from "./gate-noise.ts";
import { runNoisy } from "./noisy-branch.ts";
import {
  applyTransferMatrix,
  NoisyTransferMatrices,
  noiseTransferMatrix,
  unitaryTransferMatrix,
} from "./transfer-matrix.ts";

/** Qubits of a gate up to which its Pauli transfer matrix is built; larger gates are done step by step. */
const MAX_TRANSFER_QUBITS = 3;

/** The limits of a density matrix, and the transfer matrices of its gates. */
interface DensityOptions {
  readonly maxBytes: number;
  readonly transfers: NoisyTransferMatrices;
  readonly meter: Meter;
}

/**
 * The density matrix of the qubits that gates have acted on; the others have classical values. It is stored as the
 * expectation values of all Pauli operators, on which a gate with its noise acts as one small real matrix.
 */
export class DensityMatrix implements QuantumState {
  readonly numQubits: number;
  readonly #options: DensityOptions;
  readonly #classical: Uint8Array;
  readonly #positions: Int32Array;
  #order: number[] = [];
  #values: Float64Array = Float64Array.of(1);

  /** Creates the state in which every qubit is 0. */
  constructor(numQubits: number, options: DensityOptions) {
    this.numQubits = numQubits;
    this.#options = options;
    this.#classical = new Uint8Array(numQubits);
    this.#positions = new Int32Array(numQubits).fill(-1);
  }

  get bytes(): number {
    return this.#values.byteLength;
  }

  isClassical(qubit: number): boolean {
    return this.#positions[qubit]! < 0;
  }

  valueOf(qubit: number): number {
    return this.#classical[qubit]!;
  }

  setValue(qubit: number, value: number): void {
    this.#classical[qubit] = value;
  }

  clone(): DensityMatrix {
    const copy = new DensityMatrix(this.numQubits, this.#options);
    copy.#classical.set(this.#classical);
    copy.#positions.set(this.#positions);
    copy.#order = [...this.#order];
    copy.#values = this.#values.slice();
    return copy;
  }

  release(): void {}

  /** Mixes another state of the same qubits into this one, each by its weight; returns whether both keep them in one order. */
  mix(other: DensityMatrix, weight: number, otherWeight: number): boolean {
    for (let qubit = 0; qubit < this.numQubits; qubit++) {
      const isShared = this.isClassical(qubit) && other.isClassical(qubit);
      if (isShared && this.valueOf(qubit) === other.valueOf(qubit)) continue;
      this.#addQubit(qubit);
      other.#addQubit(qubit);
    }
    if (this.#order.join() !== other.#order.join()) return false;
    const [own, theirs] = [weight, otherWeight].map(each => each / (weight + otherWeight)) as [
      number,
      number,
    ];
    const [scale, otherScale] = [own / this.#values[0]!, theirs / other.#values[0]!];
    this.#values.forEach((value, i) => {
      this.#values[i] = scale * value + otherScale * other.#values[i]!;
    });
    return true;
  }

  apply(gate: Gate, params: Numbers, at: number, qubits: Numbers, first: number): void {
    visitCall(gate, params, at, qubits, first, one => this.#elementary(one.gate, one.params, one.qubits));
  }

  probabilityOfOne(qubit: number): number {
    const position = this.#positions[qubit]!;
    if (position < 0) return this.#classical[qubit]!;
    const z = this.#values[3 * 4 ** position]! / this.#values[0]!;
    return Math.min(1, Math.max(0, (1 - z) / 2));
  }

  expectations(strings: readonly PauliString[]): number[] {
    return strings.map(string => this.#expectation(string));
  }

  #expectation(string: PauliString): number {
    let index = 0;
    let sign = 1;
    for (const { qubit, pauli } of string) {
      const position = this.#positions[qubit]!;
      if (position >= 0) index += "IXYZ".indexOf(pauli) * 4 ** position;
      else if (pauli !== "Z") return 0;
      else if (this.#classical[qubit]) sign = -sign;
    }
    return (sign * this.#values[index]!) / this.#values[0]!;
  }

  project(qubit: number, value: number): void {
    const position = this.#positions[qubit]!;
    if (position < 0) return;
    const one = this.probabilityOfOne(qubit);
    this.#removeQubit(
      position,
      value,
      (value ? -0.5 : 0.5) / (value ? one : 1 - one),
      0.5 / (value ? one : 1 - one),
    );
  }

  /** Resets a qubit whatever its value is, by a partial trace: the state of the others does not change. */
  reset(qubit: number): void {
    const position = this.#positions[qubit]!;
    if (position >= 0) this.#removeQubit(position, 0, 0, 1);
    this.#classical[qubit] = 0;
  }

  sampler(qubits: readonly number[]): Sampler {
    const own = [...new Set(qubits.map(qubit => this.#positions[qubit]!).filter(position => position >= 0))];
    const places = qubits.map(qubit => own.indexOf(this.#positions[qubit]!));
    const weights = this.#marginal(own);
    return samplerOfList(weights, (outcome, place) =>
      places[place]! < 0 ? this.#classical[qubits[place]!]! : (outcome >>> places[place]!) & 1,
    );
  }

  amplitudes(): number[] {
    throw new Error("A density matrix has no amplitudes.");
  }

  #elementary(gate: ElementaryGate, params: readonly number[], qubits: readonly number[]): void {
    const { transfers, meter } = this.#options;
    const noise = transfers.noise(gate, params, qubits);
    if (noise.length === 0 && gate.diagonal && qubits.every(qubit => this.isClassical(qubit))) return;
    for (const qubit of qubits) this.#addQubit(qubit);
    meter.spend(this.#values.length);
    const positionsOf = (places: readonly number[]) => places.map(qubit => this.#positions[qubit]!);
    if (qubits.length <= MAX_TRANSFER_QUBITS) {
      applyTransferMatrix(this.#values, positionsOf(qubits), transfers.of(gate, params, qubits));
      return;
    }
    for (const step of gateOperations(gate, params, qubits, [], {}))
      if ("matrix" in step)
        applyTransferMatrix(this.#values, positionsOf(step.qubits), unitaryTransferMatrix(step.matrix));
    for (const site of noise)
      applyTransferMatrix(this.#values, positionsOf(site.qubits), noiseTransferMatrix(site.qubits, [site]));
  }

  /** Returns the probabilities of the values at some positions, by a Walsh-Hadamard transform of the expectation values of products of Z. */
  #marginal(positions: readonly number[]): Float64Array {
    const size = 2 ** positions.length;
    const out = Float64Array.from(
      { length: size },
      (_, set) =>
        this.#values[
          positions.reduce((index, position, i) => index + ((set >> i) & 1) * 3 * 4 ** position, 0)
        ]!,
    );
    for (let step = 1; step < size; step *= 2)
      for (let block = 0; block < size; block += 2 * step)
        for (let i = block; i < block + step; i++) {
          const [a, b] = [out[i]!, out[i + step]!];
          out[i] = a + b;
          out[i + step] = a - b;
        }
    return out.map(weight => Math.max(0, weight / size));
  }

  /** Adds a qubit to the density matrix, at the highest position. */
  #addQubit(qubit: number): void {
    if (!this.isClassical(qubit)) return;
    const position = this.#order.length;
    const { maxBytes } = this.#options;
    checkMemory(2 * (position + 1), {
      maxQubits: 2 * this.numQubits,
      maxBytes: 2 * maxBytes,
      precision: "double",
    });
    const size = this.#values.length;
    const values = new Float64Array(4 * size);
    values.set(this.#values);
    for (let i = 0; i < size; i++) values[3 * size + i] = this.#classical[qubit] ? -values[i]! : values[i]!;
    this.#values = values;
    this.#positions[qubit] = position;
    this.#order.push(qubit);
  }

  /** Removes a qubit that has become classical: its Z and I components are kept, times these factors. */
  #removeQubit(position: number, value: number, zFactor: number, iFactor: number): void {
    const step = 4 ** position;
    const values = new Float64Array(this.#values.length / 4);
    for (let block = 0, to = 0; block < this.#values.length; block += 4 * step)
      for (let i = block; i < block + step; i++, to++)
        values[to] = iFactor * this.#values[i]! + zFactor * this.#values[i + 3 * step]!;
    this.#values = values;
    const [qubit] = this.#order.splice(position, 1) as [number];
    this.#order.forEach((moved, place) => {
      this.#positions[moved] = place;
    });
    this.#positions[qubit] = -1;
    this.#classical[qubit] = value;
  }
}

/** Max qubits of a density matrix for exact probabilities, and for shots. */
const MAX_EXACT_QUBITS = 12;
const MAX_QUBITS = 10;
const ENTRY_BYTES = 8;

/** Simulates a few qubits under noise as a density matrix, from which all shots are sampled. */
export const densityMatrixSimulator: Simulator = {
  name: "density matrix",
  averagesNoise: true,

  check(circuit, { shots, maxBytes }) {
    const usedQubits = activeQubitCount(circuit);
    const qubits = describeQubits(circuit);
    const bytes = bytesOf(circuit);
    const isTooLarge = (max: number) => usedQubits > max || bytes > maxBytes;
    if (shots === 0)
      return isTooLarge(MAX_EXACT_QUBITS)
        ? {
            clause: `exact probabilities under noise take a density matrix, which for ${qubits} takes ${formatBytes(bytes)}; at most ${MAX_EXACT_QUBITS} qubits and ${formatBytes(maxBytes)} are simulated so. Ask for shots instead`,
          }
        : null;
    if (isTooLarge(MAX_QUBITS)) return { clause: `a density matrix of ${qubits} is too large` };
    return hasMidCircuitDependence(circuit)
      ? { clause: "the program continues with what it has measured" }
      : null;
  },

  reason(circuit, { shots }) {
    const few = `The program uses ${describeQubits(circuit)}, whose density matrix has all of the noise in it`;
    return shots === 0 ? `${few}, as exact probabilities need.` : `${few}: one run serves all shots.`;
  },

  run(circuit, run) {
    const { maxBytes, meter } = run;
    const begin = (noiseOf: NoiseOfGates) =>
      new DensityMatrix(circuit.numQubits, {
        maxBytes,
        meter,
        transfers: new NoisyTransferMatrices(noiseOf),
      });
    runNoisy(circuit, run, begin, false);
    return undefined;
  },
};

const bytesOf = (circuit: Circuit): number => ENTRY_BYTES * 4 ** activeQubitCount(circuit);
