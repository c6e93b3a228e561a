import type { CircuitParts } from "../circuit/circuit.ts";
import { SimulationError } from "../errors.ts";
import type { Meter } from "../interpreter/execution-state.ts";
import { link } from "../interpreter/link.ts";
import { advance } from "../interpreter/run.ts";
import { ordered, type TraceBlock } from "./blocks.ts";
import { MEASURED, memoryUses, NOTHING_SUPPOSED, TraceState } from "./trace-state.ts";

const MAX_STEPS = 1_000_000;
const MAX_BLOCKS = 4096;
const MAX_SLOTS = 10_000;
/** Maximum number of values that are kept or touched, over all states: bits, slots, and lifetimes that are checked. */
const MAX_WORK = 20_000_000;

/**
 * Follows a program through all that is known before the run, so that loops, variables and computed operands are gone
 * and choices by measured bits alone are left. The first block is where it begins.
 * Throws a {@link SimulationError} where there are too many steps or choices.
 */
export function traceOf(parts: CircuitParts): TraceBlock[] {
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
    meter.work(state.bits.length + state.slots.length + lifetimes.length, 1);
    state.forget(uses);
    const isWide = state.slots.length > MAX_SLOTS;
    const key = state.key(!isWide);
    const found = known.get(key);
    if (found !== undefined) return found;
    if (blocks.length >= MAX_BLOCKS || (isWide && blocks.length > 0)) throw tooMany("choices");
    const block: TraceBlock = { steps: [], next: { kind: "end", set: new Map(), slots: [] } };
    known.set(key, blocks.push(block) - 1);
    open.push({ state, block });
    return blocks.length - 1;
  };

  const follow = (state: TraceState, block: TraceBlock): void => {
    state.steps = block.steps;
    for (;;) {
      if (++steps > MAX_STEPS) throw tooMany("steps");
      if (instructions.at(state.instruction)!.kind === "end") {
        const set = [...state.bits.entries()].filter(([, bit]) => bit < MEASURED);
        block.next = { kind: "end", set: new Map(set), slots: [...state.slots] };
        return;
      }
      const before = block.steps.length;
      const bit = advance(state, program, meter);
      if (bit >= 0) {
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

  enter(TraceState.begin(parts, meter));
  for (let next = open.pop(); next; next = open.pop()) follow(next.state, next.block);
  return ordered(blocks);
}

const tooMany = (what: string): SimulationError =>
  new SimulationError(`The program comes to too many ${what} to be written out one by one.`);
