import type { Gate } from "../circuit/gate.ts";
import { DeferredMeasurement, type Value } from "../circuit/memory.ts";
import { Branch, type BranchOutcome, isEqual } from "../execution/branch.ts";
import type { QuantumState } from "../execution/quantum-state.ts";
import { isLocation } from "../schedule/locations.ts";
import { DensityMatrix } from "./density-matrix.ts";
import { elementaryCalls, type GateCall } from "./error-sampler.ts";
import { type GateNoise, hazardOf } from "./gate-noise.ts";
import { completeOperator, type KrausSite, probabilityOf } from "./kraus-site.ts";
import { applyNoJump } from "./no-jump.ts";
import type { NoiseContext } from "./noise-context.ts";
import {
  afterDamping,
  afterDecay,
  afterErrors,
  afterJumps,
  type NoiseProgress,
  type NoiseStop,
} from "./noise-continuations.ts";

/** The stop of a branch for its noise, in place of the qubit that has to be decided. */
const NOISE = 2 ** 32;
const hasNoise = ({ errors, decays }: GateNoise): boolean => errors.length + decays.length > 0;

/** A branch of a program under noise. All its shots have had the same errors and the same outcomes. */
export class NoisyBranch extends Branch {
  /** For each bit, the qubit whose unconfused measurement it holds, or -1. */
  readonly readFrom: Int32Array;
  protected override readonly decisions: number = 10;
  readonly noise: NoiseContext;
  readonly progress: NoiseProgress = { hazard: 0, readouts: 0, step: 0, decay: -1, waiting: null };
  #stop: NoiseStop | null = null;

  /** Begins a program with some shots, sorted by their next errors. */
  constructor(
    state: QuantumState,
    numBits: number,
    slots: Value[],
    shots: Uint32Array | null,
    noise: NoiseContext,
  ) {
    super(state, numBits, slots, shots, noise.random);
    this.readFrom = new Int32Array(numBits).fill(-1);
    this.noise = noise;
  }

  override fork(): NoisyBranch {
    const copy = this.copyInto(
      new NoisyBranch(this.state.clone(), this.bits.length, [...this.slots], this.shots, this.noise),
    );
    copy.readFrom.set(this.readFrom);
    Object.assign(copy.progress, this.progress);
    return copy;
  }

  /** Mixes the density matrix of a branch at the same place of an exact run into this one where their memory is the same; returns whether it is. */
  override join(other: NoisyBranch): boolean {
    const { state, weight, progress } = this;
    const isSame =
      this.remembersAs(other) &&
      isEqual(this.readFrom, other.readFrom) &&
      progress.step === other.progress.step &&
      state instanceof DensityMatrix &&
      state.mix(other.state as DensityMatrix, weight, other.weight);
    if (isSame) this.weight += other.weight;
    return isSame;
  }

  override apply(
    gate: Gate,
    params: ArrayLike<number>,
    at: number,
    qubits: ArrayLike<number>,
    first: number,
  ): number {
    if (gate.kind !== "composite") return this.#applyElementary({ gate, params, at, qubits, first });
    const calls = elementaryCalls(gate, params, at, qubits, first);
    for (; this.progress.step < calls.length; this.progress.step++) {
      const stop = this.#applyElementary(calls[this.progress.step]!);
      if (stop >= 0) return stop;
    }
    this.progress.step = 0;
    return -1;
  }

  /** Of a branch without errors, that of no error is known. */
  override get probability(): number {
    return this.weight * Math.exp(-this.progress.hazard);
  }

  /** A measured qubit has to be decided before the noise of a density matrix may change it. */
  override blockingQubit(gate: Gate, qubits: ArrayLike<number>, first: number): number {
    const found = super.blockingQubit(gate, qubits, first);
    if (found >= 0 || this.noise.errors || gate.kind === "composite") return found;
    const isNoisy = isLocation(gate) || hasNoise(this.noise.noiseOf(gate, qubits, first, [], 0));
    return isNoisy ? this.#pending(qubits, first, gate.numQubits) : -1;
  }

  override measure(qubit: number, bit: number): void {
    super.measure(qubit, bit);
    if (bit >= 0) this.readFrom[bit] = qubit;
  }

  /** Resets a qubit; in a density matrix without branching, unless a bit waits for its value. */
  override reset(qubit: number): void {
    if (this.state instanceof DensityMatrix && !this.measured[qubit]) this.state.reset(qubit);
    else super.reset(qubit);
  }

  override writeBit(bit: number, value: number): void {
    super.writeBit(bit, value);
    this.readFrom[bit] = -1;
  }

  override readBit(bit: number): number {
    const value = super.readBit(bit);
    if (this.readFrom[bit]! < 0) return value;
    this.#stop = { kind: "readout", bit };
    const undecided = new DeferredMeasurement();
    undecided.qubit = NOISE;
    throw undecided;
  }

  /** Returns the continuations of a branch that has stopped, for its noise or at a qubit. */
  override continuations(stop: number): BranchOutcome<this>[] {
    if (stop !== NOISE) return super.continuations(stop);
    const why = this.#stop!;
    if (why.kind === "errors") return afterErrors(this, why);
    if (why.kind === "kraus") return afterJumps(this, why);
    if (why.kind === "damping") return afterDamping(this, why);
    return why.kind === "decay" ? afterDecay(this, why) : this.#readings(why.bit);
  }

  #applyElementary(call: GateCall): number {
    const { gate, qubits, first } = call;
    const { errors } = this.noise;
    if (this.progress.decay < 0) {
      const hazard = errors?.hazard(call) ?? 0;
      if (errors && hazard > 0 && errors.next(this.shots![0]!) < this.progress.hazard + hazard) {
        const pending = this.#pending(qubits, first, gate.numQubits);
        if (pending >= 0) return pending;
        this.#stop = { kind: "errors", call, hazard };
        return NOISE;
      }
      const qubit =
        errors && isLocation(gate)
          ? this.blockingQubit(gate, qubits, first)
          : super.apply(gate, call.params, call.at, qubits, first);
      if (qubit >= 0 || !errors) return qubit;
      this.progress.hazard += hazard;
      if (!this.noise.hasJumps) return -1;
      this.progress.decay = 0;
    }
    while (this.progress.waiting) {
      const pending = this.#pending(qubits, first, gate.numQubits);
      if (pending >= 0) return pending;
      this.progress.waiting = errors!.applyErrors(this, call, this.progress.waiting);
    }
    const { decays } = this.noise.noiseOf(gate, qubits, first, call.params, call.at);
    for (; this.progress.decay < decays.length; this.progress.decay++) {
      const decay = decays[this.progress.decay]!;
      if ("operators" in decay) {
        const stop = this.#applyKraus(decay);
        if (stop >= 0) return stop;
        continue;
      }
      const isRare = decay.hazard !== undefined;
      const hazard =
        decay.hazard ?? hazardOf(decay.probability * this.state.probabilityOfOne(decay.qubits[0]));
      if (errors!.next(this.shots![0]!) < this.progress.hazard + hazard) {
        this.#stop = { kind: isRare ? "damping" : "decay", decay, hazard };
        return NOISE;
      }
      this.progress.hazard += hazard;
      if (isRare) continue;
      applyNoJump(this.state, decay.qubits[0], decay.probability, this.noise.ancilla);
    }
    this.progress.decay = -1;
    return -1;
  }

  /** Returns a qubit with an undecided measurement or reset, or -1. */
  #pending(qubits: ArrayLike<number>, first: number, count: number): number {
    for (let i = first; i < first + count; i++)
      if (this.measured[qubits[i]!] || this.cleared[qubits[i]!]) return qubits[i]!;
    return -1;
  }

  /** Applies the most likely Kraus operator, unless another is due in any shot. */
  #applyKraus(site: KrausSite): number {
    const { qubits, operators } = site;
    const pending = this.#pending(qubits, 0, qubits.length);
    if (pending >= 0) return pending;
    const { state } = this;
    const first = operators[0]!;
    state.apply(first.right, [], 0, qubits, 0);
    const probability = probabilityOf(state, qubits, first.values);
    const hazard = hazardOf(1 - probability);
    if (this.noise.errors!.next(this.shots![0]!) < this.progress.hazard + hazard) {
      state.apply(first.undo, [], 0, qubits, 0);
      this.#stop = { kind: "kraus", site, hazard };
      return NOISE;
    }
    this.progress.hazard += hazard;
    completeOperator(state, qubits, first, { probability, ancilla: this.noise.ancilla });
    return -1;
  }

  #readings(bit: number): BranchOutcome<this>[] {
    const qubit = this.readFrom[bit]!;
    const value = this.bits[bit]!;
    const draw = this.progress.readouts;
    const { readout } = this.noise;
    return this.outcomes(
      readout.probabilityOfError(qubit, value),
      shot => readout.isMisread(qubit, value, shot, draw),
      (branch, wrong) => {
        branch.writeBit(bit, value ^ wrong);
        branch.progress.readouts++;
      },
    );
  }
}
