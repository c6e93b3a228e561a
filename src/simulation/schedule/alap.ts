import type { DeviceFigures } from "./device-figures.ts";
import type { Operation } from "./operation.ts";

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

/** Returns the nanoseconds that an operation other than a box takes. */
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
export function scheduleAlap(operations: readonly Operation[], device: DeviceFigures): TimedBlock {
  const { timed, duration } = backwards(operations, device);
  return {
    operations: timed.map(({ start, end, ...rest }) => ({
      ...rest,
      start: start + duration,
      end: end + duration,
    })),
    duration,
  };
}

/** Schedules operations before time 0, at which they end. */
function backwards(
  operations: readonly Operation[],
  device: DeviceFigures,
): { timed: TimedOperation[]; duration: number } {
  /** For each qubit, the begin of the operation that follows. */
  const free = new Map<number, number>();
  const groups: TimedOperation[][] = [];
  let first = 0;
  for (const operation of operations.toReversed()) {
    const { qubits } = operation;
    const end = qubits.reduce((time, qubit) => Math.min(time, free.get(qubit) ?? 0), 0);
    const inner = operation.kind === "box" ? backwards(operation.body, device) : null;
    const length =
      operation.kind === "box" ? Math.max(operation.duration, inner!.duration) : lengthOf(operation, device);
    const start = end - length;
    for (const qubit of qubits) free.set(qubit, start);
    first = Math.min(first, start);
    if (operation.kind === "box")
      groups.push(inner!.timed.map(one => ({ ...one, start: one.start + end, end: one.end + end })));
    else groups.push([{ operation, start, end }]);
  }
  return { timed: groups.reverse().flat(), duration: 0 - first };
}
