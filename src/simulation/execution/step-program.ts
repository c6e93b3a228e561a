import type { Circuit } from "../circuit/circuit.ts";
import type { Gate, Numbers } from "../circuit/gate.ts";
import { type OutputValue, outputValue } from "../circuit/output-values.ts";
import { SimulationError } from "../errors.ts";
import type { Meter } from "../interpreter/execution-state.ts";
import { type LinkedProgram, link } from "../interpreter/link.ts";
import { advance, locationOf, whereOf } from "../interpreter/run.ts";
import { DensityMatrix } from "../noise/density-matrix.ts";
import { noiseOfModel } from "../noise/model-noise.ts";
import { NoisyTransferMatrices } from "../noise/transfer-matrix.ts";
import type { NoiseModel } from "../noise-model.ts";
import { philox } from "../sampling/philox.ts";
import type { SourceLocation } from "../source-text.ts";
import { StateVector } from "../statevector/state-vector.ts";
import { DECISIONS } from "./branch.ts";
import { type BranchOperation, RecordedBranch } from "./execute-branches.ts";
import { startBudget } from "./limits.ts";
import { expectationsOf, type QuantumState } from "./quantum-state.ts";
import { ReadoutError } from "./readout-error.ts";

/** The beginning, a gate, a measurement or a reset of an execution, and what holds after it. */
export interface ExecutedStep {
  readonly kind: "start" | "gate" | "measure" | "reset";
  /** The name of the gate, modifiers included; else the kind. */
  readonly name: string;
  /** The gate of a step that is one, for drawings. */
  readonly gate: Gate | null;
  readonly params: readonly number[];
  readonly qubits: readonly number[];
  /** The classical bit that a measurement writes, or null. */
  readonly bit: number | null;
  /** Place in the source, or null. */
  readonly location: SourceLocation | null;
  /** Outcome of a measurement, or null. */
  readonly outcome: 0 | 1 | null;
  /** The probability with which this outcome was to be measured, or null. */
  readonly probability: number | null;
  /** Real and imaginary parts of the amplitudes, interleaved; null for more than {@link MAX_STATE_QUBITS} qubits. */
  readonly amplitudes: readonly number[] | null;
  /** State of the qubits under noise; null without noise, and for more than {@link MAX_NOISY_QUBITS} qubits. */
  readonly noisy: NoisyStepState | null;
  /** The value that a readout error made of an outcome, or null where there was none. */
  readonly readAs: 0 | 1 | null;
  /** The classical bits, after the classical statements that follow. */
  readonly bits: Uint8Array;
  /** The values of the variables other than bit registers, after the classical statements that follow. */
  readonly variables: Readonly<Record<string, OutputValue>>;
}

/** The state of qubits under noise, averaged over its errors: what measurements of all, or of one, would find. */
export interface NoisyStepState {
  /** The probability of each basis state, by its index. */
  readonly probabilities: readonly number[];
  /** The mean values of X, Y and Z of each qubit. */
  readonly bloch: readonly { readonly x: number; readonly y: number; readonly z: number }[];
}

/** Maximum number of qubits that are stepped through under noise, whose density matrix is computed. */
const MAX_NOISY_QUBITS = 8;

/** Maximum number of qubits of which each step keeps the amplitudes. */
const MAX_STATE_QUBITS = 10;

/** Settings of an execution step by step. */
export interface SteppingOptions {
  /** Decides the measurements that `outcomes` does not. A whole number. */
  seed: number;
  /** Outcomes of the measurements in their order; null for one that the seed decides. */
  outcomes: readonly (0 | 1 | null)[];
  /** Maximum number of steps after the start; the execution ends there. */
  maxSteps: number;
  /** The noise of gates and readouts, over whose errors the state is averaged. Default: none. */
  noise?: NoiseModel | undefined;
}

/** One execution of a program, step by step. */
export interface SteppedProgram {
  readonly steps: readonly ExecutedStep[];
  /** Whether the program has ended within the limit of steps. */
  readonly isComplete: boolean;
}

const LIMITS = { maxQubits: 20, maxBytes: 2 ** 28, precision: "double", threads: 1 } as const;
const MAX_OPERATIONS = 1e6;
const MAX_MILLISECONDS = 20_000;
/** A given outcome must have a probability above this. */
const IMPOSSIBLE = 1e-12;

/**
 * Executes a program once, and returns each step. Measurements are decided at once.
 * Throws a {@link SimulationError} if a given outcome is impossible, or the program is over a limit.
 */
export function stepProgram(circuit: Circuit, options: SteppingOptions): SteppedProgram {
  const program = link(circuit.parts);
  const meter = startBudget({ maxOperations: MAX_OPERATIONS, maxMilliseconds: MAX_MILLISECONDS });
  const state = options.noise
    ? noisyState(circuit.numQubits, options.noise, meter)
    : new StateVector(circuit.numQubits, LIMITS, meter);
  using branch = new SteppedBranch(program, state, options);
  while (!branch.isCut && program.instructions.at(branch.instruction)!.kind !== "end")
    advance(branch, program, meter);
  if (!branch.isCut) branch.completeStep();
  return { steps: branch.steps, isComplete: !branch.isCut };
}

function noisyState(numQubits: number, noise: NoiseModel, meter: Meter): QuantumState {
  if (numQubits > MAX_NOISY_QUBITS)
    throw new SimulationError(
      `The program has ${numQubits} qubits; up to ${MAX_NOISY_QUBITS} are stepped through under noise.`,
    );
  const transfers = new NoisyTransferMatrices(noiseOfModel(noise));
  return new DensityMatrix(numQubits, { maxBytes: LIMITS.maxBytes, transfers, meter });
}

/** A branch that decides each measurement at once, and keeps what holds after every step. */
class SteppedBranch extends RecordedBranch {
  /** Whether the program has more steps than the maximum. */
  isCut = false;
  readonly steps: ExecutedStep[] = [];
  readonly #options: SteppingOptions;
  readonly #readout: ReadoutError | null;
  #measurements = 0;

  constructor(program: LinkedProgram, state: QuantumState, options: SteppingOptions) {
    super(program, state, philox(options.seed));
    this.#options = options;
    this.#readout = options.noise ? new ReadoutError(options.noise, [], this.random) : null;
    this.#step({ kind: "start", name: "start", qubits: [], location: null });
  }

  override apply(gate: Gate, params: Numbers, at: number, qubits: Numbers, first: number): number {
    return this.#begin() ? super.apply(gate, params, at, qubits, first) : qubits[first]!;
  }

  protected override record(
    kind: BranchOperation["kind"],
    qubits: readonly number[],
    gate: Gate | null = null,
    params: readonly number[] = [],
  ): void {
    this.#step({ kind, name: gate?.name ?? kind, gate, params, qubits });
  }

  override measure(qubit: number, bit: number): void {
    if (!this.#begin()) return;
    const one = this.state.probabilityOfOne(qubit);
    const given = this.#options.outcomes[this.#measurements++] ?? null;
    const outcome = given ?? this.#draw(one);
    const probability = outcome ? one : 1 - one;
    if (probability < IMPOSSIBLE)
      throw new SimulationError(
        `${whereOf(this.program.parts, this.offset())}Measurement ${this.#measurements} cannot give ${outcome}: its probability is 0. Give ${1 - outcome}, or null.`,
      );
    this.state.project(qubit, outcome);
    const isMisread = this.#readout?.isMisread(qubit, outcome, 0, this.#measurements) ?? false;
    const read = isMisread ? ((1 - outcome) as 0 | 1) : outcome;
    this.bits.measured(qubit, bit, read);
    this.#step({
      ...{ kind: "measure", name: "measure", qubits: [qubit], outcome, probability },
      readAs: isMisread ? read : null,
      bit: bit < 0 ? null : bit,
    });
  }

  override reset(qubit: number): void {
    if (!this.#begin()) return;
    this.state.project(qubit, this.#draw(this.state.probabilityOfOne(qubit)));
    this.state.setValue(qubit, 0);
    this.record("reset", [qubit]);
  }

  /** Sets the classical memory of the last step to the present one. */
  completeStep(): void {
    this.steps.push({ ...this.steps.pop()!, ...this.#memory() });
  }

  #draw(probabilityOfOne: number): 0 | 1 {
    return this.random.uniform(0, this.draws++, DECISIONS) < probabilityOfOne ? 1 : 0;
  }

  /** Completes the last step, and returns whether there may be another. */
  #begin(): boolean {
    this.completeStep();
    this.isCut ||= this.steps.length > this.#options.maxSteps;
    return !this.isCut;
  }

  #step(step: Pick<ExecutedStep, "kind" | "name" | "qubits"> & Partial<ExecutedStep>): void {
    const { state } = this;
    const isNoisy = this.#options.noise !== undefined;
    this.steps.push({
      ...{ gate: null, params: [], bit: null, outcome: null, probability: null, readAs: null },
      location: locationOf(this.program.parts, this.offset()),
      amplitudes: state.numQubits <= MAX_STATE_QUBITS && !isNoisy ? state.amplitudes() : null,
      noisy: isNoisy ? describeMixture(state) : null,
      ...this.#memory(),
      ...step,
    });
  }

  #memory(): Pick<ExecutedStep, "bits" | "variables"> {
    const variables = this.program.parts.outputs.flatMap(output => {
      const value = outputValue(output, this.slots);
      return value === undefined ? [] : [[output.name, value] as const];
    });
    return { bits: this.bits.values.slice(), variables: Object.fromEntries(variables) };
  }
}

/** Returns probabilities and Bloch vectors of qubits whose state is a density matrix. */
function describeMixture(state: QuantumState): NoisyStepState {
  const qubits = Array.from({ length: state.numQubits }, (_, qubit) => qubit);
  const probabilities = new Array<number>(2 ** state.numQubits).fill(0);
  const sampler = state.sampler(qubits);
  sampler.each((outcome, probability) => {
    const index = qubits.reduce((sum, qubit) => sum + sampler.value(outcome, qubit) * 2 ** qubit, 0);
    probabilities[index]! += probability;
  });
  const mean = (qubit: number, pauli: "X" | "Y" | "Z") => expectationsOf(state, [[{ qubit, pauli }]])[0]! + 0;
  const total = probabilities.reduce((sum, probability) => sum + probability, 0);
  return {
    probabilities: probabilities.map(probability => probability / total),
    bloch: qubits.map(qubit => ({ x: mean(qubit, "X"), y: mean(qubit, "Y"), z: mean(qubit, "Z") })),
  };
}
