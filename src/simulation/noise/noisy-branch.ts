import type { Circuit } from "../circuit/circuit.ts";
import type { Gate, Numbers } from "../circuit/gate.ts";
import type { Value } from "../circuit/memory.ts";
import { standardGate } from "../circuit/standard.ts";
import { Branch, type Continuation } from "../execution/branch.ts";
import { type ClassicalBits, isEqual } from "../execution/classical-bits.ts";
import type { QuantumState } from "../execution/quantum-state.ts";
import type { ReadoutError } from "../execution/readout-error.ts";
import { runBranches } from "../execution/scheduler.ts";
import type { SimulationRun } from "../execution/simulator.ts";
import { hazardOf } from "../sampling/draws.ts";
import type { Philox } from "../sampling/philox.ts";
import { isLocation } from "../schedule/locations.ts";
import { DensityMatrix } from "./density-matrix.ts";
import { ErrorSampler, elementaryCalls, type GateCall } from "./error-sampler.ts";
import { type ErrorSite, isError, kindOf, type NoiseOfGates } from "./gate-noise.ts";
import { completeOperator, drawJump, type JumpSite, probabilitiesOf, probabilityOf, turn } from "./jumps.ts";
import { noiseOfModel } from "./model-noise.ts";

/** The stop of a branch for its noise, in place of the qubit that has to be decided. */
const NOISE = 2 ** 32;

/** I, X, Y and Z, by the two bits of a Pauli error on a qubit. */
const PAULIS = [undefined, ...["x", "y", "z"].map(standardGate)];

/** Data shared by the branches of a noisy run. */
interface NoiseContext {
  readonly noiseOf: NoiseOfGates;
  /** Samples the errors of a pure state; null for a density matrix, whose evolution contains the noise. */
  readonly errors: ErrorSampler | null;
  readonly readout: ReadoutError;
  readonly random: Philox;
}

/** The reason why a branch has stopped for its noise: an error or a jump at a site, or a bit that is read. */
type NoiseStop = { readonly site: ErrorSite | JumpSite; readonly hazard: number } | { readonly bit: number };

interface NoiseProgress {
  /** The hazards of errors and jumps so far, summed. */
  hazard: number;
  /** Measurements that were read. */
  readouts: number;
  /** Position within an operation: its elementary gate, and the next site of that gate's noise; -1 before the gate itself. */
  step: number;
  site: number;
}

/**
 * A branch of a program under noise. All its shots have had the same errors and the same outcomes.
 *
 * Errors and jumps are found by their waiting times, as in the Monte Carlo wave-function method (Dum, Zoller and Ritsch,
 * 1992): each shot has a threshold, and its next error or jump is where the summed hazard of its branch exceeds it.
 * Up to there the most likely Kraus operator acts, which is the same for all shots; that they share a state is our own.
 */
class NoisyBranch extends Branch {
  protected override readonly decisions: number = 10;
  readonly #noise: NoiseContext;
  readonly #progress: NoiseProgress = { hazard: 0, readouts: 0, step: 0, site: -1 };
  #stop: NoiseStop | null = null;

  /** Begins a program with some shots, sorted by their next errors. */
  constructor(
    state: QuantumState,
    bits: number | ClassicalBits,
    slots: Value[],
    shots: Uint32Array | null,
    noise: NoiseContext,
  ) {
    super(state, bits, slots, shots, noise.random);
    this.#noise = noise;
  }

  override fork(): NoisyBranch {
    const { state, bits, slots, shots } = this;
    const copy = this.copyInto(new NoisyBranch(state.clone(), bits, [...slots], shots, this.#noise));
    Object.assign(copy.#progress, this.#progress);
    return copy;
  }

  /** Mixes the density matrix of a branch at the same place of an exact run into this one if their memory is the same; returns whether it is. */
  override join(other: NoisyBranch): boolean {
    const { state, weight } = this;
    const isSame =
      this.remembersAs(other) &&
      isEqual(this.bits.origins, other.bits.origins) &&
      this.#progress.step === other.#progress.step &&
      state instanceof DensityMatrix &&
      state.mix(other.state as DensityMatrix, weight, other.weight);
    if (isSame) this.weight += other.weight;
    return isSame;
  }

  override apply(gate: Gate, params: Numbers, at: number, qubits: Numbers, first: number): number {
    if (gate.kind !== "composite") return this.#applyElementary({ gate, params, at, qubits, first });
    const progress = this.#progress;
    const calls = elementaryCalls(gate, params, at, qubits, first);
    for (; progress.step < calls.length; progress.step++) {
      const stop = this.#applyElementary(calls[progress.step]!);
      if (stop >= 0) return stop;
    }
    progress.step = 0;
    return -1;
  }

  /** Probability of the branch; of one without errors, that of no error is known. */
  override get probability(): number {
    return this.weight * Math.exp(-this.#progress.hazard);
  }

  /** Returns a qubit that must be decided before a gate; a measured one also before the noise of a density matrix changes it. */
  override blockingQubit(gate: Gate, qubits: Numbers, first: number): number {
    const found = super.blockingQubit(gate, qubits, first);
    if (found >= 0 || this.#noise.errors || gate.kind === "composite") return found;
    const isNoisy = isLocation(gate) || this.#noise.noiseOf(gate, qubits, first, [], 0).length > 0;
    return isNoisy ? this.#pending(qubits, first, gate.numQubits) : -1;
  }

  /** Resets a qubit; in a density matrix without branching, unless a bit waits for its value. */
  override reset(qubit: number): void {
    if (this.state instanceof DensityMatrix && !this.measured[qubit]) this.state.reset(qubit);
    else super.reset(qubit);
  }

  /** Returns what has to be decided before a bit is read; if it holds an outcome, that is the readout error. */
  override undecidedQubit(bit: number): number {
    const qubit = super.undecidedQubit(bit);
    if (qubit >= 0 || this.bits.origins[bit]! < 0) return qubit;
    this.#stop = { bit };
    return NOISE;
  }

  override split(stop: number): Continuation<this>[] {
    if (stop !== NOISE) return super.split(stop);
    const why = this.#stop!;
    return "bit" in why ? this.#afterReadout(why.bit) : this.#afterNoise(why.site, why.hazard);
  }

  #applyElementary(call: GateCall): number {
    const { gate, params, at, qubits, first } = call;
    const { errors, noiseOf } = this.#noise;
    const progress = this.#progress;
    if (progress.site < 0) {
      const qubit =
        errors && isLocation(gate)
          ? this.blockingQubit(gate, qubits, first)
          : super.apply(gate, params, at, qubits, first);
      if (qubit >= 0 || !errors) return qubit;
      const hazard = errors.hazard(call);
      if (!this.#isDue(hazard)) {
        progress.hazard += hazard;
        return -1;
      }
      progress.site = 0;
    }
    const sites = noiseOf(gate, qubits, first, params, at);
    while (progress.site < sites.length) {
      const stop = this.#pass(sites[progress.site]!);
      if (stop >= 0) return stop;
    }
    progress.site = -1;
    return -1;
  }

  /** Passes a site without an error or a jump, of which the most likely Kraus operator acts; stops if one is due in any shot. */
  #pass(site: ErrorSite | JumpSite): number {
    const { qubits } = site;
    if (site.hazard !== undefined && !this.#isDue(site.hazard)) return this.#leave(site.hazard);
    const pending = !isError(site) && site.keepsBasis ? -1 : this.#pending(qubits, 0, qubits.length);
    if (pending >= 0) return pending;
    if (isError(site)) return this.#stopAt(site, site.hazard);
    if (site.hazard !== undefined) return this.#stopAt(site, site.hazard);
    const { state } = this;
    const first = site.operators[0]!;
    turn(state, first.right, qubits);
    const probability = probabilityOf(state, qubits, first);
    const hazard = hazardOf(1 - probability);
    if (this.#isDue(hazard)) {
      turn(state, first.undo, qubits);
      return this.#stopAt(site, hazard);
    }
    completeOperator(state, qubits, first, probability);
    return this.#leave(hazard);
  }

  /** Continues after a site. */
  #leave(hazard: number): number {
    this.#progress.hazard += hazard;
    this.#progress.site++;
    return -1;
  }

  /** Stops before an error or a jump that is due in some shots; a branch of one shot has it at once. */
  #stopAt(site: ErrorSite | JumpSite, hazard: number): number {
    const shots = this.shots!;
    if (shots.length > 1) {
      this.#stop = { site, hazard };
      return NOISE;
    }
    const probabilities = this.#probabilitiesOf(site);
    const event = this.#eventOf(site, probabilities, shots[0]!);
    this.#noise.errors!.resample(shots, this.#progress.hazard + hazard);
    this.weight = 0;
    return this.#meet(site, event, probabilities[event]!, hazard);
  }

  /** Whether an error or a jump is due in the shot whose next one comes first, within a hazard from here. */
  #isDue(hazard: number): boolean {
    return this.#noise.errors!.next(this.shots![0]!) < this.#progress.hazard + hazard;
  }

  /** Returns the continuations in which each error or Kraus operator of a site acts that is due in some shot, and the one without. */
  #afterNoise(site: ErrorSite | JumpSite, hazard: number): Continuation<this>[] {
    const sampler = this.#noise.errors!;
    const until = this.#progress.hazard + hazard;
    const probabilities = this.#probabilitiesOf(site);
    const shots = this.shots!;
    const firstFree = shots.findIndex(shot => sampler.next(shot) >= until);
    const numDue = firstFree < 0 ? shots.length : firstFree;
    const others = shots.subarray(numDue);
    const groups = Map.groupBy(shots.slice(0, numDue), shot => this.#eventOf(site, probabilities, shot));
    const after = (shots: Uint32Array, share: number, event: number) =>
      this.continuation(shots, share, branch => branch.#meet(site, event, probabilities[event]!, hazard));
    const ways: Continuation<this>[] = [];
    for (const [event, due] of groups)
      ways.push(after(sampler.resample(Uint32Array.from(due), until), 0, event));
    if (others.length > 0) ways.push(after(others, 1, 0));
    return ways;
  }

  /** Returns the probability of each Kraus operator of a site. */
  #probabilitiesOf(site: ErrorSite | JumpSite): readonly number[] {
    return isError(site) ? [] : probabilitiesOf(this.state, site);
  }

  /** Draws the error or the Kraus operator of a site that is due in a shot. */
  #eventOf(site: ErrorSite | JumpSite, probabilities: readonly number[], shot: number): number {
    const uniform = this.#noise.errors!.uniform(shot);
    return isError(site) ? kindOf(site, uniform) : drawJump(probabilities, uniform);
  }

  /** Continues after an error or a Kraus operator of a site. */
  #meet(site: ErrorSite | JumpSite, event: number, probability: number, hazard: number): number {
    if (isError(site)) this.#applyError(site, event);
    else this.#applyOperator(site, event, probability);
    return this.#leave(hazard);
  }

  #applyError({ qubits }: ErrorSite, kind: number): void {
    qubits.forEach((qubit, place) => {
      const pauli = PAULIS[(kind >> (2 * place)) & 3];
      if (pauli) this.state.apply(pauli, [], 0, [qubit], 0);
    });
  }

  #applyOperator({ qubits, operators, hazard }: JumpSite, index: number, probability: number): void {
    const { state } = this;
    const operator = operators[index]!;
    if (operator.collapse) {
      this.decide(qubits[0]!, operator.collapse.from);
      state.setValue(qubits[0]!, operator.collapse.to);
    } else if (index > 0 || hazard === undefined) {
      turn(state, operator.right, qubits);
      completeOperator(state, qubits, operator, probability);
    }
  }

  /** Returns the continuations in which a bit is read rightly and wrongly. */
  #afterReadout(bit: number): Continuation<this>[] {
    const qubit = this.bits.origins[bit]!;
    const value = this.bits.values[bit]!;
    const draw = this.#progress.readouts;
    const { readout } = this.#noise;
    return this.splitInTwo(
      readout.probability(qubit, value),
      shot => readout.isMisread(qubit, value, shot, draw),
      (branch, wrong) => {
        branch.writeBit(bit, value ^ wrong);
        branch.#progress.readouts++;
      },
    );
  }

  /** Returns a qubit with an undecided measurement or reset, or -1. */
  #pending(qubits: Numbers, first: number, count: number): number {
    for (let i = first; i < first + count; i++)
      if (this.measured[qubits[i]!] || this.cleared[qubits[i]!]) return qubits[i]!;
    return -1;
  }
}

/**
 * Runs a program under noise: shots share a branch up to the first error or outcome in which they differ. `begin` makes
 * the state with which it begins; a density matrix needs no errors to be drawn.
 */
export function runNoisy(
  circuit: Circuit,
  run: SimulationRun,
  begin: (noiseOf: NoiseOfGates) => QuantumState,
  drawsErrors = true,
): void {
  const { parts } = circuit;
  const { random } = run;
  const noiseOf = noiseOfModel(run.noise!);
  const errors = drawsErrors ? new ErrorSampler(noiseOf, run.shots, random) : null;
  const noise = { noiseOf, errors, readout: run.readout!, random };
  const start = (shots: Uint32Array | null) => {
    const slots = new Array(parts.numSlots).fill(0n);
    return new NoisyBranch(
      begin(noiseOf),
      parts.numBits,
      slots,
      shots && (errors?.begin(shots) ?? shots),
      noise,
    );
  };
  runBranches<NoisyBranch>(circuit, run, start, { joins: run.shots === 0 });
}
