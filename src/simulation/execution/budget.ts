import { CancelledError, StoppedError } from "../errors.ts";

/** How often the clock and the signal are looked at, in amplitudes touched. */
const LOOK_EVERY = 2 ** 20;

/** Counts what a run does, and ends it where it was cancelled or is over a limit. */
export interface Budget {
  /** Counts one operation that touches so many amplitudes. */
  spend(amplitudes: number): void;
}

/** What a run may take. */
export interface RunLimits {
  /** Most operations, over all branches. */
  maxOperations: number;
  /** Most milliseconds. */
  maxMilliseconds: number;
  signal?: { readonly aborted: boolean };
  /** Told now and then how many operations there were. */
  onLook?(operations: number): void;
}

/** Makes a budget that begins now. */
export function startBudget({ maxOperations, maxMilliseconds, signal, onLook }: RunLimits): Budget {
  const start = performance.now();
  let operations = 0;
  let work = 0;
  return {
    spend(amplitudes) {
      work += amplitudes + 64;
      if (++operations > maxOperations)
        throw new StoppedError(
          `The program was stopped after ${maxOperations.toLocaleString("en-US")} operations; does one of its loops never end?`,
        );
      if (work < LOOK_EVERY) return;
      work = 0;
      if (signal?.aborted) throw new CancelledError();
      onLook?.(operations);
      if (performance.now() - start > maxMilliseconds)
        throw new StoppedError(
          `The program was stopped after ${maxMilliseconds / 1000} s; does one of its loops never end?`,
        );
    },
  };
}
