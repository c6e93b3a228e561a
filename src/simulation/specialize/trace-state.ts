import type { CircuitParts } from "../circuit/circuit.ts";
import type { Gate } from "../circuit/gate.ts";
import { DeferredMeasurement, type Value } from "../circuit/memory.ts";
import { NO_BIT, OPERATION } from "../circuit/operations.ts";
import type { MemoryRange } from "../circuit/statement.ts";
import type { ExecutionState, Meter } from "../interpreter/execution-state.ts";
import type { Lifetime } from "../interpreter/instruction.ts";
import type { TraceStep } from "./blocks.ts";

/** What a bit is that the program has not set to 0 or 1 itself. */
export const MEASURED = 2;
const UNTOUCHED = 3;

const UNDECIDED = new DeferredMeasurement();

/** No bit is supposed to have a value. */
export const NOTHING_SUPPOSED: ReadonlyMap<number, number> = new Map();

/** The execution of a program without a quantum state: it records what is done to one, and stops where a measured bit is read. */
export class TraceState implements ExecutionState {
  instruction = 0;
  operation = -1;
  steps: TraceStep[] = [];
  /** Measured bits whose value is supposed while one instruction is done. */
  supposed: ReadonlyMap<number, number> = NOTHING_SUPPOSED;
  readonly slots: Value[];
  /** Of each bit 0 or 1, where the program has set it so, or else {@link MEASURED} or untouched. */
  readonly bits: Uint8Array;
  readonly #operations: CircuitParts["operations"];
  readonly #meter: Meter;

  private constructor(
    operations: CircuitParts["operations"],
    slots: Value[],
    bits: Uint8Array,
    meter: Meter,
  ) {
    this.#operations = operations;
    this.slots = slots;
    this.bits = bits;
    this.#meter = meter;
  }

  /** Makes the state in which a program begins. */
  static begin({ operations, numSlots, numBits }: CircuitParts, meter: Meter): TraceState {
    const slots = new Array<Value>(numSlots).fill(0n);
    return new TraceState(operations, slots, new Uint8Array(numBits).fill(UNTOUCHED), meter);
  }

  /** Returns an independent copy. */
  copy(): TraceState {
    const copy = new TraceState(this.#operations, [...this.slots], this.bits.slice(), this.#meter);
    copy.instruction = this.instruction;
    copy.operation = this.operation;
    copy.supposed = this.supposed;
    return copy;
  }

  /** Returns a copy in which a measured bit is supposed to have a value. */
  supposing(bit: number, value: number): TraceState {
    const copy = this.copy();
    copy.supposed = new Map([...this.supposed, [bit, value]]);
    return copy;
  }

  /** Clears what is not in use where the state is; `uses` have the larger memory first. */
  forget(uses: readonly MemoryUse[]): void {
    const [idleSlots, idleBits] = [this.slots, this.bits].map(({ length }) => new Uint8Array(length));
    for (const { lifetimes, slots, bits } of uses) {
      const isUsed = lifetimes.some(({ start, end }) => this.instruction >= start && this.instruction < end);
      idleSlots!.fill(isUsed ? 0 : 1, ...slots);
      idleBits!.fill(isUsed ? 0 : 1, ...bits);
    }
    idleSlots!.forEach((isIdle, slot) => {
      if (isIdle) this.slots[slot] = 0n;
    });
    idleBits!.forEach((isIdle, bit) => {
      if (isIdle) this.bits[bit] = UNTOUCHED;
    });
  }

  /** Returns a string that is the same for equal states. */
  key(withSlots: boolean): string {
    const text = JSON.stringify([withSlots ? this.slots : [], [...this.supposed]], (_, value) =>
      typeof value === "bigint" ? `${value}n` : value,
    );
    return `${this.instruction} ${this.operation} ${this.bits.join("")} ${text}`;
  }

  readBit(bit: number): number {
    this.#meter.work(1, 1);
    const kept = this.bits[bit]!;
    if (kept < MEASURED) return kept;
    const value = kept === UNTOUCHED ? 0 : this.supposed.get(bit);
    if (value !== undefined) return value;
    UNDECIDED.qubit = bit;
    throw UNDECIDED;
  }

  writeBit(bit: number, value: number): void {
    this.bits[bit] = value;
    this.steps.push({ kind: "set", bit, value });
  }

  range(start: number, end: number): void {
    this.steps.push({ kind: "operations", start, end });
    const { kinds, operands, operandStarts } = this.#operations;
    for (let i = start; i < end; i++) {
      const bit = kinds[i] === OPERATION.measure ? operands[operandStarts[i]! + 1]! : NO_BIT;
      if (bit !== NO_BIT) this.bits[bit] = MEASURED;
    }
  }

  apply(gate: Gate, params: ArrayLike<number>, _at: number, qubits: ArrayLike<number>): number {
    this.steps.push({ kind: "gate", gate, params: Array.from(params), qubits: Array.from(qubits) });
    return -1;
  }

  measure(qubit: number, bit: number): void {
    this.steps.push({ kind: "measure", qubit, bit: bit < 0 ? null : bit });
    if (bit >= 0) this.bits[bit] = MEASURED;
  }

  reset(qubit: number): void {
    this.steps.push({ kind: "reset", qubit });
  }
}

/** Slots and bits with all their lifetimes. */
interface MemoryUse extends MemoryRange {
  readonly lifetimes: Lifetime[];
}

/** Groups lifetimes by their memory, the larger before what is part of it. */
export function memoryUses(lifetimes: readonly Lifetime[]): MemoryUse[] {
  const uses = new Map<string, MemoryUse>();
  for (const lifetime of lifetimes) {
    const { slots, bits } = lifetime.memory;
    const key = `${slots} ${bits}`;
    const use = uses.get(key);
    if (use) use.lifetimes.push(lifetime);
    else uses.set(key, { slots, bits, lifetimes: [lifetime] });
  }
  return [...uses.values()].sort((a, b) => sizeOf(b) - sizeOf(a));
}

const sizeOf = ({ slots, bits }: MemoryRange): number => slots[1] - slots[0] + bits[1] - bits[0];
