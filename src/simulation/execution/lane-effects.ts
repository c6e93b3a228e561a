import type { Gate } from "../circuit/gate.ts";
import type { Value } from "../circuit/memory.ts";
import { OPERATION } from "../circuit/operations.ts";
import type { OperationState } from "../interpreter/execution-state.ts";
import type { Instruction, LinkedProgram } from "../interpreter/instruction.ts";
import type { Meter } from "../interpreter/meter.ts";
import { advance } from "../interpreter/run.ts";
import type { LaneMemory } from "./lane-memory.ts";
import { LaneRecorder } from "./lane-recorder.ts";
import { Reading, readingsOf } from "./reading-tree.ts";

/** What an instruction does to a qubit; a measurement without a gate has a bit, or -1, and a reset null. */
export type LaneOperation =
  | { readonly gate: Gate; readonly params: readonly number[]; readonly qubits: readonly number[] }
  | { readonly gate: null; readonly qubit: number; readonly bit: number | null };

/** What instructions do to lanes that have the same in what they read: what they write, where they lead, and their operations. */
export interface LaneEffect {
  readonly lanes: number[];
  /** Slots, and bits by their complements, and what they are set to. */
  readonly writes: readonly (readonly [location: number, value: Value])[];
  readonly instruction: number;
  readonly operations: readonly LaneOperation[];
}

/** What is known of the effects of instructions: the only one, or what is read first. */
type Known = Reading<LaneEffect> | LaneEffect;

/** Amplitudes that are touched in the time of a read or write of classical memory. */
const AMPLITUDES_OF_ACCESS = 64;
/** The fewest lanes for which it is worth it to record what instructions read. */
const MIN_SHARED = 8;
/** Lanes after which it shows whether they have anything in common. */
const TRIAL = 64;
/** Maximum number of instructions that are executed together. */
const MAX_TOGETHER = 16;
/** Gates of a choice that are applied to some of the lanes while the others wait. */
const FEW_GATES = 4;
/** Operations of single lanes are counted where they are done, for all lanes together. */
const UNMETERED: Meter = { spend: () => {}, work: () => {} };

/** Executes the instructions of a program that are not the same for all lanes, from one that acts on qubits to the next. */
export class LaneInterpreter {
  readonly #program: LinkedProgram;
  readonly #memory: LaneMemory;
  readonly #meter: Meter;
  readonly #recorder: LaneRecorder;
  /** Instructions that are executed together: fewer where lanes differ too much in what many of them read. */
  #together = MAX_TOGETHER;

  constructor(program: LinkedProgram, memory: LaneMemory, meter: Meter) {
    this.#program = program;
    this.#memory = memory;
    this.#meter = meter;
    this.#recorder = new LaneRecorder(memory);
  }

  /**
   * Executes one instruction or several in the memory of each lane, and returns their effects. They are executed once for
   * all lanes that agree in what they read: what is read next depends on nothing but what was read before.
   */
  effects(lanes: readonly number[], from: Pick<OperationState, "instruction" | "operation">): LaneEffect[] {
    const [memory, recorder] = [this.#memory, this.#recorder];
    const end = this.#endOf(from.instruction);
    const effects: LaneEffect[] = [];
    let accesses = lanes.length;
    let known: Known | undefined;
    let isShared = lanes.length >= MIN_SHARED;
    for (let i = 0; i < lanes.length; i++) {
      const lane = lanes[i]!;
      if (i === TRIAL) {
        isShared = effects.length <= TRIAL / 2;
        this.#together = isShared ? MAX_TOGETHER : Math.max(1, this.#together >> 1);
      }
      const found = isShared && known ? follow(known, memory, lane) : undefined;
      if (found) {
        found.lanes.push(lane);
        const { writes } = found;
        for (let w = 0; w < writes.length; w++) memory.write(lane, writes[w]![0], writes[w]![1]);
        accesses += writes.length;
        continue;
      }
      recorder.begin(lane, from, isShared);
      this.#execute(end);
      const { instruction, operations } = recorder;
      const last = effects.at(-1);
      if (!isShared && last?.instruction === instruction && !operations.length && !last.operations.length) {
        last.lanes.push(lane);
        continue;
      }
      const writes = isShared ? [...recorder.writes] : [];
      const effect: LaneEffect = { lanes: [lane], writes, instruction, operations };
      effects.push(effect);
      if (!isShared) continue;
      const reads = [...recorder.reads];
      if (known instanceof Reading) known.add(reads, 0, effect);
      else known = readingsOf(reads, 0, effect);
      accesses += reads.length + writes.length;
    }
    this.#meter.work(AMPLITUDES_OF_ACCESS * accesses, 1);
    return effects;
  }

  /**
   * Returns where the instructions end that are executed together: after the first that may act on qubits, or after
   * a choice between few gates.
   */
  #endOf(start: number): number {
    const { instructions } = this.#program;
    let reach = start;
    let hasChoice = false;
    let end = start;
    for (; end < start + this.#together && !(hasChoice && end >= reach); end++) {
      const next = instructions.at(end)!;
      if (next.kind === "end") break;
      if (next.kind === "jump" || next.kind === "jumpIfFalse") reach = Math.max(reach, next.target);
      else if (next.kind === "operations") {
        if (end >= reach || !this.#hasFewGates(next)) break;
        hasChoice = true;
      } else if (isQuantum(next)) {
        if (end >= reach) return end + 1;
        hasChoice = true;
      }
    }
    return Math.max(end, start + 1);
  }

  #hasFewGates({ start, end }: Instruction & { kind: "operations" }): boolean {
    const { kinds } = this.#program.parts.operations;
    for (let i = start; i < end; i++) if (kinds[i] !== OPERATION.gate) return false;
    return end - start <= FEW_GATES;
  }

  /** Executes instructions before `end` one after the other, of a loop one round, and none after a measurement. */
  #execute(end: number): void {
    const recorder = this.#recorder;
    let before: number;
    do {
      before = recorder.instruction;
      advance(recorder, this.#program, UNMETERED);
    } while (recorder.instruction > before && recorder.instruction < end && !recorder.hasMeasured);
  }
}

const isQuantum = ({ kind }: Instruction): boolean =>
  kind === "gate" || kind === "measure" || kind === "reset";

/** Returns the effect for what a lane has in its memory; undefined where it is not known. */
function follow(known: Known, memory: LaneMemory, lane: number): LaneEffect | undefined {
  let node: Known | undefined = known;
  while (node instanceof Reading) node = node.after(memory.read(lane, node.location));
  return node;
}
