import type { Gate, Numbers } from "../circuit/gate.ts";
import { applyElementary, type Control, type GateTarget, visitCall } from "../circuit/primitives.ts";
import { formatBytes, MemoryLimitError } from "../errors.ts";
import type { PauliString, QuantumState, Sampler } from "../execution/quantum-state.ts";
import type { Meter } from "../interpreter/execution-state.ts";
import type { Matrix } from "../linear-algebra/matrix.ts";
import { matrix2, X, Y, Z } from "../linear-algebra/one-qubit.ts";
import type { TruncationReport } from "../methods/index.ts";
import { chainSampler } from "./sampler.ts";
import { PROJECTIONS, TensorChain } from "./tensor-chain.ts";
import { multiply, reshape, type TensorMatrix } from "./tensor-matrix.ts";

/** Probability below which a value of a qubit is rounding. */
const NEGLIGIBLE = 1e-24;
/** Schmidt values that are less than this times the largest are rounding. */
const CUTOFF = 1e-12;

const PAULIS = { X, Y, Z };

/** Limits of a matrix product state. */
interface MpsLimits {
  /** Maximum number of Schmidt values of a bond; the smallest are left out beyond it. Undefined where none may be. */
  readonly maxBondDimension?: number | undefined;
  readonly maxBytes: number;
  readonly meter: Meter;
  /** Hears after each gate on several qubits what the state takes, and what was left out since its begin. */
  onTruncation?(truncation: TruncationReport): void;
}

/**
 * A state of any number of qubits as a product of matrices, exact for as long as the entanglement across each cut of
 * the chain of qubits fits the bond limit. A gate with controls adds a second product state, whatever the distance of
 * its qubits, and the sum is compressed; exchanged qubits only change their places in the chain.
 */
export class MpsState implements QuantumState {
  readonly #limits: MpsLimits;
  readonly #chain: TensorChain;
  /** For each qubit, its place in the chain. */
  readonly #sites: Uint32Array;
  readonly #target: GateTarget = {
    phase: (controls, angle) => this.#applyPhase(controls, angle),
    exchange: (controls, a, b) => this.#exchange(controls, a, b),
    multiply: (controls, qubit, m) => this.#applyControlled(controls, qubit, m),
  };

  /** Makes the state in which each of the qubits is 0, or that of a chain. `sites` are the places of the qubits in it. */
  constructor(numQubits: number, limits: MpsLimits, sites?: Uint32Array, chain?: TensorChain) {
    this.#limits = limits;
    const truncation = {
      maxRank: limits.maxBondDimension ?? Number.POSITIVE_INFINITY,
      cutoff: CUTOFF,
      onWork: (numbers: number) => limits.meter.work(numbers, 1),
    };
    this.#chain = chain ?? TensorChain.ofZeros(numQubits, truncation);
    this.#sites = sites?.slice() ?? Uint32Array.from({ length: numQubits }, (_, i) => i);
  }

  get numQubits(): number {
    return this.#sites.length;
  }

  get bytes(): number {
    return this.#chain.bytes;
  }

  isClassical(qubit: number): boolean {
    const { rows, columns, re, im } = this.#tensorOf(qubit);
    if (rows !== 1 || columns !== 2) return false;
    return re[0]! * re[0]! + im[0]! * im[0]! < NEGLIGIBLE || re[1]! * re[1]! + im[1]! * im[1]! < NEGLIGIBLE;
  }

  valueOf(qubit: number): number {
    return this.probabilityOfOne(qubit) > 0.5 ? 1 : 0;
  }

  setValue(qubit: number, value: number): void {
    if (this.valueOf(qubit) !== value) this.#chain.applyLocal(this.#sites[qubit]!, X);
  }

  apply(gate: Gate, params: Numbers, at: number, qubits: Numbers, first: number): void {
    if (gate.kind === "composite") {
      visitCall(gate, params, at, qubits, first, step => {
        this.apply(step.gate, step.params, 0, step.qubits, 0);
      });
      return;
    }
    this.#limits.meter.spend(1);
    applyElementary(gate, params, at, qubits, first, this.#target);
  }

  probabilityOfOne(qubit: number): number {
    return this.#chain.probabilities(this.#sites[qubit]!)[1];
  }

  project(qubit: number, value: number): void {
    this.#chain.project(this.#sites[qubit]!, value);
  }

  damp(qubit: number, probability: number): void {
    const site = this.#sites[qubit]!;
    this.#chain.applyAndNormalize(site, matrix2(1, 0, 0, 0, 0, 0, Math.sqrt(1 - probability), 0));
  }

  clone(): MpsState {
    return new MpsState(this.numQubits, this.#limits, this.#sites, this.#chain.clone());
  }

  release(): void {}

  sampler(qubits: readonly number[]): Sampler {
    return chainSampler(
      this.#chain,
      qubits.map(qubit => this.#sites[qubit]!),
      this.#limits.meter,
    );
  }

  expectations(strings: readonly PauliString[]): number[] {
    return strings.map(string =>
      this.#chain.expectation(
        new Map(string.map(({ qubit, pauli }) => [this.#sites[qubit]!, PAULIS[pauli]])),
      ),
    );
  }

  amplitudes(): number[] {
    let states: TensorMatrix = { rows: 1, columns: 1, re: Float64Array.of(1), im: Float64Array.of(0) };
    for (let site = 0; site < this.numQubits; site++) {
      const product = multiply(states, this.#chain.tensor(site));
      states = reshape(product, 2 * product.rows);
    }
    const out = new Array<number>(2 * states.rows);
    for (let index = 0; index < states.rows; index++) {
      let place = 0;
      this.#sites.forEach((site, qubit) => {
        place += ((index >> qubit) & 1) << (this.numQubits - 1 - site);
      });
      out[2 * index] = states.re[place]!;
      out[2 * index + 1] = states.im[place]!;
    }
    return out;
  }

  #tensorOf(qubit: number) {
    return this.#chain.tensor(this.#sites[qubit]!);
  }

  /** Turns the phase of the states that the controls select. */
  #applyPhase(controls: readonly Control[], angle: number): void {
    const last = controls.at(-1);
    const [re, im] = [Math.cos(angle), Math.sin(angle)];
    if (!last) {
      if (this.numQubits > 0) this.#chain.applyLocal(0, matrix2(re, im, 0, 0, 0, 0, re, im));
    } else {
      const phase = last.value ? matrix2(1, 0, 0, 0, 0, 0, re, im) : matrix2(re, im, 0, 0, 0, 0, 1, 0);
      this.#applyControlled(controls.slice(0, -1), last.qubit, phase);
    }
  }

  /** Brings a qubit that is alone at an end of a gate's sites next to the others, which the next gate on it may be near, too. */
  #approach(qubits: readonly number[]): void {
    const sites = qubits.map(qubit => this.#sites[qubit]!).sort((a, b) => a - b);
    const [first, second] = sites as [number, number];
    const [last, previous] = [sites.at(-1)!, sites.at(-2)!];
    if (second - first > last - previous) {
      for (let site = first; site < second - 1; site++) this.#swapWithNext(site);
    } else for (let site = last - 1; site > previous; site--) this.#swapWithNext(site);
  }

  #swapWithNext(site: number): void {
    this.#chain.swapWithNext(site);
    const [a, b] = [this.#sites.indexOf(site), this.#sites.indexOf(site + 1)];
    this.#sites[a] = site + 1;
    this.#sites[b] = site;
  }

  #exchange(controls: readonly Control[], a: number, b: number): void {
    if (controls.length === 0) {
      const site = this.#sites[a]!;
      this.#sites[a] = this.#sites[b]!;
      this.#sites[b] = site;
      return;
    }
    const outer = [{ qubit: b, value: 1 }];
    this.#applyControlled(outer, a, X);
    this.#applyControlled([...controls, { qubit: a, value: 1 }], b, X);
    this.#applyControlled(outer, a, X);
  }

  #applyControlled(controls: readonly Control[], target: number, m: Matrix): void {
    const undecided: Control[] = [];
    for (const control of controls) {
      if (!this.isClassical(control.qubit)) undecided.push(control);
      else if (this.valueOf(control.qubit) !== control.value) return;
    }
    if (undecided.length === 0) {
      this.#chain.applyLocal(this.#sites[target]!, m);
      return;
    }
    this.#approach([target, ...undecided.map(({ qubit }) => qubit)]);
    const operators = new Map(
      undecided.map(({ qubit, value }) => [this.#sites[qubit]!, PROJECTIONS[value]!]),
    );
    const less = m.slice();
    less[0]! -= 1;
    less[6]! -= 1;
    operators.set(this.#sites[target]!, less);
    this.#chain.addProduct(operators);
    const { maxBytes } = this.#limits;
    const { bondDimension, fidelity } = this.#chain;
    this.#limits.onTruncation?.({ bondDimension, fidelity });
    if (this.bytes > maxBytes)
      throw new MemoryLimitError(
        `The matrix product state has grown to ${formatBytes(this.bytes)}; at most ${formatBytes(maxBytes)} may be used here.`,
        this.bytes,
      );
  }
}
