import { packCounts } from "../../contract/packed-counts.ts";
import type { ResultData } from "../../contract/result.ts";
import type { Circuit, SimulationResult } from "../../simulation/index.ts";
import type { RunTask } from "./messages.ts";

/** Outcomes from which on counts are stored in their packed form. */
const MIN_PACKED_OUTCOMES = 1024;

/** Returns the counts that are stored packed: of many outcomes with codes of one word. */
const packable = ({ codedCounts }: SimulationResult) =>
  codedCounts &&
  codedCounts.counts.length >= MIN_PACKED_OUTCOMES &&
  codedCounts.codes.length === codedCounts.counts.length
    ? codedCounts
    : undefined;

/** Characters that packed counts take once they are unpacked, about. */
export function unpackedLength(outcome: SimulationResult): number {
  const packed = packable(outcome);
  return packed ? packed.counts.length * (packed.pattern.length + 5) : 0;
}

/** Converts the outcome of a program to its result, as the interface has it. */
export function toResultData(
  circuit: Circuit,
  outcome: SimulationResult,
  { shots, observables }: RunTask,
): ResultData {
  const { measurements, outputs, measurementProbabilities, statevector, expectations } = outcome;
  const packed = packable(outcome);
  return {
    ...(packed
      ? { packedCounts: packCounts(packed), measurementCounts: null }
      : { measurementCounts: shots > 0 ? outcome.measurementCounts : null }),
    registers: circuit.registers.classical.map(({ name, width }) => ({ name, size: width })),
    ...(measurements ? { measurements } : {}),
    ...(outputs ? { outputs } : {}),
    ...(measurementProbabilities ? { measurementProbabilities } : {}),
    ...(statevector ? { statevector: [...statevector] } : {}),
    ...(expectations
      ? { expectations: expectations.map((mean, i) => ({ observable: observables[i]!, ...mean })) }
      : {}),
  };
}
