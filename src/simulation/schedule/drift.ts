import type { Philox } from "../sampling/philox.ts";
import type { DeviceFigures } from "./device-figures.ts";

/** Parts of a job within which a device stays as it is. */
const SLICES = 32;
/** Stream of the generator; counters are the qubit, and the part of the job. */
const DRIFT = 31;
/** By what part T1 and T2 change where the frequency of a qubit changes by a kilohertz. */
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
