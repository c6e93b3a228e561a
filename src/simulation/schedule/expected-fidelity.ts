import type { Circuit } from "../circuit/circuit.ts";
import { targetsOf } from "../specialize/blocks.ts";
import { type ScheduledBlock, scheduledBlocks } from "./blocks.ts";
import type { DeviceFigures } from "./device-figures.ts";

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
