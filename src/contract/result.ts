import type { JobTimes } from "./job.ts";
import type { PackedCounts, PackedMeasurements } from "./packed.ts";
import type { JobStatus, OpenEnum } from "./status.ts";

/** The expectation value of an observable that a run asked for. */
export interface ObservableExpectation {
  /** The sum of Pauli strings, as it was asked for. */
  observable: string | { [pauliString: string]: number };
  /**
   * The mean over the final states, before the measurements that end the program. States that are sure to be seen count by
   * their probability, others by the shots that ended in them.
   */
  value: number;
  /** The variance of the value from shot to shot; 0 when no shot was needed. */
  variance: number;
  /** Shots that the mean depends on; 0 when it was computed without drawing measurements or errors. */
  shots: number;
  /** Standard error of the mean, as the shots are finite. */
  standardError?: number;
  /** Lower end of the interval, which contains the mean in at least 95% of all cases; the value itself when it is exact. */
  low?: number;
  /** Upper end of the interval. */
  high?: number;
}

/** Data of a program's result, as this project's service writes it. */
export interface ResultData {
  /** Bit string to how often it was seen; the last declared bit is on the left. */
  measurementCounts: { [outcome: string]: number } | null;
  /** The counts in place of `measurementCounts`, which are then null, for a request that prefers `outcomes=packed`. */
  packedCounts?: PackedCounts | null;
  /** The memory in place of `measurements`, and of `outputs` where it names them, for such a request. */
  packedMeasurements?: PackedMeasurements | null;
  /** The registers that the bits of an outcome belong to, in the order of their declaration. */
  registers?: { name: string; size: number }[] | null;
  /**
   * A list of bits for each shot, in order, those of all registers together; only when asked for with `memory`. Of jobs that
   * ran under an older version, a bit string.
   */
  measurements?: (number[] | string)[] | null;
  /** Values of the program's output variables, one object a shot, in order; only when asked for with `memory`. */
  outputs?: { [variable: string]: unknown }[] | null;
  /** Bit string to probability; from exact runs. */
  measurementProbabilities?: { [outcome: string]: number } | null;
  /** Amplitudes of the final state, real and imaginary parts interleaved; only when asked for. */
  statevector?: number[] | null;
  /** The expectation values of the run's `observables`, in their order; only when asked for. */
  expectations?: ObservableExpectation[] | null;
  /** Estimated fidelity of the simulated state, from 0 to 1; only of a matrix product state that left something out. */
  estimatedFidelity?: number | null;
}

/** The result of one program, as this project's service writes it. */
export interface RuntimeResult {
  /** Status of the job. */
  status: OpenEnum<JobStatus>;
  /** Credits that this program cost: its task, its shots and its share of the time. Those of a batch sum to the job's `cost`. */
  cost: number | null;
  /** Times of submission and end of the job, and the run time of this program. */
  timeStamps: JobTimes;
  /** Data of the program's result. */
  resultData: ResultData;
}

/** The result of one program in whatever shape a service wrote it. */
export interface RawResult {
  /** Status of the job. */
  status: OpenEnum<JobStatus> | null;
  /** Credits; null when the service does not say it. */
  cost: number | null;
  /** Times of creation and end of the job. */
  timeStamps: JobTimes;
  /**
   * Counts, shots, probabilities, the solutions of an annealer, or nothing at all, as the service wrote them:
   * `Result.from` reads every shape that is known.
   */
  resultData: unknown;
  /** Members of the provider's own. */
  [member: string]: unknown;
}
