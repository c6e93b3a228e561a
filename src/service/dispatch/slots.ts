import type { FairQueue, WaitingJob } from "../queue/fair-queue.ts";
import type { JobRow } from "../store/schema.ts";

/** What a job got its slot for. */
export interface Allotment {
  userId: number;
  /** Tier of the job's user. */
  tier: string;
  /** The QPU that it runs on, if any. */
  qpu?: string | undefined;
  /** It has the express slot, and is put back when it takes long and others wait. */
  isExpress: boolean;
}

/** A job that runs in a slot. */
export interface SlotHolder extends Allotment {
  job: Pick<JobRow, "device_type" | "device_qrn">;
  /** Whether it has been simulated, and only keeps its emulated QPU busy. */
  isHeld?: boolean;
}

/**
 * Takes from the queue what there are slots for: the regular ones, and once those are full one express slot, for users
 * of whom nothing runs, so that no user waits for the long jobs of others. A job of the express slot moves to a
 * regular one when there is one. Jobs that may only start after `now`, those of QPUs that are `closed`, and those of
 * `busyUsers` stay.
 * `crowded` is the holder of the express slot when others wait for that.
 */
export function allotSlots<Holder extends SlotHolder>(
  queue: FairQueue,
  running: Iterable<Holder>,
  slots: number,
  {
    now,
    closed = [],
    busyUsers,
  }: { now?: number; closed?: Iterable<string>; busyUsers?: ReadonlySet<number> } = {},
): { taken: Map<number, Allotment>; crowded: Holder | undefined } {
  const entries = [...running];
  const holders = entries.filter(({ isHeld }) => !isHeld);
  const taken = new Map<number, Allotment>();
  const busyQpus = new Set<string>(closed);
  const capacity = {
    busyQpus,
    ...(now === undefined ? {} : { now }),
    ...(busyUsers ? { busyUsers } : {}),
  };
  for (const { job } of entries) if (job.device_type === "QPU") busyQpus.add(job.device_qrn);
  const allot = (job: WaitingJob | undefined, isExpress: boolean) => {
    if (!job) return false;
    const qpu = job.isQpu ? job.device : undefined;
    taken.set(job.seq, { userId: job.userId, tier: job.tier, isExpress, qpu });
    if (qpu) busyQpus.add(qpu);
    return true;
  };
  let express = holders.find(({ isExpress }) => isExpress);
  let free = slots - holders.length + (express ? 1 : 0);
  if (free > 0 && express) {
    express.isExpress = false;
    express = undefined;
    free -= 1;
  }
  while (free > 0 && allot(queue.take(capacity), false)) free -= 1;
  if (free === 0 && !express) allot(queue.take({ ...capacity, isExpress: true }), true);
  const isCrowded = express && queue.hasNext({ ...capacity, isExpress: true });
  return { taken, crowded: isCrowded ? express : undefined };
}
