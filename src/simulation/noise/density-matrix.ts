import type { Gate } from "../circuit/gate.ts";
import { conjugate2, isNot } from "../circuit/matrix.ts";
import { visitPrimitives } from "../circuit/primitives.ts";
import type { QuantumState, Sampler } from "../execution/quantum-state.ts";
import { orderedUniforms } from "../sampling/ordered.ts";
import { checkMemory, type Meter } from "../statevector/limits.ts";
import { applyExchange, applyMatrix, applyPhase, keepHalf, type Planes } from "../statevector/loops.ts";
import { addNoise, conjugateBy, mixPair, mixQubit, type QubitNoise } from "./density-loops.ts";
import type { ElementaryGate, GateNoise, NoiseOfGates } from "./gate-noise.ts";

/** What a density matrix may take up, and what comes with its gates. */
export interface DensityOptions {
  readonly maxBytes: number;
  readonly noiseOf: NoiseOfGates;
  readonly meter: Meter;
}

/**
 * The density matrix of the qubits that gates have acted on; the others have classical values. It is kept as a vector:
 * bit 2p of an index is the row's value of the qubit at position p, bit 2p + 1 the column's. A gate acts on the rows,
 * and its conjugate on the columns; then comes its noise.
 */
export class DensityMatrix implements QuantumState {
  readonly numQubits: number;
  readonly #options: DensityOptions;
  readonly #values: Uint8Array;
  readonly #positions: Int32Array;
  #order: number[] = [];
  #planes: Planes = { re: Float64Array.of(1), im: Float64Array.of(0), size: 1 };
  /** Places of the diagonal. */
  #diagonal = Uint32Array.of(0);

  /** Makes the state in which each of the qubits is 0. */
  constructor(numQubits: number, options: DensityOptions) {
    this.numQubits = numQubits;
    this.#options = options;
    this.#values = new Uint8Array(numQubits);
    this.#positions = new Int32Array(numQubits).fill(-1);
  }

  get bytes(): number {
    return 16 * this.#planes.re.length;
  }

  isClassical(qubit: number): boolean {
    return this.#positions[qubit]! < 0;
  }

  valueOf(qubit: number): number {
    return this.#values[qubit]!;
  }

  setValue(qubit: number, value: number): void {
    this.#values[qubit] = value;
  }

  clone(): DensityMatrix {
    const copy = new DensityMatrix(this.numQubits, this.#options);
    const { re, im, size } = this.#planes;
    copy.#values.set(this.#values);
    copy.#positions.set(this.#positions);
    copy.#order = [...this.#order];
    copy.#planes = { re: re.slice(0, size), im: im.slice(0, size), size };
    copy.#diagonal = this.#diagonal;
    return copy;
  }

  release(): void {}

  apply(gate: Gate, params: ArrayLike<number>, at: number, qubits: ArrayLike<number>, first: number): void {
    const places = Array.from({ length: gate.numQubits }, (_, i) => qubits[first + i]!);
    if (gate.kind !== "composite") this.#elementary(gate, params, at, places);
    else
      visitPrimitives(
        gate,
        Array.from({ length: gate.numParams }, (_, i) => params[at + i]!),
        places,
        one => this.#elementary(one.gate, one.params, 0, one.qubits),
      );
  }

  probabilityOfOne(qubit: number): number {
    const position = this.#positions[qubit]!;
    if (position < 0) return this.#values[qubit]!;
    const weights = this.#marginal([position]);
    return weights[1]! / (weights[0]! + weights[1]!);
  }

  project(qubit: number, value: number): void {
    const position = this.#positions[qubit]!;
    if (position < 0) return;
    const weight = this.#marginal([position])[value]!;
    keepHalf(this.#planes, 2 * position + 1, value, 1 / weight);
    keepHalf(this.#planes, 2 * position, value, 1);
    this.#leave(position, value);
  }

  /** Resets a qubit whatever its value is: what the others are in does not change. */
  reset(qubit: number): void {
    const position = this.#positions[qubit]!;
    if (position >= 0) {
      const { re, im, size } = this.#planes;
      const stride = 3 << (2 * position);
      for (let i = 0; i < size; i++) {
        if (((i >>> (2 * position)) & 3) !== 0) continue;
        re[i]! += re[i + stride]!;
        im[i]! += im[i + stride]!;
      }
      keepHalf(this.#planes, 2 * position + 1, 0, 1);
      keepHalf(this.#planes, 2 * position, 0, 1);
      this.#leave(position, 0);
    }
    this.#values[qubit] = 0;
  }

  sampler(qubits: readonly number[]): Sampler {
    const own = [...new Set(qubits.map(qubit => this.#positions[qubit]!).filter(position => position >= 0))];
    const places = qubits.map(qubit => own.indexOf(this.#positions[qubit]!));
    const weights = this.#marginal(own);
    const total = weights.reduce((sum, weight) => sum + weight, 0);
    return {
      draw: (count, random, b, stream) => {
        const out = new Uint32Array(count);
        let at = 0;
        let cumulative = weights[0]!;
        orderedUniforms(count, random, b, stream).forEach((uniform, i) => {
          while (uniform * total >= cumulative && at < weights.length - 1) cumulative += weights[++at]!;
          out[i] = at;
        });
        return out;
      },
      each: visit => {
        weights.forEach((weight, outcome) => {
          visit(outcome, weight / total);
        });
      },
      value: (outcome, place) =>
        places[place]! < 0 ? this.#values[qubits[place]!]! : (outcome >>> places[place]!) & 1,
    };
  }

  amplitudes(): number[] {
    throw new Error("A density matrix has no amplitudes.");
  }

  #elementary(gate: ElementaryGate, params: ArrayLike<number>, at: number, qubits: readonly number[]): void {
    const noise = this.#options.noiseOf(gate, qubits, 0);
    const isNoisy = noise.errors.length + noise.decays.length > 0;
    if (!isNoisy && gate.diagonal && qubits.every(qubit => this.isClassical(qubit))) return;
    for (const qubit of qubits) this.#activate(qubit);
    this.#options.meter.spend(this.#planes.size);
    this.#unitary(gate, params, at, qubits);
    for (const { qubits: on, hazard } of noise.errors) {
      if (on.length < 2) continue;
      const [p, q] = on.map(qubit => 2 * this.#positions[qubit]!) as [number, number];
      mixPair(this.#planes, p, q, (-16 / 15) * Math.expm1(-hazard));
    }
    for (const qubit of qubits) {
      const own = qubitNoise(noise, qubit);
      if (own) mixQubit(this.#planes, 2 * this.#positions[qubit]!, own);
    }
  }

  #unitary(gate: ElementaryGate, params: ArrayLike<number>, at: number, qubits: readonly number[]): void {
    const positions = qubits.map(qubit => this.#positions[qubit]!);
    const count = gate.controls.length;
    if (gate.kind === "swap" && count === 0) {
      const [a, b] = qubits as [number, number];
      [this.#positions[a], this.#positions[b]] = [this.#positions[b]!, this.#positions[a]!];
      for (const qubit of qubits) this.#order[this.#positions[qubit]!] = qubit;
      return;
    }
    const m = gate.kind === "matrix" ? gate.matrix(params, at) : null;
    if (m && count === 0) {
      conjugateBy(this.#planes, 2 * positions[0]!, m);
      return;
    }
    for (const side of [0, 1]) {
      const bits = positions.map(position => 2 * position + side);
      const controls = bits.slice(0, count);
      const on = controls.reduce((mask, bit, i) => mask | (Number(gate.controls[i]) << bit), 0);
      if (gate.kind === "phase") {
        const angle = gate.scale * params[at]! * (side ? -1 : 1);
        applyPhase(this.#planes, controls, on, Math.cos(angle), Math.sin(angle));
      } else if (gate.kind === "swap") {
        applyExchange(this.#planes, bits.slice(count), controls, on | (1 << bits[count]!));
      } else if (isNot(m!)) applyExchange(this.#planes, [bits[count]!], controls, on);
      else applyMatrix(this.#planes, bits[count]!, controls, on, side ? conjugate2(m!) : m!);
    }
  }

  #marginal(positions: readonly number[]): Float64Array {
    const out = new Float64Array(2 ** positions.length);
    this.#diagonal.forEach((place, index) => {
      let value = 0;
      for (let i = 0; i < positions.length; i++) value |= ((index >>> positions[i]!) & 1) << i;
      out[value]! += Math.max(0, this.#planes.re[place]!);
    });
    return out;
  }

  /** Gives a qubit a position, the highest. */
  #activate(qubit: number): void {
    if (!this.isClassical(qubit)) return;
    const position = this.#order.length;
    const { maxBytes } = this.#options;
    checkMemory(2 * (position + 1), { maxQubits: 2 * this.numQubits, maxBytes, precision: "double" });
    const { re, im, size } = this.#planes;
    const planes = { re: new Float64Array(4 * size), im: new Float64Array(4 * size), size: 4 * size };
    const at = this.#values[qubit] ? 3 * size : 0;
    planes.re.set(re.subarray(0, size), at);
    planes.im.set(im.subarray(0, size), at);
    this.#planes = planes;
    this.#positions[qubit] = this.#order.push(qubit) - 1;
    this.#fillDiagonal();
  }

  /** Takes a position out of the list, whose bits the planes have no more. */
  #leave(position: number, value: number): void {
    const [qubit] = this.#order.splice(position, 1) as [number];
    this.#order.forEach((moved, place) => {
      this.#positions[moved] = place;
    });
    this.#positions[qubit] = -1;
    this.#values[qubit] = value;
    this.#fillDiagonal();
  }

  #fillDiagonal(): void {
    const diagonal = new Uint32Array(2 ** this.#order.length);
    for (let i = 1; i < diagonal.length; i++) {
      const high = 31 - Math.clz32(i);
      diagonal[i] = diagonal[i - 2 ** high]! + 3 * 4 ** high;
    }
    this.#diagonal = diagonal;
  }
}

/** Gathers what comes with a gate to one of its qubits alone; null where that is nothing. */
function qubitNoise({ errors, decays }: GateNoise, qubit: number): QubitNoise | null {
  let noise: QubitNoise | null = null;
  for (const { qubits, hazard, kinds } of errors)
    if (qubits.length === 1 && qubits[0] === qubit)
      noise = addNoise(noise, { probability: -Math.expm1(-hazard), kinds, decay: 0 });
  for (const one of decays)
    if (one.qubit === qubit) noise = addNoise(noise, { probability: 0, kinds: [], decay: one.probability });
  return noise;
}
