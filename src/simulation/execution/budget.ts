import { CancelledError, StoppedError } from "../errors.ts";
import type { Meter } from "../interpreter/meter.ts";

/** How often the clock and the signal are looked at, in amplitudes touched. */
const LOOK_EVERY = 2 ** 20;

/** What a run may take. */
export interface RunLimits {
  /** Most operations, over all branches. */
  maxOperations: number;
  /** Most milliseconds. */
  maxMilliseconds: number;
  signal?: { readonly aborted: boolean };
  /** Told now and then how many operations are done. */
  onLook?(operations: number): void;
}

/** Makes a meter that begins now, and ends a run where it was cancelled or is over a limit. */
export function startBudget({ maxOperations, maxMilliseconds, signal, onLook }: RunLimits): Meter {
  const start = performance.now();
  let operations = 0;
  /** Operations that are surely done; of the others, gates may wait. */
  let settled = 0;
  let work = 0;
  const look = (done: number) => {
    work = 0;
    if (signal?.aborted) throw new CancelledError();
    onLook?.(done);
    if (performance.now() - start > maxMilliseconds)
      throw new StoppedError(
        `The program was stopped after ${maxMilliseconds / 1000} s, ${done.toLocaleString("en-US", { maximumFractionDigits: 0 })} operations into its run.`,
      );
  };
  return {
    spend(amplitudes) {
      work += amplitudes + 64;
      if (++operations > maxOperations)
        throw new StoppedError(
          `The program was stopped after ${maxOperations.toLocaleString("en-US")} operations.`,
        );
      if (work >= LOOK_EVERY) look(operations);
    },
    work(amplitudes, share) {
      work += amplitudes;
      if (work >= LOOK_EVERY) look(settled + (operations - settled) * share);
      if (share >= 1) settled = operations;
    },
  };
}
