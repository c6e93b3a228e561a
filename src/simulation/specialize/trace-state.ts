import type { CircuitParts } from "../circuit/circuit.ts";
import type { Gate, Numbers } from "../circuit/gate.ts";
import { DeferredMeasurement, type Value } from "../circuit/memory.ts";
import { NO_BIT, NOWHERE, OPERATION } from "../circuit/operations.ts";
import type { MemoryRange, SourceRange } from "../circuit/statement.ts";
import type { ExecutionState, Meter } from "../interpreter/execution-state.ts";
import type { Lifetime } from "../interpreter/link.ts";
import type { TraceStep } from "./blocks.ts";
import type { DynamicMemory } from "./measurement-flow.ts";

/** Values of bits that hold a measurement, or nothing yet, instead of 0 or 1. */
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
  /** Place in the source of the current instruction. */
  place: SourceRange = [NOWHERE, NOWHERE];
  /** Measured bits whose value is supposed while one instruction is done. */
  supposed: ReadonlyMap<number, number> = NOTHING_SUPPOSED;
  readonly slots: Value[];
  /** The same without a guard: values of slots that are left to the run mean nothing. */
  readonly values: Value[];
  /** Of each bit 0 or 1, where the program has set it so, or else {@link MEASURED} or untouched. */
  readonly bits: Uint8Array;
  readonly dynamic: DynamicMemory;
  readonly #operations: CircuitParts["operations"];
  readonly #meter: Meter;

  private constructor(
    operations: CircuitParts["operations"],
    values: Value[],
    bits: Uint8Array,
    meter: Meter,
    dynamic: DynamicMemory,
  ) {
    this.#operations = operations;
    this.values = values;
    this.slots = dynamic.slots.size > 0 ? new Proxy(values, guardOf(dynamic)) : values;
    this.bits = bits;
    this.#meter = meter;
    this.dynamic = dynamic;
  }

  /** Makes the state in which a program begins. */
  static begin(
    { operations, numSlots, numBits }: CircuitParts,
    meter: Meter,
    dynamic: DynamicMemory,
  ): TraceState {
    const values = new Array<Value>(numSlots).fill(0n);
    const bits = new Uint8Array(numBits).fill(UNTOUCHED);
    for (const bit of dynamic.bits) bits[bit] = MEASURED;
    return new TraceState(operations, values, bits, meter, dynamic);
  }

  copy(): TraceState {
    const [values, bits] = [[...this.values], this.bits.slice()];
    const copy = new TraceState(this.#operations, values, bits, this.#meter, this.dynamic);
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
    const [idleSlots, idleBits] = [this.values, this.bits].map(({ length }) => new Uint8Array(length));
    for (const { lifetimes, slots, bits } of uses) {
      const isUsed = lifetimes.some(({ start, end }) => this.instruction >= start && this.instruction < end);
      idleSlots!.fill(isUsed ? 0 : 1, ...slots);
      idleBits!.fill(isUsed ? 0 : 1, ...bits);
    }
    idleSlots!.forEach((isIdle, slot) => {
      if (isIdle) this.values[slot] = 0n;
    });
    idleBits!.forEach((isIdle, bit) => {
      if (isIdle && !this.dynamic.bits.has(bit)) this.bits[bit] = UNTOUCHED;
    });
  }

  /** Returns a string that is the same for equal states. */
  key(withSlots: boolean): string {
    const text = JSON.stringify([withSlots ? this.values : [], [...this.supposed]], (_, value) =>
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
    this.bits[bit] = this.dynamic.bits.has(bit) ? MEASURED : value;
    this.steps.push({ kind: "set", bit, value, range: this.place });
  }

  range(start: number, end: number): void {
    this.steps.push({ kind: "operations", start, end });
    const { kinds, operands, operandStarts } = this.#operations;
    for (let i = start; i < end; i++) {
      const bit = kinds[i] === OPERATION.measure ? operands[operandStarts[i]! + 1]! : NO_BIT;
      if (bit !== NO_BIT) this.bits[bit] = MEASURED;
    }
  }

  apply(gate: Gate, params: Numbers, _at: number, qubits: Numbers): number {
    const { place: range } = this;
    this.steps.push({ kind: "gate", gate, params: Array.from(params), qubits: Array.from(qubits), range });
    return -1;
  }

  measure(qubit: number, bit: number): void {
    this.steps.push({ kind: "measure", qubit, bit: bit < 0 ? null : bit, range: this.place });
    if (bit >= 0) this.bits[bit] = MEASURED;
  }

  reset(qubit: number): void {
    this.steps.push({ kind: "reset", qubit, range: this.place });
  }
}

/** Lets reads of slots that are left to the run throw. */
const guardOf = ({ slots }: DynamicMemory): ProxyHandler<Value[]> => ({
  get(values, slot) {
    if (slots.has(Number(slot))) {
      UNDECIDED.qubit = 0;
      throw UNDECIDED;
    }
    return values[slot as unknown as number];
  },
});

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
