import type { Gate } from "../circuit/gate.ts";
import type { Value } from "../circuit/memory.ts";
import { NOWHERE } from "../circuit/operations.ts";
import { type OutputValue, outputValue } from "../circuit/output-values.ts";
import { SimulationError } from "../errors.ts";
import { expectationsOf } from "../execution/pauli-string.ts";
import type { QuantumState } from "../execution/quantum-state.ts";
import type { ExecutionState } from "../interpreter/execution-state.ts";
import type { LinkedProgram } from "../interpreter/instruction.ts";
import type { Philox } from "../sampling/philox.ts";
import { formatLocation, type SourceLocation, SourceText } from "../source-text.ts";
import { type ExecutedStep, MAX_STATE_QUBITS, type NoisyStepState } from "./executed-step.ts";
import type { SteppingOptions } from "./step-program.ts";

/** Returns what is known of qubits whose state is a density matrix. */
function noisyState(state: QuantumState): NoisyStepState {
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

/** What a given outcome must be likelier than. */
const IMPOSSIBLE = 1e-12;
const DECISIONS = 1;

/** An execution that decides each measurement where it stands, and records every step. */
export class SteppedExecution implements ExecutionState {
  instruction = 0;
  operation = -1;
  /** Whether the program went on beyond the maximum number of steps. */
  isCut = false;
  readonly slots: Value[];
  readonly steps: ExecutedStep[] = [];
  readonly #bits: Uint8Array;
  readonly #program: LinkedProgram;
  readonly #state: QuantumState;
  readonly #random: Philox;
  readonly #options: SteppingOptions;
  readonly #source: SourceText | null;
  #measurements = 0;
  #draws = 0;

  constructor(program: LinkedProgram, state: QuantumState, random: Philox, options: SteppingOptions) {
    this.#program = program;
    this.#state = state;
    this.#random = random;
    this.#options = options;
    this.#bits = new Uint8Array(program.parts.numBits);
    this.slots = new Array(program.parts.numSlots).fill(0n);
    const { source } = program.parts;
    this.#source = source && new SourceText(source.data, source.files);
    this.#record({ kind: "start", name: "start", qubits: [], location: null });
  }

  readBit(bit: number): number {
    return this.#bits[bit]!;
  }

  writeBit(bit: number, value: number): void {
    this.#bits[bit] = value;
  }

  /** Applies a gate, and returns -1; where the execution ends here, it returns the gate's first qubit. */
  apply(gate: Gate, params: ArrayLike<number>, at: number, qubits: ArrayLike<number>, first: number): number {
    if (!this.#begin()) return qubits[first]!;
    this.#state.apply(gate, params, at, qubits, first);
    this.#record({
      kind: "gate",
      name: gate.name,
      gate,
      params: Array.from({ length: gate.numParams }, (_, i) => params[at + i]!),
      qubits: Array.from({ length: gate.numQubits }, (_, i) => qubits[first + i]!),
    });
    return -1;
  }

  measure(qubit: number, bit: number): void {
    if (!this.#begin()) return;
    const one = this.#state.probabilityOfOne(qubit);
    const given = this.#options.outcomes[this.#measurements++] ?? null;
    const outcome = given ?? this.#draw(one);
    const probability = outcome ? one : 1 - one;
    const location = this.#location();
    if (probability < IMPOSSIBLE)
      throw new SimulationError(
        `${location ? `${formatLocation(location)}: ` : ""}Measurement ${this.#measurements} cannot give ${outcome}: its probability is 0. Give ${1 - outcome}, or null.`,
      );
    this.#state.project(qubit, outcome);
    const read = this.#read(qubit, outcome);
    if (bit >= 0) this.#bits[bit] = read;
    this.#record({
      ...{ kind: "measure", name: "measure", qubits: [qubit], outcome, probability },
      readAs: read === outcome ? null : read,
      bit: bit < 0 ? null : bit,
    });
  }

  reset(qubit: number): void {
    if (!this.#begin()) return;
    this.#state.project(qubit, this.#draw(this.#state.probabilityOfOne(qubit)));
    this.#state.setValue(qubit, 0);
    this.#record({ kind: "reset", name: "reset", qubits: [qubit] });
  }

  /** Lets the last step have the classical memory of now. */
  completeStep(): void {
    this.steps.push({ ...this.steps.pop()!, ...this.#memory() });
  }

  /** Returns what is read of an outcome, which readout errors may change. */
  #read(qubit: number, outcome: 0 | 1): 0 | 1 {
    const { noise } = this.#options;
    const error = (outcome ? noise?.zeroGivenOne[qubit] : noise?.oneGivenZero[qubit]) ?? 0;
    return error > 0 && this.#draw(error) === 1 ? ((1 - outcome) as 0 | 1) : outcome;
  }

  #draw(probabilityOfOne: number): 0 | 1 {
    return this.#random.uniform(0, this.#draws++, DECISIONS) < probabilityOfOne ? 1 : 0;
  }

  /** Completes the last step, and returns whether there may be another. */
  #begin(): boolean {
    this.completeStep();
    this.isCut ||= this.steps.length > this.#options.maxSteps;
    return !this.isCut;
  }

  #record(step: Pick<ExecutedStep, "kind" | "name" | "qubits"> & Partial<ExecutedStep>): void {
    const { numQubits } = this.#state;
    this.steps.push({
      ...{
        gate: null,
        params: [],
        bit: null,
        outcome: null,
        probability: null,
        readAs: null,
        location: this.#location(),
      },
      amplitudes: numQubits <= MAX_STATE_QUBITS && !this.#options.noise ? this.#state.amplitudes() : null,
      noisy: this.#options.noise ? noisyState(this.#state) : null,
      ...this.#memory(),
      ...step,
    });
  }

  #memory(): Pick<ExecutedStep, "bits" | "variables"> {
    const values = this.#program.parts.outputs.map(
      output => [output.name, outputValue(output, this.slots)] as const,
    );
    const isKnown = (entry: readonly [string, OutputValue | undefined]): entry is [string, OutputValue] =>
      entry[1] !== undefined;
    return { bits: this.#bits.slice(), variables: Object.fromEntries(values.filter(isKnown)) };
  }

  /** Returns where the operation that is executed stands in the source. */
  #location(): SourceLocation | null {
    const { instructions, parts } = this.#program;
    const instruction = instructions.at(this.instruction)!;
    const offset = "at" in instruction ? instruction.at : parts.operations.offsets[this.operation];
    return offset === undefined || offset === NOWHERE ? null : (this.#source?.locate(offset) ?? null);
  }
}
