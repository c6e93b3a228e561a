import { AttemptExceededError, CancelledError, LimitExceededError } from "../errors.ts";
import type { Meter } from "../interpreter/meter.ts";

/** How often the clock and the signal are checked, in amplitudes touched. */
const CHECK_INTERVAL = 2 ** 20;

/** What a run may take. */
export interface RunLimits {
  /** Maximum number of operations, over all branches. */
  maxOperations: number;
  /** Maximum number of milliseconds. */
  maxMilliseconds: number;
  /** When the run has begun, in milliseconds of the process. Default: now. */
  startTime?: number;
  signal?: { readonly aborted: boolean };
  /** How many operations an attempt with another method had come to. Default: none. */
  reached?: number;
  /** Is called now and then with the number of operations done. */
  onCheck?(operations: number): void;
  /** Says how far a run is that has done so many operations, as the end of a sentence. Default: the operations. */
  describe?(operations: number): string;
}

const describeOperations = (operations: number): string =>
  `${operations.toLocaleString("en-US", { maximumFractionDigits: 0 })} operations into its run`;

/** Makes a meter that begins now, and ends a run where it was cancelled or is over a limit. */
export function startBudget({
  maxOperations,
  maxMilliseconds,
  startTime,
  signal,
  reached = 0,
  onCheck,
  describe = describeOperations,
}: RunLimits): Meter {
  const start = startTime ?? performance.now();
  let operations = 0;
  /** Operations that are surely done; of the others, gates may wait. */
  let settled = 0;
  let work = 0;
  const check = (done: number) => {
    work = 0;
    if (signal?.aborted) throw new CancelledError();
    onCheck?.(done);
    if (performance.now() - start > maxMilliseconds)
      throw new LimitExceededError(
        `The program was stopped after ${maxMilliseconds / 1000} s, ${describe(Math.max(done, reached))}${done < reached ? " with the method that came the farthest" : ""}.`,
        done < reached,
      );
  };
  return {
    spend(amplitudes) {
      work += amplitudes + 64;
      if (++operations > maxOperations)
        throw new LimitExceededError(
          `The program was stopped after ${maxOperations.toLocaleString("en-US")} operations.`,
        );
      if (work >= CHECK_INTERVAL) check(operations);
    },
    work(amplitudes, share) {
      work += amplitudes;
      if (work >= CHECK_INTERVAL) check(settled + (operations - settled) * share);
      if (share >= 1) settled = operations;
    },
  };
}

/** What an attempt may take. */
export interface AttemptLimit {
  readonly microseconds: number;
  /** Microseconds for the handling of an operation, and for a number that is touched. */
  readonly cost: { readonly operation: number; readonly number: number };
  /** Returns the microseconds that it may take instead, by the operations done; 0 ends the attempt. */
  extend(operations: number): number;
}

/** Makes a meter that ends an attempt once it has taken a number of microseconds by the cost model. */
export function limitAttempt(meter: Meter, { microseconds, cost, extend }: AttemptLimit): Meter {
  let max = microseconds;
  let taken = 0;
  let operations = 0;
  const take = (more: number) => {
    taken += more;
    if (taken <= max) return;
    max = extend(operations);
    if (max === 0) throw new AttemptExceededError("The attempt takes too long.");
  };
  return {
    spend(numbers) {
      operations++;
      take(cost.operation + numbers * cost.number);
      meter.spend(numbers);
    },
    work(numbers, share) {
      take(numbers * cost.number);
      meter.work(numbers, share);
    },
  };
}
