import { packCounts } from "../../contract/packed-counts.ts";
import { bitSplitter, packMeasurements, shotLength } from "../../contract/packed-measurements.ts";
import type { ResultData } from "../../contract/result.ts";
import type { Circuit, SimulationResult } from "../../simulation/index.ts";
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

/** Converts the outcome of a program to its result, as the interface has it; what is packed comes first. */
export function toResultData(
  circuit: Circuit,
  outcome: SimulationResult,
  { shots, observables }: RunTask,
): ResultData {
  const { counts, memory } = packable(outcome, shots);
  const { measurements, outputs } = memory ? {} : outcome;
  const { measurementProbabilities, statevector, expectations } = outcome;
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
    ...(expectations
      ? { expectations: expectations.map((mean, i) => ({ observable: observables[i]!, ...mean })) }
      : {}),
  };
}
