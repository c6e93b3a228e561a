import { packCounts } from "../../contract/packed-counts.ts";
import { bitSplitter, packMeasurements, shotLength } from "../../contract/packed-measurements.ts";
import type { ObservableExpectation, ResultData } from "../../contract/result.ts";
import { type Observable, simulatedExpectation } from "../../results/index.ts";
import type { Circuit, ObservableMean, SimulationResult } from "../../simulation/index.ts";
import type { RunTask } from "./messages.ts";

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
