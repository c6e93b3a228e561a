import type { Gate } from "../circuit/gate.ts";
import type { Value } from "../circuit/memory.ts";
import type { ExecutionState, OperationState } from "../interpreter/execution-state.ts";
import type { LaneOperation } from "./lane-effects.ts";
import type { LaneMemory } from "./lane-memory.ts";

/** Executes instructions in the memory of one lane, and records what they read, write, and do to qubits. */
export class LaneRecorder implements ExecutionState {
  instruction = 0;
  operation = -1;
  slots: Value[] = [];
  reads = new Map<number, Value>();
  writes = new Map<number, Value>();
  operations: LaneOperation[] = [];
  /** Whether bits are still to be measured. */
  hasMeasured = false;
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
    this.hasMeasured = false;
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
      params: listFrom(params, at, gate.numParams),
      qubits: listFrom(qubits, first, gate.numQubits),
    });
    return -1;
  }

  measure(qubit: number, bit: number): void {
    this.hasMeasured = true;
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

/** Returns so many numbers of a list from a place on, or the list itself where these are all. */
function listFrom(numbers: ArrayLike<number>, from: number, count: number): readonly number[] {
  if (from === 0 && numbers.length === count && Array.isArray(numbers)) return numbers;
  const list = new Array<number>(count);
  for (let i = 0; i < count; i++) list[i] = numbers[from + i]!;
  return list;
}
