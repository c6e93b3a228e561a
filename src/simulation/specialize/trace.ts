import { attempted } from "../../host/attempted.ts";
import type { CircuitParts } from "../circuit/circuit.ts";
import { evaluate, indicesOf } from "../circuit/evaluate.ts";
import { constant, type Expression, isList, type OperandIndices } from "../circuit/expression.ts";
import { DeferredMeasurement, type Memory } from "../circuit/memory.ts";
import { NOWHERE } from "../circuit/operations.ts";
import type { SourceRange } from "../circuit/statement.ts";
import { SimulationError } from "../errors.ts";
import type { Meter } from "../interpreter/execution-state.ts";
import { type Instruction, link } from "../interpreter/link.ts";
import { advance, calledGate, callsOf, offsetOf } from "../interpreter/run.ts";
import { ordered, type TraceBlock, type TraceStep } from "./blocks.ts";
import { ALL_FOLLOWED, type DynamicMemory } from "./measurement-flow.ts";
import { MEASURED, memoryUses, NOTHING_SUPPOSED, TraceState } from "./trace-state.ts";

const MAX_STEPS = 1_000_000;
/** Maximum number of blocks, and of those where variables are left to the run, so they only grow with the program. */
const MAX_BLOCKS = 4096;
const MAX_DYNAMIC_BLOCKS = 65_536;
const MAX_SLOTS = 10_000;
/** Maximum number of values that are kept or touched, over all states: bits, slots, and lifetimes that are checked. */
const MAX_WORK = 20_000_000;

/**
 * Follows a program through all that is known before the run, so loops, variables and computed operands are gone
 * and only choices by measured bits are left. The first block is where it begins. What is done to memory that is left to
 * the run becomes steps, and conditions that read it, or measured bits, become choices themselves.
 * Throws a {@link SimulationError} where there are too many steps or choices.
 */
export function traceOf(parts: CircuitParts, dynamic: DynamicMemory = ALL_FOLLOWED): TraceBlock[] {
  const program = link(parts);
  const { instructions, lifetimes } = program;
  const uses = memoryUses(lifetimes);
  const blocks: TraceBlock[] = [];
  const known = new Map<string, number>();
  const open: { state: TraceState; block: TraceBlock }[] = [];
  const targets = new Set<number>();
  for (let i = 0; i < instructions.length; i++) {
    const instruction = instructions.at(i)!;
    if ("target" in instruction) targets.add(instruction.target);
  }
  const leaves = dynamic !== ALL_FOLLOWED;
  const maxBlocks = leaves ? MAX_DYNAMIC_BLOCKS : MAX_BLOCKS;
  let steps = 0;
  let work = 0;
  const meter: Meter = {
    spend: () => {},
    work: numbers => {
      work += numbers;
      if (work > MAX_WORK) throw tooMany("steps");
    },
  };

  const enter = (state: TraceState): number => {
    meter.work(state.bits.length + state.values.length + lifetimes.length, 1);
    state.forget(uses);
    const isWide = state.values.length > MAX_SLOTS;
    const key = state.key(!isWide);
    const found = known.get(key);
    if (found !== undefined) return found;
    if (blocks.length >= maxBlocks || (isWide && blocks.length > 0)) throw tooMany("choices");
    const block: TraceBlock = { steps: [], next: { kind: "end", set: new Map(), slots: [] } };
    known.set(key, blocks.push(block) - 1);
    open.push({ state, block });
    return blocks.length - 1;
  };

  const follow = (state: TraceState, block: TraceBlock): void => {
    state.steps = block.steps;
    const first = state.instruction;
    for (;;) {
      if (++steps > MAX_STEPS) throw tooMany("steps");
      const instruction = instructions.at(state.instruction)!;
      if (instruction.kind === "end") {
        const set = [...state.bits.entries()].filter(([, bit]) => bit < MEASURED);
        block.next = { kind: "end", set: new Map(set), slots: [...state.values] };
        return;
      }
      const before = block.steps.length;
      state.place = [offsetOf(state, program), NOWHERE];
      const isLeft = writes(instruction, dynamic, state);
      const bit = isLeft ? 0 : advance(state, program, meter);
      if (bit >= 0 && leaves) {
        if (leaveToRun(state, block, instruction, first)) return;
      } else if (bit >= 0) {
        const suppose = (value: number) => enter(state.supposing(bit, value));
        block.next = { kind: "fork", bit, one: suppose(1), zero: suppose(0) };
        return;
      }
      steps += block.steps.length - before;
      state.supposed = NOTHING_SUPPOSED;
      if (blocks.length === 1 || !targets.has(state.instruction)) continue;
      block.next = { kind: "jump", to: enter(state.copy()) };
      return;
    }
  };

  /** Leaves an instruction to the run, and returns whether the block ends with it; `first` is the one it begins with. */
  const leaveToRun = (
    state: TraceState,
    block: TraceBlock,
    instruction: Instruction,
    first: number,
  ): boolean => {
    if (instruction.kind !== "jumpIfFalse" || !instruction.expression) {
      for (const step of dynamicSteps(parts, instruction, state, state.place)) block.steps.push(step);
      if (instruction.kind === "store")
        for (const bit of indicesOf(instruction.bits, state)) state.bits[bit] = MEASURED;
      state.instruction++;
      return false;
    }
    const isHead = targets.has(state.instruction);
    if (isHead && (state.instruction !== first || block.steps.length > 0)) {
      block.next = { kind: "jump", to: enter(state.copy()) };
      return true;
    }
    const condition = withKnown(instruction.expression, state);
    const [zero, one] = [instruction.target, state.instruction + 1].map(target => {
      const branch = state.copy();
      branch.instruction = target;
      return enter(branch);
    }) as [number, number];
    block.next = { kind: "fork", bit: -1, condition, one, zero };
    return true;
  };

  enter(TraceState.begin(parts, meter, dynamic));
  for (let next = open.pop(); next; next = open.pop()) follow(next.state, next.block);
  return ordered(blocks);
}

/** Whether an instruction sets slots that are left to the run. */
function writes(instruction: Instruction, { slots }: DynamicMemory, state: TraceState): boolean {
  if (slots.size === 0) return false;
  if (instruction.kind === "assign" || instruction.kind === "resolve") return slots.has(instruction.slot);
  if (instruction.kind === "set") return instruction.slots.some(slot => slots.has(slot));
  if (instruction.kind !== "fill") return false;
  try {
    return indicesOf(instruction.slots, state).some(slot => slots.has(slot));
  } catch (error) {
    if (error instanceof DeferredMeasurement) return true;
    throw error;
  }
}

const tooMany = (what: string): SimulationError =>
  new SimulationError(`The program comes to too many ${what} to be written out one by one.`);

/** Thrown where a value that is left to the run decides which qubit or gate is meant. */
export class UndecidedError extends SimulationError {
  override name = "UndecidedError";
}

/** Returns the steps of an instruction that is left to the run, with all that is known before computed. */
function dynamicSteps(
  parts: CircuitParts,
  instruction: Instruction,
  memory: Memory,
  range: SourceRange,
): readonly TraceStep[] {
  switch (instruction.kind) {
    case "assign":
    case "fill":
    case "store":
    case "duration":
      return [{ kind: "dynamic", statement: withKnown(instruction, memory), gate: null, range }];
    case "delay":
      return [];
    case "gate": {
      const params = instruction.params.map(param => withKnown(param, memory));
      try {
        const gate = calledGate(parts, instruction, memory);
        return callsOf(instruction, gate, memory).map(qubits => {
          const statement = { ...instruction, modifiers: [], params, qubits: qubits.map(qubit => [qubit]) };
          return { kind: "dynamic", statement, gate, range };
        });
      } catch {
        break;
      }
    }
  }
  throw new UndecidedError("A measurement decides which qubit, bit or gate is meant.");
}

/** Returns plain data in which the expressions that are known before the run are constants. */
function withKnown<T>(node: T, memory: Memory): T {
  if (typeof node !== "object" || node === null || ArrayBuffer.isView(node) || node instanceof Map)
    return node;
  if (Array.isArray(node))
    return (typeof node[0] === "object" ? node.map(inner => withKnown(inner, memory)) : node) as T;
  const { kind, type } = node as { kind?: string; type?: Expression["type"] };
  if (type !== undefined && kind !== "constant") {
    const value = attempted(() => evaluate(node as unknown as Expression, memory));
    if (value !== undefined) return constant(type, value) as T;
  }
  return Object.fromEntries(
    Object.entries(node).map(([key, inner]) => {
      if (key === "type" || key === "range") return [key, inner];
      if (!INDICES.includes(key) || isList(inner) || "type" in inner) return [key, withKnown(inner, memory)];
      const list = attempted(() => indicesOf(inner as OperandIndices, memory));
      return [key, list ?? withKnown(inner, memory)];
    }),
  ) as T;
}

/** Members of statements and expressions that are operands. */
const INDICES = ["bits", "slots", "positions"];
