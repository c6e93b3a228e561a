import type { Circuit } from "../circuit/circuit.ts";
import { link } from "../interpreter/link.ts";
import { Batch, type BatchContext } from "./batch.ts";
import type { Branch } from "./branch.ts";
import { LaneInterpreter } from "./lane-effects.ts";
import { LaneMemory } from "./lane-memory.ts";
import type { BranchBatches } from "./scheduler.ts";
import type { SimulationRun } from "./simulator.ts";
import type { StartLanes } from "./state-lanes.ts";

/** Maximum number of shots, and so of lanes, that run side by side. */
const MAX_LANES = 2048;
/** Bytes that their memory may take up. */
const MAX_BYTES = 2 ** 25;
/** The number of batches at the same place with which one tries to join. */
const MAX_JOIN_ATTEMPTS = 64;
/** The fewest lanes that are worth it. */
const MIN_LANES = 256;
/** The part of all lanes that the shots of one branch may take up. */
const SHARE_OF_BRANCH = 1 / 8;
const BYTES_OF_SLOT = 8;

/** Returns what runs the branches of a program side by side that have few shots; null where they are too large for it. */
export function batchesOf(
  { parts }: Circuit,
  { random, meter, tally, maxBytes, onBranchEnd }: SimulationRun,
  startLanes: StartLanes,
): BranchBatches<Branch> | null {
  const { numBits, numSlots, numQubits } = parts;
  const bytes = numBits + numQubits + BYTES_OF_SLOT * numSlots;
  const capacity = Math.min(MAX_LANES, Math.floor(Math.min(MAX_BYTES, maxBytes) / bytes));
  if (capacity < MIN_LANES) return null;
  const program = link(parts);
  let open: { context: BatchContext; batches: Batch[]; shots: number } | null = null;
  const newContext = (): BatchContext => {
    const memory = new LaneMemory(numBits, capacity);
    const interpreter = new LaneInterpreter(program, memory, meter);
    return { program, memory, interpreter, states: startLanes(capacity), random, meter };
  };
  const release = () => {
    open?.context.states.release();
    open = null;
  };
  const finish = () => {
    if (!open) return;
    const { context, batches } = open;
    runBatches(batches, context, lane => {
      const { bits, slots } = context.memory;
      const shots = context.memory.shotsOf(lane);
      const words = [0, -1].map(word => new Uint32Array(Math.ceil(shots.length / 32)).fill(word));
      tally.addValues(shots, bit => words[bits[lane * numBits + bit]!]!, slots[lane]!);
      onBranchEnd();
    });
    release();
  };
  return {
    add(branch) {
      const shots = branch.shots!.length;
      if (shots > SHARE_OF_BRANCH * capacity) return false;
      if (open && open.shots + shots > capacity) finish();
      open ??= { context: newContext(), batches: [], shots: 0 };
      const batch = Batch.of(branch, open.context);
      if (!batch) return false;
      open.batches.push(batch);
      open.shots += shots;
      return true;
    },
    finish,
    [Symbol.dispose]: release,
  };
}

/**
 * Runs batches to their end, the one that is behind all others first, and joins those that meet. Lanes that are split off
 * as they are too many run after all others.
 */
function runBatches(begun: readonly Batch[], { program }: BatchContext, onEnd: (lane: number) => void): void {
  const waiting = begun.toSorted((a, b) => compare(b, a));
  const wait = (batch: Batch) => {
    let place = waiting.length;
    while (place > 0 && compare(waiting[place - 1]!, batch) < 0) place--;
    waiting.splice(place, 0, batch);
  };
  const later: Batch[] = [];
  for (let batch = waiting.pop(); batch; batch = waiting.pop() ?? later.pop()) {
    const last = Math.max(0, waiting.length - MAX_JOIN_ATTEMPTS);
    for (let i = waiting.length - 1; i >= last && compare(waiting[i]!, batch) === 0; i--)
      if (batch.join(waiting[i]!)) waiting.splice(i, 1);
    if (program.instructions.at(batch.instruction)!.kind === "end") {
      for (const lane of batch.group.lanes) onEnd(lane);
      batch.group.end();
      continue;
    }
    for (let half = batch.halve(); half; half = batch.halve()) later.push(half);
    for (const other of batch.step()) wait(other);
    wait(batch);
  }
}

const compare = (a: Batch, b: Batch): number => a.instruction - b.instruction || a.operation - b.operation;
