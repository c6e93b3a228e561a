import type { Gate } from "../circuit/gate.ts";
import { DeferredMeasurement, type Value } from "../circuit/memory.ts";
import { Branch, type BranchOutcome } from "../execution/branch.ts";
import type { QuantumState } from "../execution/quantum-state.ts";
import { isLocation } from "../schedule/locations.ts";
import { DensityMatrix } from "./density-matrix.ts";
import { elementaryCalls, type GateCall } from "./error-sampler.ts";
import { type Decay, type GateNoise, hazardOf } from "./gate-noise.ts";
import { completeOperator, drawJump, type KrausSite, probabilitiesOf, probabilityOf } from "./kraus-site.ts";
import { applyNoJump } from "./no-jump.ts";
import type { NoiseContext } from "./noise-context.ts";

/** The stop of a branch for its noise, in place of the qubit that has to be decided. */
const NOISE = 2 ** 32;
type Stop =
  | { kind: "errors"; call: GateCall; hazard: number }
  | { kind: "decay"; decay: Decay; hazard: number }
  | { kind: "kraus"; site: KrausSite; hazard: number }
  | { kind: "readout"; bit: number };

const hasNoise = ({ errors, decays }: GateNoise): boolean => errors.length + decays.length > 0;

/** A branch of a program under noise. All its shots have had the same errors and the same outcomes. */
export class NoisyBranch extends Branch {
  /** For each bit, the qubit whose unconfused measurement it holds, or -1. */
  readonly readFrom: Int32Array;
  protected override readonly decisions: number = 10;
  readonly #noise: NoiseContext;
  #hazard = 0;
  #readouts = 0;
  #stop: Stop | null = null;
  /** Position within an operation: its elementary gate, and how many of that one's decays are done; -1 before the gate itself. */
  #step = 0;
  #decay = -1;

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
    this.#noise = noise;
  }

  override fork(): NoisyBranch {
    const copy = this.copyInto(
      new NoisyBranch(this.state.clone(), this.bits.length, [...this.slots], this.shots, this.#noise),
    );
    copy.readFrom.set(this.readFrom);
    copy.#hazard = this.#hazard;
    copy.#readouts = this.#readouts;
    copy.#step = this.#step;
    copy.#decay = this.#decay;
    return copy;
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
    for (; this.#step < calls.length; this.#step++) {
      const stop = this.#applyElementary(calls[this.#step]!);
      if (stop >= 0) return stop;
    }
    this.#step = 0;
    return -1;
  }

  /** A measured qubit has to be decided before the noise of a density matrix may change it. */
  override blockingQubit(gate: Gate, qubits: ArrayLike<number>, first: number): number {
    const found = super.blockingQubit(gate, qubits, first);
    if (found >= 0 || this.#noise.errors || gate.kind === "composite") return found;
    const isNoisy = isLocation(gate) || hasNoise(this.#noise.noiseOf(gate, qubits, first, [], 0));
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

  override decide(qubit: number, outcome: number): void {
    const readFrom = this.readFrom.slice();
    super.decide(qubit, outcome);
    this.readFrom.set(readFrom);
  }

  /** Returns the continuations of a branch that has stopped, for its noise or at a qubit. */
  override continuations(stop: number): BranchOutcome<this>[] {
    if (stop !== NOISE) return super.continuations(stop);
    const why = this.#stop!;
    if (why.kind === "errors") return this.#errors(why);
    if (why.kind === "kraus") return this.#jumps(why);
    return why.kind === "decay" ? this.#decays(why) : this.#readings(why.bit);
  }

  #applyElementary(call: GateCall): number {
    const { gate, qubits, first } = call;
    const { errors } = this.#noise;
    if (this.#decay < 0) {
      const hazard = errors?.hazard(call) ?? 0;
      if (errors && hazard > 0 && errors.next(this.shots![0]!) < this.#hazard + hazard) {
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
      this.#hazard += hazard;
      if (!this.#noise.hasJumps) return -1;
      this.#decay = 0;
    }
    const { decays } = this.#noise.noiseOf(gate, qubits, first, call.params, call.at);
    for (; this.#decay < decays.length; this.#decay++) {
      const decay = decays[this.#decay]!;
      if ("operators" in decay) {
        const stop = this.#applyKraus(decay);
        if (stop >= 0) return stop;
        continue;
      }
      const probability = decay.probability * this.state.probabilityOfOne(decay.qubits[0]);
      const hazard = hazardOf(probability);
      if (errors!.next(this.shots![0]!) < this.#hazard + hazard) {
        this.#stop = { kind: "decay", decay, hazard };
        return NOISE;
      }
      this.#hazard += hazard;
      this.#applyNoJump(decay);
    }
    this.#decay = -1;
    return -1;
  }

  /** Returns a qubit with an undecided measurement or reset, or -1. */
  #pending(qubits: ArrayLike<number>, first: number, count: number): number {
    for (let i = first; i < first + count; i++)
      if (this.measured[qubits[i]!] || this.cleared[qubits[i]!]) return qubits[i]!;
    return -1;
  }

  #applyNoJump({ qubits: [qubit], probability }: Decay): void {
    applyNoJump(this.state, qubit, probability, this.#noise.ancilla);
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
    if (this.#noise.errors!.next(this.shots![0]!) < this.#hazard + hazard) {
      state.apply(first.undo, [], 0, qubits, 0);
      this.#stop = { kind: "kraus", site, hazard };
      return NOISE;
    }
    this.#hazard += hazard;
    completeOperator(state, qubits, first, { probability, ancilla: this.#noise.ancilla });
    return -1;
  }

  /** Returns the continuations in which each Kraus operator acts that is due in some shot. */
  #jumps({ site: { qubits, operators }, hazard }: Stop & { kind: "kraus" }): BranchOutcome<this>[] {
    const errors = this.#noise.errors!;
    const until = this.#hazard + hazard;
    const { due, others } = this.#dueBefore(until);
    const probabilities = probabilitiesOf(this.state, qubits, operators);
    const groups = operators.map((): number[] => []);
    for (const shot of due) groups[drawJump(probabilities, errors.uniform(shot))]!.push(shot);
    const outcome = (index: number, shots: Uint32Array): BranchOutcome<this> => ({
      shots,
      share: 1,
      enter: branch => {
        const { ancilla } = this.#noise;
        const operator = operators[index]!;
        branch.state.apply(operator.right, [], 0, qubits, 0);
        completeOperator(branch.state, qubits, operator, { probability: probabilities[index]!, ancilla });
        branch.#hazard = until;
        branch.#decay++;
      },
    });
    return [
      ...groups.flatMap((shots, index) =>
        shots.length > 0 ? [outcome(index, errors.resample(Uint32Array.from(shots), until))] : [],
      ),
      ...(others.length > 0 ? [outcome(0, others)] : []),
    ];
  }

  #readings(bit: number): BranchOutcome<this>[] {
    const qubit = this.readFrom[bit]!;
    const value = this.bits[bit]!;
    const draw = this.#readouts;
    const { readout } = this.#noise;
    return this.outcomes(
      readout.probabilityOfError(qubit, value),
      shot => readout.isMisread(qubit, value, shot, draw),
      (branch, wrong) => {
        branch.writeBit(bit, value ^ wrong);
        branch.#readouts++;
      },
    );
  }

  #errors({ call, hazard }: Stop & { kind: "errors" }): BranchOutcome<this>[] {
    const errors = this.#noise.errors!;
    const until = this.#hazard + hazard;
    const { due, others } = this.#dueBefore(until);
    const groups = errors.draw(call, due, this.#hazard);
    if (others.length > 0) groups.push({ pattern: new Map(), shots: others });
    return groups.map(({ pattern, shots }) => ({
      shots,
      share: 1,
      enter(branch) {
        errors.apply(branch, call, pattern);
        branch.#hazard = until;
        branch.#decay = 0;
      },
    }));
  }

  #decays({ decay, hazard }: Stop & { kind: "decay" }): BranchOutcome<this>[] {
    const until = this.#hazard + hazard;
    const { due, others } = this.#dueBefore(until);
    const enter = (happen: (branch: NoisyBranch) => void) => (branch: NoisyBranch) => {
      happen(branch);
      branch.#hazard = until;
      branch.#decay++;
    };
    const jump = enter(branch => {
      branch.decide(decay.qubits[0], 1);
      branch.state.setValue(decay.qubits[0], 0);
    });
    const steps: BranchOutcome<this>[] = [
      { shots: this.#noise.errors!.resample(due, until), share: 1, enter: jump },
    ];
    if (others.length > 0)
      steps.push({ shots: others, share: 1, enter: enter(branch => branch.#applyNoJump(decay)) });
    return steps;
  }

  /** Splits the shots into those whose next error comes before this cumulative hazard, and the others. */
  #dueBefore(hazard: number): { due: Uint32Array; others: Uint32Array } {
    const shots = this.shots!;
    const firstFree = shots.findIndex(shot => this.#noise.errors!.next(shot) >= hazard);
    const count = firstFree < 0 ? shots.length : firstFree;
    return { due: shots.slice(0, count), others: shots.subarray(count) };
  }
}
