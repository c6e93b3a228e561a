import type { Gate } from "../circuit/gate.ts";
import type { OperationState } from "../interpreter/execution-state.ts";
import type { Instruction, LinkedProgram } from "../interpreter/instruction.ts";
import type { Meter } from "../interpreter/meter.ts";
import { locatedError, runOperations } from "../interpreter/run.ts";
import type { Philox } from "../sampling/philox.ts";
import { type Branch, CERTAIN, DECISIONS, partition } from "./branch.ts";
import { type LaneEffect, type LaneOperation, laneEffects } from "./lane-effects.ts";
import type { LaneMemory } from "./lane-memory.ts";
import type { LaneGroup, StateLanes } from "./state-lanes.ts";

/** Amplitudes of a state up to which lanes whose qubits change in different ways stay together. */
const SMALL = 16;

/** What the batches of a run share. */
export interface BatchContext {
  readonly program: LinkedProgram;
  readonly memory: LaneMemory;
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
  static of(branch: Branch, context: BatchContext, states: StateLanes): Batch | null {
    const { memory } = context;
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

  /** Executes one instruction; returns the lanes that continue elsewhere, as batches of their own. */
  step(): Batch[] {
    const { program } = this.#context;
    try {
      return this.#execute(program.instructions.at(this.instruction)!);
    } catch (error) {
      throw locatedError(error, this, program);
    }
  }

  #execute(instruction: Instruction): Batch[] {
    const { program, memory, meter } = this.#context;
    meter.spend(this.group.lanes.length);
    if (instruction.kind === "operations") {
      meter.spend(1);
      runOperations(this, program, instruction.start, instruction.end);
      this.instruction++;
      return [];
    }
    if (instruction.kind === "jump") {
      meter.spend(1);
      this.instruction = instruction.target;
      return [];
    }
    const effects = laneEffects(program, memory, this.group.lanes, this, meter);
    const [own, ...rest] = Map.groupBy(effects, effect => this.#wayOf(effect)).values();
    const others = rest.map(some => {
      const { instruction } = some[0]!;
      const lanes = some.flatMap(effect => effect.lanes);
      const batch = new Batch(this.#context, this.group.split(lanes), { instruction, operation: -1 });
      batch.#perform(some);
      return batch;
    });
    this.#perform(own!);
    this.instruction = own![0]!.instruction;
    this.operation = -1;
    return others;
  }

  /** Returns what lanes that stay together have in common: where they continue, and in large states, which qubits change. */
  #wayOf({ instruction, operations }: LaneEffect): number | string {
    if (operations.length === 0 || this.group.size <= SMALL) return instruction;
    return `${instruction} ${operations.map(operation => (operation.gate ? operation.qubits : operation.qubit)).join()}`;
  }

  /** Does the operations of effects, each of which is on some of the lanes: those that are the same at once. */
  #perform(effects: readonly LaneEffect[]): void {
    const gates: Gate[] = [];
    const alike = Map.groupBy(effects, ({ operations }) =>
      operations.map(one => keyOf(one, gates)).join(";"),
    );
    for (const some of alike.values()) {
      const lanes = alike.size === 1 ? this.group.lanes : some.flatMap(effect => effect.lanes);
      for (const operation of some[0]!.operations) this.#apply(operation, lanes);
    }
  }

  /** Takes the lanes of a batch at the same place, where this is worth it; returns whether it did. */
  join(other: Batch): boolean {
    return this.group.join(other.group);
  }

  apply(gate: Gate, params: ArrayLike<number>, at: number, qubits: ArrayLike<number>, first: number): number {
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
    const { memory, random, meter } = this.#context;
    meter.spend(lanes.length);
    if (group.isClassical(qubit)) {
      const values = group.valuesOf(qubit);
      return lanes.map(lane => values[lane]!);
    }
    const probabilities = group.probabilitiesOfOne(qubit, lanes);
    const outcomes: number[] = [];
    const count = lanes.length;
    for (let i = 0; i < count; i++) {
      const one = probabilities[i]!;
      const lane = lanes[i]!;
      const shots = memory.shots[lane]!;
      let outcome = one > 1 - CERTAIN ? 1 : 0;
      if (one >= CERTAIN && one <= 1 - CERTAIN) {
        const draw = memory.draws[lane]!++;
        const isOne = (shot: number) => random.uniform(shot, draw, DECISIONS) < one;
        const [failed, passed] = shots.length === 1 ? [] : partition(shots, isOne);
        if (!failed || !passed) outcome = isOne(shots[0]!) ? 1 : 0;
        else if (failed.length === 0) outcome = 1;
        else if (passed.length > 0) {
          const fork = memory.fork(lane, passed);
          memory.shots[lane] = failed;
          group.fork(lane, fork);
          if (lanes !== group.lanes) lanes.push(fork);
          probabilities.push(one);
        }
      }
      outcomes.push(outcome);
      probabilities[i] = outcome ? one : 1 - one;
    }
    while (outcomes.length < lanes.length) outcomes.push(1);
    group.project(qubit, lanes, outcomes, probabilities);
    return outcomes;
  }
}

/** Returns a string that tells operations of one instruction apart; `gates` are those met so far. */
function keyOf(operation: LaneOperation, gates: Gate[]): string {
  if (!operation.gate) return `${operation.qubit} ${operation.bit}`;
  const { gate, params, qubits } = operation;
  if (!gates.includes(gate)) gates.push(gate);
  return `${gates.indexOf(gate)} ${qubits} ${params}`;
}
