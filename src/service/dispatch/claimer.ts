import { detach, type Timer } from "#host";
import { devicesInOutage } from "../emulation.ts";
import type { Run } from "../pool.ts";
import type { FairQueue } from "../queue/fair-queue.ts";
import type { JobRow } from "../store/schema.ts";
import { claimJobs, leaseOf } from "./claim.ts";
import type { Dispatching } from "./job-runner.ts";

interface ClaimerParts
  extends Pick<
    Dispatching,
    "store" | "catalogue" | "queue" | "clock" | "worker" | "running" | "announce" | "wake"
  > {
  slots: number;
  onClaim(job: JobRow, allotment: Allotment): void;
}

/** Time after which the clock, which may have jumped, is read again. */
const MAX_TIMER_MS = 100;

/**
 * Makes the function that claims what there are slots for, one call at a time. What is found busy on other workers is left
 * until the next call.
 */
export function createClaimer(parts: ClaimerParts): () => Promise<void> {
  const { store, catalogue, queue, clock, worker, running, slots, announce, wake, onClaim } = parts;
  /** Fires when the next job may start that may not yet. */
  let startTimer: Timer | undefined;

  return async () => {
    /** QPUs that are closed or run a job of another worker, and users of whom as many jobs run as may. */
    const busyQpus = new Set(devicesInOutage(catalogue, clock()));
    const busyUsers = new Set<number>();
    for (let isMore = true; isMore; ) {
      const now = clock();
      const { taken, crowded } = allotSlots(queue, [...running.values()], {
        slots,
        now,
        busyQpus,
        busyUsers,
      });
      const next = queue.nextStart(now);
      clearTimeout(startTimer);
      if (next !== undefined)
        startTimer = detach(setTimeout(wake, Math.min(Math.max(1, next - now), MAX_TIMER_MS)));
      if (crowded) limitExpress(crowded, wake);
      if (taken.size === 0) return;
      try {
        const wanted = { wanted: taken, lease: leaseOf(worker, now) };
        const { claimed, waiting, busy } = await claimJobs(store, wanted, now);
        if (claimed.length > 0) announce({ claimed: claimed.map(({ seq }) => seq) });
        for (const job of claimed) {
          onClaim(job, taken.get(job.seq)!);
          taken.delete(job.seq);
        }
        for (const where of busy)
          "user_id" in where ? busyUsers.add(where.user_id) : busyQpus.add(where.device_qrn);
        isMore = busy.length > 0;
        if (taken.size > 0 && !isMore) wake();
        for (const seq of waiting) {
          queue.putBack(seq, "unstarted");
          taken.delete(seq);
        }
      } catch (error) {
        for (const seq of taken.keys()) queue.putBack(seq, "unstarted");
        throw error;
      }
      for (const seq of taken.keys()) queue.lost(seq);
    }
  };
}

/** Time for which a job keeps the express slot while others wait for it. */
const EXPRESS_MS = 250;

/** Puts the job of the express slot back once it has had its time; until then, `wake` is called when that is over. */
function limitExpress(entry: RunningJob, wake: () => void): void {
  const left = (entry.run?.startedAt ?? performance.now()) + EXPRESS_MS - performance.now();
  if (left > 0) {
    clearTimeout(entry.putBackTimer);
    entry.putBackTimer = setTimeout(() => wake(), left);
  } else if (!entry.isCancelled && !entry.isPutBack) {
    entry.isPutBack = true;
    entry.run?.cancel();
  }
}

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
  busyQpus: ReadonlySet<string>;
  busyUsers: ReadonlySet<number>;
}

/**
 * Takes from the queue what there are slots for: the regular ones, and once those are full one express slot, for users
 * of whom nothing runs, so no user waits for the long jobs of others. Jobs that may only start after `now`, those
 * of `busyQpus`, and those of `busyUsers` stay.
 * `crowded` is the holder of the express slot when others wait for that.
 */
function allotSlots(
  queue: FairQueue,
  running: readonly RunningJob[],
  { slots, now, busyQpus: closed, busyUsers }: Capacity,
): { taken: Map<number, Allotment>; crowded: RunningJob | undefined } {
  const taken = new Map<number, Allotment>();
  const busyQpus = new Set(closed);
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
