import type { Timer } from "#host";
import type { Run } from "../pool.ts";
import type { FairQueue } from "../queue/fair-queue.ts";
import type { WaitingJob } from "../queue/user-share.ts";
import type { JobRow } from "../store/schema.ts";

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
  endWait(hasSlot: boolean): void;
}

/** After which a job that waits for a slot goes back into the queue: those that run are longer than was expected. */
const MAX_WAIT_MS = 250;

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

export function putBack(entry: RunningJob): void {
  entry.isPutBack = true;
  entry.endWait(false);
  entry.run?.cancel();
}

export interface Allotment {
  userId: number;
  tier: string;
  /** The QPU that it runs on, if any. */
  qpu?: string | undefined;
  /** It has the express slot, and is put back when it takes long and others wait. */
  isExpress: boolean;
  /** It is short, has no slot yet, and gets the next one. Default: false. */
  isWaiting?: boolean;
}

interface SlotHolder extends Allotment {
  job: Pick<JobRow, "seq" | "device_type" | "device_qrn">;
  isHeld?: boolean;
}

/** Short jobs that are taken ahead for each slot that runs a short one, so that none waits for a claim. */
const MAX_WAITING = 8;

/**
 * Takes from the queue what there are slots for: the regular ones, and once those are full one express slot, for users
 * of whom nothing runs, so that no user waits for the long jobs of others. Short jobs whose turn is next are taken ahead,
 * once few of them wait. Jobs that may only start after `now`, those of QPUs that are `closed`, and those of `busyUsers`
 * stay.
 * `crowded` is the holder of the express slot when others wait for that.
 */
export function allotSlots<Holder extends SlotHolder>(
  queue: FairQueue,
  running: readonly Holder[],
  slots: number,
  {
    now,
    closed = [],
    busyUsers,
  }: { now?: number; closed?: Iterable<string>; busyUsers?: ReadonlySet<number> } = {},
): { taken: Map<number, Allotment>; crowded: Holder | undefined } {
  const taken = new Map<number, Allotment>();
  const busyQpus = new Set<string>(closed);
  const capacity = {
    busyQpus,
    ...(now === undefined ? {} : { now }),
    ...(busyUsers ? { busyUsers } : {}),
  };
  for (const { job } of running) if (job.device_type === "QPU") busyQpus.add(job.device_qrn);
  const allot = (job: WaitingJob | undefined, kind: Partial<Allotment> = {}) => {
    if (!job) return false;
    const qpu = job.isQpu ? job.device : undefined;
    taken.set(job.seq, { userId: job.userId, tier: job.tier, isExpress: false, qpu, ...kind });
    if (qpu) busyQpus.add(qpu);
    return true;
  };
  let { free, express } = freeSlots(running, slots);
  while (free > 0 && allot(queue.take(capacity))) free -= 1;
  if (free === 0 && !express) allot(queue.take({ ...capacity, isExpress: true }), { isExpress: true });
  const waiting = running.filter(({ isWaiting }) => isWaiting).length;
  const holders = running.filter(holder => !holder.isHeld && !holder.isWaiting).map(({ job }) => job.seq);
  const maxWaiting = MAX_WAITING * [...holders, ...taken.keys()].filter(queue.isShort).length;
  let ahead = free === 0 && 2 * waiting <= maxWaiting ? maxWaiting - waiting : 0;
  while (ahead > 0 && allot(queue.take({ ...capacity, isShort: true }), { isWaiting: true })) ahead -= 1;
  const isCrowded = express && queue.hasNext({ ...capacity, isExpress: true });
  return { taken, crowded: isCrowded ? express : undefined };
}

/** Lets jobs that wait for a slot start in the regular ones that are free. */
export function fillSlots(running: readonly RunningJob[], slots: number): void {
  let { free } = freeSlots(running, slots);
  for (const entry of running) {
    if (free === 0) return;
    if (!entry.isWaiting) continue;
    entry.endWait(true);
    free -= 1;
  }
}

/** Counts the regular slots that are free; a job of the express slot moves to one of them. */
function freeSlots<Holder extends SlotHolder>(
  running: readonly Holder[],
  slots: number,
): { free: number; express: Holder | undefined } {
  const holders = running.filter(({ isHeld, isWaiting }) => !isHeld && !isWaiting);
  const express = holders.find(({ isExpress }) => isExpress);
  const free = slots - holders.length + (express ? 1 : 0);
  if (free === 0 || !express) return { free: Math.max(0, free), express };
  express.isExpress = false;
  return { free: free - 1, express: undefined };
}
