import type { Timer } from "#host";
import type { Run } from "../pool.ts";
import type { FairQueue } from "../queue/fair-queue.ts";
import type { JobRow } from "../store/schema.ts";

/** A job that this worker runs. */
export interface RunningJob extends Allotment {
  job: JobRow;
  /** Its run in a thread; undefined before that has begun. */
  run?: Run;
  isCancelled: boolean;
  /** Whether it is to go back into the queue, since others wait for the express slot. */
  isPutBack: boolean;
  isMarkedRunning: boolean;
  /** Whether it has been simulated, and only keeps its emulated QPU busy. */
  isOccupying: boolean;
  /** Milliseconds that its run took here; undefined before its end. */
  computed?: number;
  /** Fires when its time in the express slot is over. */
  putBackTimer?: Timer;
}

export interface Allotment {
  userId: number;
  tier: string;
  /** The QPU that it runs on, if any. */
  qpu?: string | undefined;
  /** It has the express slot, and is put back when it takes long and others wait. */
  isExpress: boolean;
}

interface Capacity {
  slots: number;
  now: number;
  /** QPUs that take no jobs. */
  closed: Iterable<string>;
  busyUsers: ReadonlySet<number>;
}

/**
 * Takes from the queue what there are slots for: the regular ones, and once those are full one express slot, for users
 * of whom nothing runs, so no user waits for the long jobs of others. Jobs that may only start after `now`, those
 * of QPUs that are `closed`, and those of `busyUsers` stay.
 * `crowded` is the holder of the express slot when others wait for that.
 */
export function allotSlots(
  queue: FairQueue,
  running: readonly RunningJob[],
  { slots, now, closed, busyUsers }: Capacity,
): { taken: Map<number, Allotment>; crowded: RunningJob | undefined } {
  const taken = new Map<number, Allotment>();
  const busyQpus = new Set<string>(closed);
  for (const { job } of running) if (job.device_type === "QPU") busyQpus.add(job.device_qrn);
  const take = (isExpress: boolean) => {
    const job = queue.take({ busyQpus, busyUsers, now, isExpress });
    if (!job) return false;
    const qpu = job.isQpu ? job.device : undefined;
    taken.set(job.seq, { userId: job.userId, tier: job.tier, isExpress, qpu });
    if (qpu) busyQpus.add(qpu);
    return true;
  };
  const holders = running.filter(({ isOccupying }) => !isOccupying);
  let express = holders.find(({ isExpress }) => isExpress);
  let free = Math.max(0, slots - holders.length + (express ? 1 : 0));
  if (free > 0 && express) {
    express.isExpress = false;
    express = undefined;
    free -= 1;
  }
  while (free > 0 && take(false)) free -= 1;
  if (free === 0 && !express) take(true);
  const isCrowded = express && queue.hasNext({ busyQpus, busyUsers, now, isExpress: true });
  return { taken, crowded: isCrowded ? express : undefined };
}
