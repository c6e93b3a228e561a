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
  /** Whether it is to go back into the queue, since others wait for the express slot. */
  isPutBack: boolean;
  /** Whether the store has the job RUNNING. */
  isMarkedRunning: boolean;
  /** Whether it has been simulated, and only keeps its emulated QPU busy. */
  isHeld: boolean;
  /** Milliseconds that its run took here; undefined before its end. */
  computed: number | undefined;
  /** Fires when its time in the express slot is over. */
  expressTimer: Timer | undefined;
}

/** Returns a job that has just been given its slot. */
export const runningJob = (job: JobRow, allotment: Allotment): RunningJob => ({
  ...allotment,
  job,
  run: undefined,
  isCancelled: false,
  isPutBack: false,
  isMarkedRunning: false,
  isHeld: false,
  computed: undefined,
  expressTimer: undefined,
});
