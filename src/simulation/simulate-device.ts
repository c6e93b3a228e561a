import type { Circuit } from "./circuit/circuit.ts";
import { SimulationError } from "./errors.ts";
import type { SimulationResult } from "./execution/tally.ts";
import { noiseOfFigures } from "./noise/calibration-rules.ts";
import { type NoiseModel, noiseModelOfRules } from "./noise-model.ts";
import { isClifford } from "./plan/profile.ts";
import { derivedSeed, philox } from "./sampling/philox.ts";
import { type ScheduledBlock, scheduledBlocks } from "./schedule/blocks.ts";
import type { DeviceFigures } from "./schedule/device-figures.ts";
import { driftOf, driftSlices, largestComponent } from "./schedule/drift.ts";
import type { DeviceNoise } from "./schedule/insert-noise.ts";
import { insertNoise, type NoiseInsertion } from "./schedule/insert-noise.ts";
import { durationOf } from "./schedule/schedule.ts";
import { type NoisyOptions, simulateNoisy } from "./simulate.ts";

/** Options of a simulation on a device. */
export interface DeviceOptions extends Omit<NoisyOptions, "observables"> {
  /** Which noise acts on the program. Default: relaxation, gate and readout errors, as they are published. */
  noise?: DeviceNoise;
}

/** Stream of the seeds of the parts of a job that drifts. */
const DRIFT_SLICES = 32;
/** Qubits that act on each other up to which a Clifford circuit is simulated without a Pauli twirl. */
const MAX_UNTWIRLED = 10;

/**
 * Simulates a circuit on the physical qubits of a device: it is scheduled as late as possible, qubits relax during
 * gates, delays and idling, gates have their published errors, and measurements theirs. Clifford circuits in which
 * more than 10 qubits act on each other are simulated under the Pauli twirl of relaxation. A program that cannot be
 * scheduled before it runs, for its many choices, has only the errors of gates and measurements; the reason says so.
 * Throws a {@link SimulationError} where the circuit does not fit the device, is too large or over a limit, and a
 * CancelledError once the signal is aborted.
 *
 * @example
 * const device = deviceFigures(calibration);
 * const { measurementCounts } = simulateDevice(circuit, device, { shots: 1000, noise: { readout: false } });
 */
export function simulateDevice(
  circuit: Circuit,
  device: DeviceFigures,
  { noise = {}, ...options }: DeviceOptions,
): SimulationResult {
  const blocks = circuit.numQubits <= device.qubits.length ? tryToSchedule(circuit, device) : null;
  if (!blocks) {
    const result = simulateNoisy(circuit, gateNoiseOf(device, noise), options);
    const remark = "The program makes too many choices to be scheduled: qubits do not relax while they idle.";
    return Object.assign(withRemark(result, remark), { shotDuration: longestDuration(circuit, device) });
  }
  const { drift = 0 } = noise;
  const shotDuration = durationOf(blocks);
  if (drift === 0 || options.shots === 0)
    return Object.assign(simulateBlocks(circuit, blocks, device, options, noise), { shotDuration });
  const { seed = Math.floor(Math.random() * Number.MAX_SAFE_INTEGER) } = options;
  const drifts = driftOf(device, drift, philox(seed));
  const results = driftSlices(options.shots).map((shots, i) => {
    const { figures, detuning } = drifts(i);
    const own = { ...options, shots, seed: derivedSeed(seed, i, DRIFT_SLICES) };
    return simulateBlocks(circuit, blocks, figures, own, { ...noise, detuning });
  });
  return { ...joined(results), shotDuration };
}

/** Returns the nanoseconds of a program without a schedule: of as many of the longest gates as it is deep, and a readout. */
function longestDuration(circuit: Circuit, { pairs, uncoupled, qubits }: DeviceFigures): number {
  const gate = pairs.reduce(
    (longest, { otherwise }) => Math.max(longest, otherwise.length),
    uncoupled.length,
  );
  return (
    circuit.depth() * gate +
    qubits.reduce((longest, { readoutLength }) => Math.max(longest, readoutLength), 0)
  );
}

function tryToSchedule(circuit: Circuit, device: DeviceFigures): ScheduledBlock[] | null {
  try {
    return scheduledBlocks(circuit, device);
  } catch (error) {
    if (error instanceof SimulationError) return null;
    throw error;
  }
}

function simulateBlocks(
  circuit: Circuit,
  blocks: readonly ScheduledBlock[],
  device: DeviceFigures,
  options: NoisyOptions,
  noise: NoiseInsertion,
): SimulationResult {
  const { noisy, model, isTwirled } = noisyProgram(circuit, blocks, device, options.shots, noise);
  const result = simulateNoisy(noisy, model, options);
  return isTwirled ? withRemark(result, "Relaxation is twirled to Pauli errors.") : result;
}

/** A circuit with the locations of its noise, and the noise there. */
interface NoisyProgram {
  readonly noisy: Circuit;
  readonly model: NoiseModel;
  readonly isTwirled: boolean;
}

function noisyProgram(
  circuit: Circuit,
  blocks: readonly ScheduledBlock[],
  device: DeviceFigures,
  shots: number,
  noise: NoiseInsertion,
): NoisyProgram {
  const noisy = insertNoise(circuit, blocks, device, noise);
  const isTwirled = shots > 0 && isClifford(noisy) && largestComponent(blocks) > MAX_UNTWIRLED;
  return { noisy, model: modelOf(device, noise, isTwirled), isTwirled };
}

/** Returns the circuit to simulate for a device: with all its noise, or with the part that needs no schedule if it can't be scheduled. */
export function noisyProgramOn(
  circuit: Circuit,
  device: DeviceFigures,
  shots: number,
  noise: DeviceNoise,
): NoisyProgram {
  const blocks = tryToSchedule(circuit, device);
  return blocks
    ? noisyProgram(circuit, blocks, device, shots, noise)
    : { noisy: circuit, model: gateNoiseOf(device, noise), isTwirled: false };
}

const withRemark = (result: SimulationResult, remark: string): SimulationResult =>
  Object.assign(result, {
    method: { ...result.method, reason: `${result.method.reason} ${remark}` },
  });

/** Returns the noise of a device at the locations of a schedule. */
function modelOf(
  { qubits }: DeviceFigures,
  { relaxation = true, readout = true }: DeviceNoise,
  isTwirled: boolean,
): NoiseModel {
  const times = (name: "T1" | "T2") =>
    qubits.map(qubit => (relaxation ? qubit[name] : Number.POSITIVE_INFINITY));
  return {
    zeroGivenOne: qubits.map(({ zeroGivenOne }) => (readout ? zeroGivenOne : 0)),
    oneGivenZero: qubits.map(({ oneGivenZero }) => (readout ? oneGivenZero : 0)),
    locations: { T1: times("T1"), T2: times("T2"), isTwirled },
  };
}

/** Returns the noise of a device's gates and measurements, without a schedule; all of it is depolarizing. */
function gateNoiseOf(device: DeviceFigures, { gates = true, readout = true }: DeviceNoise): NoiseModel {
  const [T1, T2] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  const qubits = device.qubits.map(figures => ({ ...figures, T1, T2 }));
  const noise = noiseOfFigures({ ...device, qubits });
  return noiseModelOfRules(
    { rules: gates ? noise.rules : [], readout: readout ? noise.readout : [] },
    qubits.length,
  );
}

/** Joins the results of the parts of a job, in their order. */
function joined(results: readonly SimulationResult[]): SimulationResult {
  const measurementCounts: Record<string, number> = {};
  for (const result of results)
    for (const [key, count] of Object.entries(result.measurementCounts))
      measurementCounts[key] = (measurementCounts[key] ?? 0) + count;
  const sorted = Object.entries(measurementCounts).sort(([a], [b]) => (a < b ? -1 : 1));
  const first = results[0]!;
  return {
    ...first,
    measurementCounts: Object.fromEntries(sorted),
    ...(first.measurements ? { measurements: results.flatMap(({ measurements }) => measurements!) } : {}),
    ...(first.outputs ? { outputs: results.flatMap(({ outputs }) => outputs!) } : {}),
  };
}
