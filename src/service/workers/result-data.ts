import {
  bitSplitter,
  type ObservableExpectation,
  packCounts,
  packMeasurements,
  type ResultData,
  shotLength,
} from "../../contract/index.ts";
import { type Observable, simulatedExpectation } from "../../results/index.ts";
import {
  type Circuit,
  type Method,
  type ObservableMean,
  SimulationError,
  type SimulationResult,
} from "../../simulation/index.ts";
import type { CircuitFigures, RunTask } from "./messages.ts";

/** Characters from which on counts, and a memory, are stored in their packed form. */
const MIN_PACKED_LENGTH = 64 * 1024;

/** Returns the counts and the memory that are stored packed, each with the characters that it takes unpacked, about. */
function packable(outcome: SimulationResult, shots: number) {
  const { codedCounts: counts, codedMeasurements: memory, outputRanges: ranges } = outcome;
  if ("outputs" in outcome && !ranges) return {};
  const countsLength = counts ? counts.counts.length * (counts.pattern.length + 5) : 0;
  const memoryLength = memory ? shots * shotLength(memory.pattern, ranges) : 0;
  return {
    counts: countsLength >= MIN_PACKED_LENGTH ? { coded: counts!, length: countsLength } : undefined,
    memory: memoryLength >= MIN_PACKED_LENGTH ? { coded: memory!, length: memoryLength } : undefined,
  };
}

/** Characters by which a result grows once its packed counts and its packed memory are unpacked, about. */
export function unpackedGrowth(data: ResultData, outcome: SimulationResult, { shots }: RunTask): number {
  const { counts, memory } = packable(outcome, shots);
  const { packedCounts, packedMeasurements } = data;
  const packed = [packedCounts?.codes, packedCounts?.counts, packedMeasurements?.codes];
  const packedLength = packed.reduce((sum, text) => sum + (text?.length ?? 0), 0);
  return (counts?.length ?? 0) + (memory?.length ?? 0) - packedLength;
}

/** Returns a mean with its interval, as the interface has it. */
function toExpectation(
  observable: Observable,
  mean: ObservableMean,
  fidelity?: number,
): ObservableExpectation {
  const { value, low, high, standardError } = simulatedExpectation(observable, mean, fidelity);
  const { variance, shots } = mean;
  return { observable, value, variance, shots, standardError, low, high };
}

/** Converts the outcome of a program to its result, as the interface has it; what is packed comes first. */
export function toResultData(
  circuit: Circuit,
  outcome: SimulationResult,
  { shots, observables }: RunTask,
): ResultData {
  const { counts, memory } = packable(outcome, shots);
  const { measurements, outputs } = memory ? {} : outcome;
  const { measurementProbabilities, statevector, expectations } = outcome;
  const { fidelity = 1 } = outcome.method.truncation ?? {};
  const estimatedFidelity = fidelity < 1 ? fidelity : undefined;
  return {
    ...(memory ? { packedMeasurements: packMeasurements(memory.coded, outcome.outputRanges) } : {}),
    ...(counts
      ? { packedCounts: packCounts(counts.coded), measurementCounts: null }
      : { measurementCounts: shots > 0 ? outcome.measurementCounts : null }),
    registers: circuit.registers.classical.map(({ name, width }) => ({ name, size: width })),
    ...(measurements ? { measurements: measurements.map(bitSplitter()) } : {}),
    ...(outputs ? { outputs } : {}),
    ...(measurementProbabilities ? { measurementProbabilities } : {}),
    ...(statevector ? { statevector: [...statevector] } : {}),
    ...(estimatedFidelity === undefined ? {} : { estimatedFidelity }),
    ...(expectations
      ? {
          expectations: expectations.map((mean, i) =>
            toExpectation(observables[i]!, mean, estimatedFidelity),
          ),
        }
      : {}),
  };
}

const MAX_NOTES = 20;

/** Returns the figures of a job's programs. `shotDurations` are in nanoseconds; simulators have none. */
export function figuresOf(
  circuits: readonly Circuit[],
  methods: readonly Method[],
  shotDurations: readonly number[],
): CircuitFigures {
  return {
    method: [...new Set(methods.map(({ name }) => name))].join(", "),
    ...truncationOf(methods),
    ...unusedNoiseOf(methods),
    circuitNumQubits: Math.max(...circuits.map(circuit => circuit.numQubits)),
    circuitDepth: Math.max(...circuits.map(circuit => circuit.depth())),
    ...(shotDurations.length > 0 ? { shotDuration: Math.max(...shotDurations) / 1000 } : {}),
    ...notesOf(circuits),
  };
}

/** Returns the largest bond, and the least fidelity, of matrix product states. */
function truncationOf(
  methods: readonly Method[],
): Pick<CircuitFigures, "bondDimension" | "estimatedFidelity"> {
  const reports = methods.flatMap(({ truncation }) => truncation ?? []);
  if (reports.length === 0) return {};
  return {
    bondDimension: Math.max(...reports.map(report => report.bondDimension)),
    estimatedFidelity: Math.min(...reports.map(({ fidelity }) => fidelity)),
  };
}

/** Returns which noise acted nowhere in the first program in which any did not. */
function unusedNoiseOf(methods: readonly Method[]): Pick<CircuitFigures, "unusedNoise"> {
  const [unusedNoise] = methods.flatMap(each => each.unusedNoise || []);
  return unusedNoise === undefined ? {} : { unusedNoise };
}

/** Returns notes for the author on the interpretation of the programs; in a batch with the place of the program. */
function notesOf(circuits: readonly Circuit[]): Pick<CircuitFigures, "diagnostics"> {
  const diagnostics = circuits.flatMap((circuit, program) =>
    circuit.parts.notes.map(note => ({
      severity: "note" as const,
      ...note,
      ...(circuits.length > 1 ? { program } : {}),
    })),
  );
  return diagnostics.length > 0 ? { diagnostics: diagnostics.slice(0, MAX_NOTES) } : {};
}

/** Hours for which one job may keep an emulated QPU busy: far more than 2000 programs of 100,000 shots take. */
const MAX_HOURS = 24;

/** Thrown where a job would keep an emulated QPU busy for too long. */
export class DeviceTimeError extends SimulationError {
  override name = "DeviceTimeError";
}

/** Throws a {@link DeviceTimeError} where the programs of a job, whose microseconds are given, take too long together. */
export function checkQuantumTime(durations: readonly number[]): void {
  const hours = durations.reduce((sum, each) => sum + each, 0) / 3.6e9;
  if (hours <= MAX_HOURS) return;
  throw new DeviceTimeError(
    `The job would keep the device busy for ${hours.toLocaleString("en-US", { maximumSignificantDigits: 2 })} hours; a job may take ${MAX_HOURS}. Use shorter delays, fewer shots or fewer programs.`,
  );
}

/**
 * Returns the microseconds for which a program keeps an emulated QPU busy, in whole numbers: its shots, each as long as
 * its schedule, in nanoseconds, and the device's reset, and its share of what the device takes for the whole job. It is
 * the same on every host.
 */
export function quantumTime(
  { shots, programs, overhead }: Pick<RunTask, "shots" | "overhead"> & { programs: readonly unknown[] },
  index: number,
  shotDuration: number,
): number {
  const perTask = Math.round(overhead.perTask * 1000);
  const share = Math.floor(perTask / programs.length) + (index < perTask % programs.length ? 1 : 0);
  return share + Math.round(shots * (shotDuration / 1000 + overhead.perShot));
}
