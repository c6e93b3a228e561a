import type { Circuit } from "../circuit/circuit.ts";
import { targetsOf } from "../specialize/blocks.ts";
import { type ScheduledBlock, scheduledBlocks, type TimedOperation } from "./blocks.ts";
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

/**
 * Returns the expected fidelity of a circuit on the physical qubits of a device: the product of the fidelities of its
 * gates and readouts, and of the relaxation of qubits that idle between their operations, by the device's figures. Of a
 * choice by a measured bit, both ways are equally likely, in a loop again each time. Throws a SimulationError where the
 * circuit cannot be scheduled.
 */
export function expectedFidelity(circuit: Circuit, device: DeviceFigures): number {
  const blocks = scheduledBlocks(circuit, device);
  const own = blocks.map(block => fidelityOf(block, device));
  /** The fidelity from the begin of each block to the end of the program. */
  const fidelities = own.map(() => 1);
  for (let sweep = 0, change = 1; change > CONVERGED && sweep < MAX_SWEEPS; sweep++) {
    change = 0;
    for (let i = blocks.length - 1; i >= 0; i--) {
      const targets = targetsOf(blocks[i]!);
      const rest = targets.reduce((sum, to) => sum + fidelities[to]! / targets.length, 0);
      const fidelity = own[i]! * (targets.length > 0 ? rest : 1);
      change = Math.max(change, Math.abs(fidelity - fidelities[i]!));
      fidelities[i] = fidelity;
    }
  }
  return fidelities[0]!;
}

/** Convergence threshold of a loop program's fidelities, and the maximum number of iterations. */
const CONVERGED = 1e-9;
const MAX_SWEEPS = 1000;

function fidelityOf(
  { operations, live, started, duration }: ScheduledBlock,
  { qubits }: DeviceFigures,
): number {
  let fidelity = 1;
  const ends = new Map(Array.from(started, qubit => [qubit, 0]));
  const idle = (qubit: number, until: number) => {
    const since = ends.get(qubit);
    if (since !== undefined && until > since) fidelity *= relaxationFidelity(until - since, qubits[qubit]!);
  };
  for (const { operation, start, end } of operations) {
    if (operation.kind === "barrier" || operation.kind === "delay" || operation.kind === "set") continue;
    for (const qubit of operation.qubits) {
      idle(qubit, start);
      ends.set(qubit, end);
    }
    if (operation.kind === "gate") for (const { error } of operation.pulses) fidelity *= 1 - error;
    else {
      const { zeroGivenOne, oneGivenZero } = qubits[operation.qubits[0]]!;
      fidelity *= 1 - (zeroGivenOne + oneGivenZero) / 2;
    }
  }
  for (const qubit of live) idle(qubit, duration);
  return fidelity;
}

/** Returns the average fidelity of a qubit that idles for some nanoseconds. */
const relaxationFidelity = (time: number, { T1, T2 }: { T1: number; T2: number }) =>
  1 / 2 + Math.exp(-time / T1) / 6 + Math.exp(-time / T2) / 3;
