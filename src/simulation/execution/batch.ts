import type { Gate } from "../circuit/gate.ts";
import type { OperationState } from "../interpreter/execution-state.ts";
import type { Instruction, LinkedProgram } from "../interpreter/instruction.ts";
import type { Meter } from "../interpreter/meter.ts";
import { locatedError, runOperations } from "../interpreter/run.ts";
import type { Philox } from "../sampling/philox.ts";
import { alikeEffects, gateOfEach, lanesOf } from "./alike-effects.ts";
import { type Branch, CERTAIN, DECISIONS, partition } from "./branch.ts";
import type { LaneEffect, LaneInterpreter, LaneOperation } from "./lane-effects.ts";
import type { LaneMemory } from "./lane-memory.ts";
import type { LaneGroup, StateLanes } from "./state-lanes.ts";

/** Amplitudes of a state up to which lanes stay together that bring different qubits into superposition. */
const SMALL = 32;
/** Qubits of a gate up to which lanes may become too large by it before they are split. */
const USUAL_QUBITS = 3;

/** What the batches of a run share. */
export interface BatchContext {
  readonly program: LinkedProgram;
  readonly memory: LaneMemory;
  readonly interpreter: LaneInterpreter;
  readonly states: StateLanes;
  readonly random: Philox;
  readonly meter: Meter;
}

/**
 * Branches that stand at the same place of a program, one in each lane: an operation is applied to all of them at once,
 * and what is classical is computed for one after the other. Measurements are decided at once.
 */
export class Batch implements OperationState {
  instruction: number;
  operation: number;
  readonly group: LaneGroup;
  readonly #context: BatchContext;
  /** How many times as large the states may become by the gate that is next. */
  #growth = 1;

  constructor(
    context: BatchContext,
    group: LaneGroup,
    at: Pick<OperationState, "instruction" | "operation">,
  ) {
    this.#context = context;
    this.group = group;
    this.instruction = at.instruction;
    this.operation = at.operation;
  }

  /** Puts a branch into a lane of its own, with all measurements and resets decided that it has put off; returns null where its state is too large. */
  static of(branch: Branch, context: BatchContext): Batch | null {
    const { memory, states } = context;
    const group = states.load(branch.state, memory.slots.length);
    if (!group) return null;
    memory.add(branch);
    const batch = new Batch(context, group, branch);
    branch.measured.forEach((isMeasured, qubit) => {
      if (!isMeasured && !branch.cleared[qubit]) return;
      const outcomes = batch.#decide(qubit, group.lanes);
      branch.sources.forEach((source, bit) => {
        if (source === qubit) batch.#write(bit, group.lanes, outcomes);
      });
      if (branch.cleared[qubit]) group.clear(qubit, group.lanes, outcomes);
    });
    return batch;
  }

  /** Splits lanes off that are too many to stay together; returns null where they are not. */
  halve(): Batch | null {
    const { lanes } = this.group;
    if (!this.group.isTooLarge(this.#growth)) return null;
    return new Batch(this.#context, this.group.split(lanes.slice(lanes.length >> 1)), this);
  }

  /** Executes one instruction, or its operations up to one for which there are too many lanes; returns the lanes that continue elsewhere, as batches of their own. */
  step(): Batch[] {
    const { program } = this.#context;
    try {
      return this.#execute(program.instructions.at(this.instruction)!);
    } catch (error) {
      throw locatedError(error, this, program);
    }
  }

  #execute(instruction: Instruction): Batch[] {
    const { program, interpreter, meter } = this.#context;
    meter.spend(this.group.lanes.length);
    if (instruction.kind === "operations") {
      meter.spend(1);
      if (runOperations(this, program, instruction.start, instruction.end) < 0) this.instruction++;
      return [];
    }
    if (instruction.kind === "jump") {
      meter.spend(1);
      this.instruction = instruction.target;
      return [];
    }
    const effects = interpreter.effects(this.group.lanes, this);
    const [own, ...rest] = Map.groupBy(effects, effect => this.#wayOf(effect)).values();
    const others = rest.map(some => {
      const { instruction } = some[0]!;
      const group = this.group.split(lanesOf(some));
      const batch = new Batch(this.#context, group, { instruction, operation: -1 });
      batch.#perform(some);
      return batch;
    });
    this.#perform(own!);
    this.instruction = own![0]!.instruction;
    this.operation = -1;
    return others;
  }

  /** Returns what lanes that stay together have in common: where they continue, and in states that this makes larger, which qubits change. */
  #wayOf({ instruction, operations }: LaneEffect): number | string {
    const { group } = this;
    const isNarrow = (one: LaneOperation) =>
      one.gate !== null && !group.widens(one.gate, one.params, 0, one.qubits, 0);
    if (group.size <= SMALL || operations.every(isNarrow)) return instruction;
    return `${instruction} ${operations.map(operation => (operation.gate ? operation.qubits : operation.qubit)).join()}`;
  }

  /** Does the operations of effects, each of which is on some of the lanes: those with the same gates at once. */
  #perform(effects: readonly LaneEffect[]): void {
    const alike = alikeEffects(effects);
    for (const some of alike) {
      const lanes = alike.length === 1 ? this.group.lanes : lanesOf(some);
      const own = gateOfEach(some);
      if (own) this.group.applyEach(own.gate, own.qubits, own.each, lanes);
      else for (const operation of some[0]!.operations) this.#apply(operation, lanes);
    }
  }

  /** Takes the lanes of a batch at the same place, where this is worth it; returns whether it did. */
  join(other: Batch): boolean {
    return this.group.join(other.group);
  }

  apply(gate: Gate, params: ArrayLike<number>, at: number, qubits: ArrayLike<number>, first: number): number {
    this.#growth = 2 ** Math.max(0, gate.numQubits - USUAL_QUBITS);
    if (this.group.isTooLarge(this.#growth)) return qubits[first]!;
    this.#growth = 1;
    this.group.apply(gate, params, at, qubits, first, this.group.lanes);
    return -1;
  }

  measure(qubit: number, bit: number): void {
    this.#apply({ gate: null, qubit, bit }, this.group.lanes);
  }

  reset(qubit: number): void {
    this.#apply({ gate: null, qubit, bit: null }, this.group.lanes);
  }

  #apply(operation: LaneOperation, lanes: number[]): void {
    if (operation.gate) this.group.apply(operation.gate, operation.params, 0, operation.qubits, 0, lanes);
    else {
      const { qubit, bit } = operation;
      const outcomes = this.#decide(qubit, lanes);
      if (bit === null) this.group.clear(qubit, lanes, outcomes);
      else if (bit >= 0) this.#write(bit, lanes, outcomes);
    }
  }

  #write(bit: number, lanes: readonly number[], outcomes: ArrayLike<number>): void {
    const { bits, numBits } = this.#context.memory;
    for (let i = 0; i < lanes.length; i++) bits[lanes[i]! * numBits + bit] = outcomes[i]!;
  }

  /** Measures a qubit in some lanes, and returns what each has found; lanes are added where shots of one differ. */
  #decide(qubit: number, lanes: number[]): ArrayLike<number> {
    const { group } = this;
    const { memory, states, random, meter } = this.#context;
    meter.spend(lanes.length);
    const count = lanes.length;
    const outcomes = new Array<number>(count);
    if (group.isClassical(qubit)) {
      const values = group.valuesOf(qubit);
      for (let i = 0; i < count; i++) outcomes[i] = values[lanes[i]!]!;
      return outcomes;
    }
    const { draws } = memory;
    const probabilities = group.probabilitiesOfOne(qubit, lanes);
    const uniforms = states.uniforms(lanes, memory.firstShots, draws, DECISIONS);
    for (let i = 0; i < count; i++) {
      const one = probabilities[i]!;
      const lane = lanes[i]!;
      let outcome = one > 1 - CERTAIN ? 1 : 0;
      if (one >= CERTAIN && one <= 1 - CERTAIN) {
        const draw = draws[lane]!++;
        const shots = memory.severalShotsOf(lane);
        if (shots) {
          const [failed, passed] = partition(shots, shot => random.uniform(shot, draw, DECISIONS) < one);
          if (failed.length === 0) outcome = 1;
          else if (passed.length > 0) {
            const fork = memory.fork(lane, passed);
            memory.setShots(lane, failed);
            group.fork(lane, fork);
            if (lanes !== group.lanes) lanes.push(fork);
            probabilities.push(one);
          }
        } else outcome = uniforms[i]! < one ? 1 : 0;
      }
      outcomes[i] = outcome;
      probabilities[i] = outcome ? one : 1 - one;
    }
    while (outcomes.length < lanes.length) outcomes.push(1);
    group.project(qubit, lanes, outcomes, probabilities);
    return outcomes;
  }
}
