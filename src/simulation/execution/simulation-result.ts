import type { OutputValue } from "../circuit/output-values.ts";
import type { Method } from "../method-name.ts";
import type { CodedCounts, CodedOutcomes } from "../sampling/coded-counts.ts";
import type { ObservableMean } from "./expectation-tally.ts";

/** The result of a simulation. Keys are bit strings with the last bit on the left and the last register leftmost. */
export interface SimulationResult {
  /** How often each outcome was seen; empty in an exact run. Keys are written when they are first read. */
  measurementCounts: Record<string, number>;
  /** The same counts as numbers; undefined in an exact run. Nothing is written for them. Not enumerable. */
  readonly codedCounts?: CodedCounts;
  /** The outcome of each shot, in order. They are written when they are first read. */
  measurements?: string[];
  /** The same as numbers. Not enumerable. */
  readonly codedMeasurements?: CodedOutcomes;
  /** The values of the output variables after each shot, in order: of those declared `output`, or of all where none is. Given with the memory. */
  outputs?: Record<string, OutputValue>[];
  /** From which character of an outcome up to before which one the value of each output variable stands, given with the memory where all are such. Not enumerable. */
  readonly outputRanges?: Record<string, [number, number]>;
  /** The probability of each outcome, in an exact run. */
  measurementProbabilities?: Record<string, number>;
  /** The final amplitudes, real and imaginary parts interleaved; qubit 0 is the lowest bit of the index. */
  statevector?: number[];
  /** The expectation values of the observables that were asked for, in their order: means over all shots' final states, or over all that an exact run ends in. */
  expectations?: ObservableMean[];
  /** Nanoseconds that a shot takes on the device, by its schedule; of a program without devices' times, missing. */
  shotDuration?: number;
  /** How the state was kept, and why. */
  method: Method;
}
