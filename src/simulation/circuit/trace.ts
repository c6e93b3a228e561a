import { SimulationError } from "../errors.ts";
import type { CircuitParts, Instruction, Lifetime } from "./circuit.ts";
import type { Gate } from "./gate.ts";
import { bitsOfWord, type Memory, type Value } from "./memory.ts";
import { NO_BIT, OPERATION } from "./operations.ts";
import { ordered } from "./trace-order.ts";

/** What a program does on its way: a range of its operations, or one whose operands were computed. */
export type TraceStep =
  | { readonly kind: "operations"; readonly start: number; readonly end: number }
  | {
      readonly kind: "gate";
      readonly gate: Gate;
      readonly params: readonly number[];
      readonly qubits: readonly number[];
    }
  | { readonly kind: "measure"; readonly qubit: number; readonly bit: number | null }
  | { readonly kind: "reset"; readonly qubit: number }
  | { readonly kind: "set"; readonly bit: number; readonly value: number };

/** Steps without a choice between them, and what follows: the end, another block, or one of two by a measured bit. */
export interface TraceBlock {
  readonly steps: TraceStep[];
  next: /** `set` holds the bits that the program itself has set last, not a measurement, and their values. */
    | { readonly kind: "end"; readonly set: ReadonlyMap<number, number> }
    | { readonly kind: "jump"; readonly to: number }
    | { readonly kind: "fork"; readonly bit: number; readonly one: number; readonly zero: number };
}

interface State {
  at: number;
  slots: Value[];
  /** Of each bit 0 or 1, where the program has set it so, or else MEASURED or UNTOUCHED. */
  bits: Uint8Array;
  /** Measured bits whose value is supposed while one instruction is carried out. */
  supposed: ReadonlyMap<number, number>;
}

const MEASURED = 2;
const UNTOUCHED = 3;
const MOST_STEPS = 1_000_000;
const MOST_BLOCKS = 4096;
const MOST_SLOTS = 10_000;
/** Most numbers that are kept or touched, over all states: bits, slots, and what is looked at to forget them. */
const MAX_WORK = 20_000_000;

/** Thrown by a read of a bit that is known to nobody before the run. */
class Choice {
  readonly bit: number;
  constructor(bit: number) {
    this.bit = bit;
  }
}

/**
 * Follows a program through all that is known before the run, so that loops, variables and computed operands are gone
 * and choices by measured bits alone are left. The first block is where it begins.
 * Throws a {@link SimulationError} where there are too many steps or choices.
 */
export function traceOf(parts: CircuitParts): TraceBlock[] {
  const blocks: TraceBlock[] = [];
  const known = new Map<string, number>();
  const open: { state: State; block: TraceBlock }[] = [];
  const targets = new Set(
    parts.instructions.flatMap(instruction => ("target" in instruction ? [instruction.target] : [])),
  );
  let steps = 0;
  const meter = { work: 0 };
  const spend = (work: number): void => {
    meter.work += work;
    if (meter.work > MAX_WORK) throw tooMany("steps");
  };

  const enter = (state: State): number => {
    spend(state.bits.length + state.slots.length + parts.lifetimes.length);
    forget(state, parts.lifetimes);
    const key = keyOf(state);
    const found = known.get(key);
    if (found !== undefined) return found;
    const isWide = state.slots.length > MOST_SLOTS && blocks.length > 0;
    if (blocks.length >= MOST_BLOCKS || isWide) throw tooMany("choices");
    const block: TraceBlock = { steps: [], next: { kind: "end", set: new Map() } };
    known.set(key, blocks.push(block) - 1);
    open.push({ state, block });
    return blocks.length - 1;
  };

  const follow = (state: State, block: TraceBlock): void => {
    for (;;) {
      const instruction = parts.instructions[state.at]!;
      if (++steps > MOST_STEPS) throw tooMany("steps");
      const before = block.steps.length;
      if (instruction.kind === "end") {
        block.next = {
          kind: "end",
          set: new Map([...state.bits.entries()].filter(([, bit]) => bit < MEASURED)),
        };
        return;
      }
      try {
        carryOut(instruction, state, parts, block.steps, meter);
        steps += block.steps.length - before;
        spend(0);
      } catch (error) {
        if (!(error instanceof Choice)) throw error;
        const { bit } = error;
        const suppose = (value: number) =>
          enter({ ...copyOf(state), supposed: new Map([...state.supposed, [bit, value]]) });
        block.next = { kind: "fork", bit, one: suppose(1), zero: suppose(0) };
        return;
      }
      state.supposed = NOTHING;
      if (blocks.length === 1 || !targets.has(state.at)) continue;
      block.next = { kind: "jump", to: enter(copyOf(state)) };
      return;
    }
  };

  const slots = new Array<Value>(parts.numSlots).fill(0n);
  enter({ at: 0, slots, bits: new Uint8Array(parts.numBits).fill(UNTOUCHED), supposed: NOTHING });
  for (let next = open.pop(); next; next = open.pop()) follow(next.state, next.block);
  return ordered(blocks);
}

/** Clears what is not in use where a state is. */
function forget({ at, slots, bits }: State, lifetimes: readonly Lifetime[]): void {
  for (const lifetime of lifetimes) {
    if (at >= lifetime.instructions[0] && at < lifetime.instructions[1]) continue;
    slots.fill(0n, ...lifetime.slots);
    bits.fill(UNTOUCHED, ...lifetime.bits);
  }
}

const NOTHING: ReadonlyMap<number, number> = new Map();
const copyOf = (state: State): State => ({ ...state, slots: [...state.slots], bits: state.bits.slice() });

const tooMany = (what: string): SimulationError =>
  new SimulationError(`The program comes to too many ${what} to be written out one by one.`);

function keyOf({ at, slots, bits, supposed }: State): string {
  const values = slots.length > MOST_SLOTS ? [] : slots;
  const text = JSON.stringify([values, [...supposed]], (_, value) =>
    typeof value === "bigint" ? `${value}n` : value,
  );
  return `${at} ${bits.join("")} ${text}`;
}

function carryOut(
  instruction: Instruction,
  state: State,
  parts: CircuitParts,
  steps: TraceStep[],
  meter: { work: number },
): void {
  const memory: Memory = {
    slots: state.slots,
    readBit: bit => {
      meter.work++;
      const kept = state.bits[bit]!;
      if (kept < MEASURED) return kept;
      const value = kept === UNTOUCHED ? 0 : state.supposed.get(bit);
      if (value === undefined) throw new Choice(bit);
      return value;
    },
    writeBit: (bit, value) => {
      state.bits[bit] = value;
      steps.push({ kind: "set", bit, value });
    },
  };
  const measure = (qubit: number, bit: number | null) => {
    steps.push({ kind: "measure", qubit, bit });
    if (bit !== null) state.bits[bit] = MEASURED;
  };
  switch (instruction.kind) {
    case "operations": {
      const { start, end } = instruction;
      steps.push({ kind: "operations", start, end });
      const { kinds, operands, operandStarts } = parts.operations;
      for (let i = start; i < end; i++) {
        const bit = kinds[i] === OPERATION.measure ? operands[operandStarts[i]! + 1]! : NO_BIT;
        if (bit !== NO_BIT) state.bits[bit] = MEASURED;
      }
      break;
    }
    case "gate":
      steps.push(...callsOf(instruction, memory));
      break;
    case "measure": {
      const bits = instruction.bits?.(memory);
      const qubits = instruction.qubits(memory);
      if (bits && bits.length !== qubits.length)
        throw new SimulationError(
          `${instruction.at}: ${qubits.length} qubits are measured into ${bits.length} bits; the numbers must be equal.`,
        );
      qubits.forEach((qubit, i) => {
        measure(qubit, bits ? bits[i]! : null);
      });
      break;
    }
    case "reset":
      for (const qubit of instruction.qubits(memory)) steps.push({ kind: "reset", qubit });
      break;
    case "assign":
      state.slots[instruction.slot] = instruction.value(memory);
      break;
    case "scatter": {
      const values = instruction.values(memory);
      instruction.slots(memory).forEach((slot, i) => {
        state.slots[slot] = values[i]!;
      });
      break;
    }
    case "store": {
      const value = instruction.value(memory);
      const bits = instruction.bits(memory);
      const values = bitsOfWord(value, bits.length);
      bits.forEach((bit, i) => {
        memory.writeBit(bit, values[i]!);
      });
      break;
    }
    case "unless":
      state.at = instruction.condition(memory) ? state.at + 1 : instruction.target;
      return;
    case "jump":
      state.at = instruction.target;
      return;
  }
  state.at++;
}

/** Gives the single gates that a call with computed operands comes to. */
function callsOf(instruction: Instruction & { kind: "gate" }, memory: Memory): TraceStep[] {
  const gate = instruction.gate(memory);
  const params = instruction.params.map(compute => compute(memory));
  const lists = instruction.qubits.map(places => places(memory));
  const count = lists.find(({ length }) => length !== 1)?.length ?? 1;
  return Array.from({ length: count }, (_, i) => {
    const qubits = lists.map(list => list[list.length === 1 ? 0 : i]);
    if (new Set(qubits).size < qubits.length || qubits.includes(undefined))
      throw new SimulationError(
        `${instruction.at}: ${gate.name} is applied to the same qubit twice, or to registers of several sizes.`,
      );
    return { kind: "gate", gate, params, qubits: qubits as number[] };
  });
}
