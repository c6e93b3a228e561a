import type { Circuit } from "../circuit/circuit.ts";
import { targetsOf } from "../specialize/blocks.ts";
import type { TimedOperation } from "./alap.ts";
import { type ScheduledBlock, scheduledBlocks } from "./blocks.ts";
import type { DeviceFigures } from "./device-figures.ts";

/** An operation in a schedule: when it keeps its qubits busy. */
export interface ScheduledOperation {
  readonly kind: "gate" | "measure" | "reset" | "delay" | "barrier";
  /** The name of the gate, or the kind. */
  readonly name: string;
  readonly qubits: readonly number[];
  /** Nanoseconds from the begin of the program. */
  readonly start: number;
  /** Nanoseconds from the begin of the program; gates without a pulse end when they start. */
  readonly end: number;
  /** The block that it belongs to; blocks other than the first run by a choice of measured bits. */
  readonly block: number;
}

/** Schedule of a circuit's operations on a device, as plain data. */
export interface Schedule {
  /** Nanoseconds that a shot takes: those of the longest way through its choices; a loop by measured bits counts once. */
  readonly duration: number;
  readonly operations: readonly ScheduledOperation[];
  /** Whether the duration depends on what is measured. */
  readonly isDynamic: boolean;
}

/**
 * Schedules a circuit on the physical qubits of a device as late as possible, with the device's gate lengths.
 * Throws a SimulationError where there are too many operations or choices by measured bits.
 *
 * @example
 * const { duration } = scheduleCircuit(compile({ format: "qasm3", data }), deviceFigures(calibration));
 */
export function scheduleCircuit(circuit: Circuit, device: DeviceFigures): Schedule {
  const blocks = scheduledBlocks(circuit, device);
  const starts = startsOf(blocks);
  return {
    duration: durationOf(blocks),
    operations: blocks.flatMap((block, i) =>
      block.operations.flatMap(timed => scheduled(timed, starts[i]!, i)),
    ),
    isDynamic: blocks.length > 1,
  };
}

/** Returns the nanoseconds of the longest way through scheduled blocks. */
export function durationOf(blocks: readonly ScheduledBlock[]): number {
  const starts = startsOf(blocks);
  return blocks.reduce((end, block, i) => Math.max(end, starts[i]! + block.duration), 0);
}

/** Returns for each block the nanoseconds of the longest way to it. */
function startsOf(blocks: readonly ScheduledBlock[]): number[] {
  const starts = new Array<number>(blocks.length).fill(0);
  blocks.forEach((block, i) => {
    for (const to of targetsOf(block))
      if (to > i) starts[to] = Math.max(starts[to]!, starts[i]! + block.duration);
  });
  return starts;
}

function scheduled(
  { operation, start, end }: TimedOperation,
  offset: number,
  block: number,
): ScheduledOperation[] {
  const { kind, qubits } = operation;
  if (kind === "set") return [];
  const name = kind === "gate" ? operation.gate.name : kind;
  return [{ kind, name, qubits, start: start + offset, end: end + offset, block }];
}
