import type { Circuit } from "../circuit/circuit.ts";
import { type ScheduledBlock, scheduledBlocks } from "./blocks.ts";
import type { DeviceFigures } from "./device-figures.ts";

/**
 * Returns the expected fidelity of a circuit on the physical qubits of a device: the product of the fidelities of its
 * gates and readouts, and of the relaxation of qubits that idle between their operations, by the device's figures. Of a
 * program with choices by measured bits, every branch counts. Throws a SimulationError where it cannot be scheduled.
 */
export function expectedFidelity(circuit: Circuit, device: DeviceFigures): number {
  return scheduledBlocks(circuit, device).reduce((product, block) => product * fidelityOf(block, device), 1);
}

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
