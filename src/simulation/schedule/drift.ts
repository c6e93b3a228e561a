import type { Philox } from "../sampling/philox.ts";
import type { ScheduledBlock } from "./blocks.ts";
import type { DeviceFigures } from "./device-figures.ts";

/** Parts of a job within which a device stays as it is. */
const SLICES = 32;
/** Stream of the generator; counters are the qubit, and the part of the job. */
const DRIFT = 31;
/** Relative change of T1 and T2 where the frequency of a qubit changes by a kilohertz. */
const RELAXATION_PER_KILOHERTZ = 0.01;
/** Radians a nanosecond of a kilohertz. */
const KILOHERTZ = 2 * Math.PI * 1e-6;

/** Splits the shots of a job into parts of equal length. */
export function driftSlices(shots: number): number[] {
  const count = Math.min(SLICES, shots);
  const at = (i: number) => Math.floor((shots * i) / count);
  return Array.from({ length: count }, (_, i) => at(i + 1) - at(i));
}

/**
 * Returns the figures of a device, and by how much the frequencies of its qubits are off, in each part of a job: a
 * random walk from the calibration on, with this standard deviation at its end, in kilohertz.
 */
export function driftOf(
  device: DeviceFigures,
  deviation: number,
  random: Philox,
): (slice: number) => { figures: DeviceFigures; detuning: number[] } {
  const walk = device.qubits.map(() => 0);
  let done = 0;
  return slice => {
    for (; done <= slice; done++)
      walk.forEach((_, qubit) => {
        walk[qubit]! += (deviation * gaussian(random, qubit, done)) / Math.sqrt(SLICES);
      });
    const qubits = device.qubits.map((figures, qubit) => {
      const factor = Math.exp(RELAXATION_PER_KILOHERTZ * walk[qubit]!);
      return { ...figures, T1: figures.T1 * factor, T2: figures.T2 * factor };
    });
    return { figures: { ...device, qubits }, detuning: walk.map(offset => offset * KILOHERTZ) };
  };
}

function gaussian(random: Philox, qubit: number, step: number): number {
  const [u, v] = [random.uniform(qubit, 2 * step, DRIFT), random.uniform(qubit, 2 * step + 1, DRIFT)];
  return Math.sqrt(-2 * Math.log1p(-u)) * Math.cos(2 * Math.PI * v);
}

/** Returns the number of qubits of the largest group that gates join. */
export function largestComponent(blocks: readonly ScheduledBlock[]): number {
  const parents = new Map<number, number>();
  const rootOf = (qubit: number): number => {
    let root = qubit;
    for (let up = parents.get(root); up !== undefined && up !== root; up = parents.get(root)) root = up;
    parents.set(qubit, root);
    return root;
  };
  for (const { operations } of blocks)
    for (const { operation } of operations) {
      if (operation.kind === "barrier" || operation.kind === "delay") continue;
      for (const qubit of operation.qubits) parents.set(rootOf(qubit), rootOf(operation.qubits[0]!));
    }
  const sizes = new Map<number, number>();
  for (const qubit of parents.keys()) sizes.set(rootOf(qubit), (sizes.get(rootOf(qubit)) ?? 0) + 1);
  return Math.max(0, ...sizes.values());
}
