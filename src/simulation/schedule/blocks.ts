import type { Circuit, CircuitParts } from "../circuit/circuit.ts";
import { withTimingMarkers } from "../circuit/timing-markers.ts";
import { type TraceBlock, targetsOf } from "../specialize/blocks.ts";
import { traceOf } from "../specialize/trace.ts";
import { scheduleAlap, type TimedBlock } from "./alap.ts";
import type { DeviceFigures } from "./device-figures.ts";
import { gateFiguresOf } from "./gate-figures.ts";
import { operationsOf } from "./operation.ts";

/** A block of a scheduled program: what runs without a choice by measured bits, and what follows it. */
export interface ScheduledBlock extends TimedBlock {
  readonly next: TraceBlock["next"];
  /** Qubits that may not be in their initial state at its begin. */
  readonly started: ReadonlySet<number>;
  /** Qubits that may be used after its end. */
  readonly live: ReadonlySet<number>;
}

/**
 * Schedules a circuit block by block: loops, subroutines and computed operands are unrolled, and each choice by
 * measured bits begins a new block, before which all qubits wait for each other. Throws a SimulationError where there
 * are too many operations or choices.
 */
export function scheduledBlocks(circuit: Circuit, device: DeviceFigures): ScheduledBlock[] {
  const parts: CircuitParts = withTimingMarkers(circuit.parts);
  const figures = gateFiguresOf(device);
  const blocks = traceOf(parts).map(({ steps, next }) => {
    const timed = scheduleAlap(operationsOf(steps, parts, figures), device);
    return { ...timed, next, used: usedQubits(timed) };
  });
  const successors = blocks.map(targetsOf);
  const predecessors = blocks.map((): number[] => []);
  successors.forEach((targets, block) => {
    for (const to of targets) predecessors[to]!.push(block);
  });
  const used = blocks.map(block => block.used);
  const order = blocks.map((_, i) => i);
  const live = spread(order.toReversed(), successors, used);
  const started = spread(order, predecessors, used);
  return blocks.map(({ operations, duration, next }, i) => ({
    operations,
    duration,
    next,
    live: live[i]!,
    started: started[i]!,
  }));
}

const usedQubits = ({ operations }: TimedBlock): Set<number> =>
  new Set(
    operations.flatMap(({ operation }) =>
      operation.kind === "barrier" || operation.kind === "delay" ? [] : operation.qubits,
    ),
  );

/** Returns for each block the union of the sets of all blocks that it reaches along the edges. */
function spread(
  order: readonly number[],
  edges: readonly number[][],
  own: readonly ReadonlySet<number>[],
): Set<number>[] {
  const reached = own.map(() => new Set<number>());
  for (let isChanging = true; isChanging; ) {
    isChanging = false;
    for (const block of order) {
      const all = reached[block]!;
      const before = all.size;
      for (const to of edges[block]!)
        for (const set of [own[to]!, reached[to]!]) for (const qubit of set) all.add(qubit);
      isChanging ||= all.size > before;
    }
  }
  return reached;
}
