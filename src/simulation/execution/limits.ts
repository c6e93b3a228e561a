import type { Circuit } from "../circuit/circuit.ts";
import { sizeOf } from "../circuit/gate.ts";
import { OPERATION } from "../circuit/operations.ts";
import { everyStatement, type Statement } from "../circuit/statement.ts";
import { AttemptExceededError, CancelledError, LimitExceededError } from "../errors.ts";
import type { Meter } from "../interpreter/execution-state.ts";
import { hasMidCircuitDependence } from "../plan/profile.ts";

/** Interval between checks of the clock and the signal, in amplitudes touched. */
const CHECK_INTERVAL = 2 ** 20;

export interface RunLimits {
  /** Maximum number of operations, over all branches. */
  maxOperations: number;
  /** Maximum number of milliseconds. */
  maxMilliseconds: number;
  /** Start of the run, in milliseconds of the process. Default: now. */
  startTime?: number;
  signal?: { readonly aborted: boolean };
  /** Largest number of operations that an attempt with another method reached. Default: none. */
  reached?: number;
  /** Periodically receives the number of operations done. */
  onCheck?: ((operations: number) => void) | undefined;
  /** Describes the progress of a run after a number of operations, as the end of a sentence. Default: the operations. */
  describe?(operations: number): string;
}

const describeOperations = (operations: number): string =>
  `${operations.toLocaleString("en-US", { maximumFractionDigits: 0 })} operations into its run`;

/** Makes a meter that starts now, and ends a run that was cancelled or exceeds a limit. */
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
  /** Operations that are complete; gates among the others may still be queued. */
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

/** Limit of an attempt, by the cost model. */
export interface AttemptLimit {
  readonly microseconds: number;
  /** Microseconds for the handling of an operation, and for a number that is touched. */
  readonly cost: { readonly operation: number; readonly number: number };
  /** Returns a new limit in microseconds, given the operations done; 0 ends the attempt. */
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

/** Smallest increase in progress that is reported. */
const SMALLEST_PROGRESS = 0.002;

/** Returns a function that reports progress only if it exceeds that of all earlier attempts. */
export function ascending(onProgress: (fraction: number) => void): (fraction: number) => void {
  let progress = 0;
  return fraction => {
    if (fraction < progress + SMALLEST_PROGRESS) return;
    progress = fraction;
    onProgress(fraction);
  };
}

/**
 * Returns a function that reports how far a run is by the operations done, if all shots share one branch. They do not
 * where each has errors of its own: then shots that have ended are counted instead.
 */
export function progressOf(
  circuit: Circuit,
  sharesOneBranch: boolean,
  report: (fraction: number) => void,
): (operations: number) => void {
  let total = sharesOneBranch ? undefined : Number.POSITIVE_INFINITY;
  return done => {
    total ??= countSteps(circuit);
    report(Math.min(0.99, done / total));
  };
}

/** Statements that may be run more than once. */
const LOOPS: ReadonlySet<Statement["kind"]> = new Set(["for", "while", "recurse", "graph"]);

/** Counts the steps of a program; infinite where loops or conditions may change how many they are. */
function countSteps(circuit: Circuit): number {
  const { operations, gates, body } = circuit.parts;
  let steps = 0;
  const isStraight = everyStatement(body, ({ kind }) => {
    steps++;
    return !LOOPS.has(kind);
  });
  if (!isStraight || hasMidCircuitDependence(circuit)) return Number.POSITIVE_INFINITY;
  for (let i = 0; i < operations.length; i++) {
    steps += operations.kinds[i] === OPERATION.gate ? sizeOf(gates[operations.gates[i]!]!) : 1;
  }
  return steps;
}
