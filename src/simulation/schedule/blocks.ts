import type { Circuit, CircuitParts } from "../circuit/circuit.ts";
import { withTimingMarkers } from "../circuit/timing-markers.ts";
import { type TraceBlock, targetsOf } from "../specialize/blocks.ts";
import { traceOf } from "../specialize/trace.ts";
import type { DeviceFigures } from "./device-figures.ts";
import { gateFiguresOf, type Operation, operationsOf } from "./operation.ts";

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

/** An operation with its begin and its end in nanoseconds; a box stands for what it holds. */
export interface TimedOperation {
  readonly operation: Exclude<Operation, { kind: "box" }>;
  readonly start: number;
  readonly end: number;
}

/** Operations with their times, in an order in which those that share a qubit follow each other. */
export interface TimedBlock {
  readonly operations: readonly TimedOperation[];
  /** Nanoseconds from the begin of the first operation to the end of the last. */
  readonly duration: number;
}

/** Returns the nanoseconds that an operation takes, a box at least. */
function lengthOf(operation: Operation, { qubits }: DeviceFigures): number {
  switch (operation.kind) {
    case "gate":
      return operation.pulses.reduce((sum, { length }) => sum + length, 0);
    case "measure":
      return qubits[operation.qubits[0]]!.readoutLength;
    case "reset": {
      const { readoutLength, otherwise } = qubits[operation.qubits[0]]!;
      return readoutLength + otherwise.length;
    }
    case "delay":
    case "box":
      return operation.duration;
    default:
      return 0;
  }
}

/**
 * Schedules operations as late as possible: each ends when the first of those ends that follow it on one of its
 * qubits, or the block. A box takes all of its qubits, for its duration or for what it holds, whichever is longer. A
 * reset is a measurement and a gate on its outcome.
 */
function scheduleAlap(operations: readonly Operation[], device: DeviceFigures): TimedBlock {
  /** For each qubit, the begin of the operation that follows; the block ends at time 0. */
  const free = new Map<number, number>();
  const groups: TimedOperation[][] = [];
  let first = 0;
  for (const operation of operations.toReversed()) {
    const { qubits } = operation;
    const end = qubits.reduce((time, qubit) => Math.min(time, free.get(qubit) ?? 0), 0);
    const inner = operation.kind === "box" ? scheduleAlap(operation.body, device) : null;
    const length = Math.max(lengthOf(operation, device), inner?.duration ?? 0);
    const start = end - length;
    for (const qubit of qubits) free.set(qubit, start);
    first = Math.min(first, start);
    if (operation.kind === "box") groups.push(shifted(inner!.operations, end - inner!.duration));
    else groups.push([{ operation, start, end }]);
  }
  return { operations: shifted(groups.reverse().flat(), -first), duration: 0 - first };
}

const shifted = (operations: readonly TimedOperation[], by: number): TimedOperation[] =>
  operations.map(({ operation, start, end }) => ({ operation, start: start + by, end: end + by }));
