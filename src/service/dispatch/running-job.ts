import type { Timer } from "#host/timers";
import type { JobRow } from "../store/schema.ts";
import type { Run } from "../workers/pool.ts";
import type { Allotment } from "./slots.ts";

/** A job that this worker runs. */
export interface RunningJob extends Allotment {
  job: JobRow;
  /** Its run in a thread; undefined before that has begun. */
  run: Run | undefined;
  isCancelled: boolean;
  /** Whether it is to go back into the queue: others wait for the express slot, or it has waited for a slot too long. */
  isPutBack: boolean;
  /** Whether the store has the job RUNNING. */
  isMarkedRunning: boolean;
  /** Whether it has been simulated, and only keeps its emulated QPU busy. */
  isHeld: boolean;
  /** Milliseconds that its run took here; undefined before its end. */
  computed: number | undefined;
  /** Fires when its time in the express slot is over, or that in which it may wait for a slot. */
  putBackTimer: Timer | undefined;
  /** Resolves when it no longer waits for a slot, to whether it has one. */
  turn: Promise<boolean>;
  /** Lets it wait no longer. */
  endWait(hasSlot: boolean): void;
}

/** After which a job that waits for a slot goes back into the queue: those that run are longer than was expected. */
const MAX_WAIT_MS = 250;

/** Returns a job that has just been claimed. */
export function runningJob(job: JobRow, allotment: Allotment): RunningJob {
  const turn = Promise.withResolvers<boolean>();
  const entry: RunningJob = {
    ...allotment,
    job,
    run: undefined,
    isCancelled: false,
    isPutBack: false,
    isMarkedRunning: false,
    isHeld: false,
    computed: undefined,
    putBackTimer: undefined,
    turn: turn.promise,
    endWait(hasSlot) {
      clearTimeout(entry.putBackTimer);
      entry.isWaiting = false;
      turn.resolve(hasSlot);
    },
  };
  if (entry.isWaiting) entry.putBackTimer = setTimeout(() => putBack(entry), MAX_WAIT_MS);
  else entry.endWait(true);
  return entry;
}

/** Stops a job that is to go back into the queue. */
export function putBack(entry: RunningJob): void {
  entry.isPutBack = true;
  entry.endWait(false);
  entry.run?.cancel();
}
