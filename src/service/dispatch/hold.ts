import { sleep } from "#host/timers";

/** Dependencies of a hold. */
export interface HoldParts {
  /** Milliseconds since 1970. */
  clock: () => number;
  /** Aborts when the service stops. */
  stopping: AbortSignal;
  /** Called when a job has begun only to keep its device busy, so that its slot is free. */
  onHeld(): void;
}

/** A job that keeps its device busy. */
export interface HeldJob {
  isHeld: boolean;
  isCancelled: boolean;
}

/** After which the clock, which may have jumped, and the job are looked at again. */
const CHECK_INTERVAL_MS = 50;

/**
 * Makes the function that lets a job, once it is simulated, keep its emulated QPU busy until a time. It resolves to
 * whether that has come; it has not where the job is cancelled, or the service stops.
 */
export function createHold({ clock, stopping, onHeld }: HoldParts) {
  return async (job: HeldJob, until: number): Promise<boolean> => {
    if (clock() >= until) return true;
    job.isHeld = true;
    onHeld();
    while (clock() < until) {
      if (job.isCancelled || stopping.aborted) return false;
      await sleep(Math.min(until - clock(), CHECK_INTERVAL_MS), { signal: stopping }).catch(() => {});
    }
    return true;
  };
}

/** Lets a job keep its emulated QPU busy until a time. */
export type Hold = ReturnType<typeof createHold>;
