import type { Gate } from "../circuit/gate.ts";
import type { Value } from "../circuit/memory.ts";
import type { ExecutionState, OperationState } from "../interpreter/execution-state.ts";
import type { LinkedProgram } from "../interpreter/instruction.ts";
import type { Meter } from "../interpreter/meter.ts";
import { advance } from "../interpreter/run.ts";
import type { LaneMemory } from "./lane-memory.ts";
import { Reading, readingsOf } from "./reading-tree.ts";

/** What an instruction does to a qubit; a measurement without a gate has a bit, or -1, and a reset null. */
export type LaneOperation =
  | { readonly gate: Gate; readonly params: readonly number[]; readonly qubits: readonly number[] }
  | { readonly gate: null; readonly qubit: number; readonly bit: number | null };

/** What an instruction does to lanes that have the same in what it reads: what it writes, where it leads, and its operations. */
export interface LaneEffect {
  readonly lanes: number[];
  /** Slots, and bits by their complements, and what they are set to. */
  readonly writes: readonly (readonly [location: number, value: Value])[];
  readonly instruction: number;
  readonly operations: readonly LaneOperation[];
}

/** What is known of the effects of an instruction: the only one, or what is read first. */
type Known = Reading<LaneEffect> | LaneEffect;

/** Amplitudes that are touched in the time of a read or write of classical memory. */
const AMPLITUDES_OF_ACCESS = 64;
/** The fewest lanes for which it is worth it to record what an instruction reads. */
const MIN_SHARED = 8;
/** Lanes after which it shows whether they have anything in common. */
const TRIAL = 64;
/** Operations of single lanes are counted where they are done, for all lanes together. */
const UNMETERED: Meter = { spend: () => {}, work: () => {} };

/**
 * Executes one instruction in the memory of each lane, and returns its effects. It is executed once for all lanes that
 * agree in what it reads: what it reads next depends on nothing but what it has read before.
 */
export function laneEffects(
  program: LinkedProgram,
  memory: LaneMemory,
  lanes: readonly number[],
  from: Pick<OperationState, "instruction" | "operation">,
  meter: Meter,
): LaneEffect[] {
  const effects: LaneEffect[] = [];
  let accesses = lanes.length;
  const recorder = new LaneRecorder(memory);
  let known: Known | undefined;
  let isShared = lanes.length >= MIN_SHARED;
  for (let i = 0; i < lanes.length; i++) {
    const lane = lanes[i]!;
    if (i === TRIAL && effects.length > TRIAL / 2) isShared = false;
    const found = isShared && known ? follow(known, memory, lane) : undefined;
    if (found) {
      found.lanes.push(lane);
      const { writes } = found;
      for (let w = 0; w < writes.length; w++) memory.write(lane, writes[w]![0], writes[w]![1]);
      accesses += writes.length;
      continue;
    }
    recorder.begin(lane, from, isShared);
    advance(recorder, program, UNMETERED);
    const effect: LaneEffect = {
      lanes: [lane],
      writes: [...recorder.writes],
      instruction: recorder.instruction,
      operations: recorder.operations,
    };
    effects.push(effect);
    if (isShared) {
      const reads = [...recorder.reads];
      if (known instanceof Reading) known.add(reads, 0, effect);
      else known = readingsOf(reads, 0, effect);
      accesses += recorder.reads.size + recorder.writes.size;
    }
  }
  meter.work(AMPLITUDES_OF_ACCESS * accesses, 1);
  return effects;
}

/** Returns the effect for what a lane has in its memory; undefined where it is not known. */
function follow(known: Known, memory: LaneMemory, lane: number): LaneEffect | undefined {
  let node: Known | undefined = known;
  while (node instanceof Reading) node = node.after(memory.read(lane, node.location));
  return node;
}

/** Executes instructions in the memory of one lane, and records what they read, write, and do to qubits. */
class LaneRecorder implements ExecutionState {
  instruction = 0;
  operation = -1;
  slots: Value[] = [];
  reads = new Map<number, Value>();
  writes = new Map<number, Value>();
  operations: LaneOperation[] = [];
  readonly #memory: LaneMemory;
  readonly #recorded: Value[];
  #lane = -1;
  #isRecording = true;

  constructor(memory: LaneMemory) {
    this.#memory = memory;
    const own = () => memory.slots[this.#lane]!;
    this.#recorded = new Proxy<Value[]>([], {
      get: (_, key) => {
        const slot = typeof key === "string" ? Number(key) : Number.NaN;
        if (Number.isNaN(slot)) return Reflect.get(own(), key);
        return this.#read(slot);
      },
      set: (_, key, value: Value) => {
        this.#write(Number(key), value);
        return true;
      },
      has: (_, key) => key in own(),
    });
  }

  /** Begins with the memory of a lane; what it does there is recorded where others may do the same. */
  begin(
    lane: number,
    { instruction, operation }: Pick<OperationState, "instruction" | "operation">,
    isRecording: boolean,
  ): void {
    this.instruction = instruction;
    this.operation = operation;
    this.slots = isRecording ? this.#recorded : this.#memory.slots[lane]!;
    this.operations = [];
    if (isRecording) {
      this.reads = new Map();
      this.writes = new Map();
    }
    this.#lane = lane;
    this.#isRecording = isRecording;
  }

  readBit(bit: number): number {
    return this.#read(~bit) as number;
  }

  writeBit(bit: number, value: number): void {
    this.#write(~bit, value);
  }

  apply(gate: Gate, params: ArrayLike<number>, at: number, qubits: ArrayLike<number>, first: number): number {
    this.operations.push({
      gate,
      params: Array.from({ length: gate.numParams }, (_, i) => params[at + i]!),
      qubits: Array.from({ length: gate.numQubits }, (_, i) => qubits[first + i]!),
    });
    return -1;
  }

  measure(qubit: number, bit: number): void {
    this.operations.push({ gate: null, qubit, bit });
  }

  reset(qubit: number): void {
    this.operations.push({ gate: null, qubit, bit: null });
  }

  #read(location: number): Value {
    const value = this.#memory.read(this.#lane, location);
    if (this.#isRecording && !this.writes.has(location)) this.reads.set(location, value);
    return value;
  }

  #write(location: number, value: Value): void {
    this.#memory.write(this.#lane, location, value);
    if (this.#isRecording) this.writes.set(location, value);
  }
}
