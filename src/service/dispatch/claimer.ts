import { detach, type Timer } from "#host";
import { devicesInOutage } from "../emulation.ts";
import type { JobRow } from "../store/schema.ts";
import { claimJobs, enqueueSubmitted, leaseOf } from "./claim.ts";
import type { Dispatching } from "./executor.ts";
import { type Allotment, allotSlots, type RunningJob } from "./slots.ts";

interface ClaimerParts
  extends Pick<
    Dispatching,
    "store" | "catalogue" | "queue" | "clock" | "worker" | "running" | "announce" | "wake"
  > {
  slots: number;
  onClaim(job: JobRow, allotment: Allotment): void;
}

interface Claimer {
  /** Claims what there are slots for, one call at a time. */
  claim(): Promise<void>;
  /** Notes that QPUs and users may be free again of which other workers ran jobs. */
  freeAll(): void;
  /** Notes that a user has one running job less. */
  freeUser(userId: number): void;
  stop(): void;
}

/** Pauses between updates that mark jobs QUEUED which have just been submitted: most are claimed before. */
const ENQUEUE_INTERVAL_MS = 100;
/** After which the clock is read again, which may have jumped. */
const MAX_TIMER_MS = 100;

export function createClaimer(parts: ClaimerParts): Claimer {
  const { store, catalogue, queue, clock, worker, running, slots, announce, wake, onClaim } = parts;
  /** QPUs that run a job of another worker. */
  const busyElsewhere = new Set<string>();
  /** Users of whom as many jobs run as may, on other workers included. */
  const busyUsers = new Set<number>();
  /** Number of jobs added to the queue before jobs were last QUEUED. */
  let enqueued = 0;
  /** Earliest time to mark newly submitted jobs as QUEUED again. */
  let enqueueAt = Number.NEGATIVE_INFINITY;
  let enqueueTimer: Timer | undefined;
  /** Fires when the next job may start that may not yet. */
  let startTimer: Timer | undefined;

  async function claim(): Promise<void> {
    const now = clock();
    const closed = [...devicesInOutage(catalogue, now), ...busyElsewhere];
    const { taken, crowded } = allotSlots(queue, [...running.values()], { slots, now, closed, busyUsers });
    const next = queue.nextStart(now);
    clearTimeout(startTimer);
    if (next !== undefined)
      startTimer = detach(setTimeout(wake, Math.min(Math.max(1, next - now), MAX_TIMER_MS)));
    if (crowded) limitExpress(crowded, wake);
    const hasNew = isEnqueueDue();
    if (taken.size === 0 && !hasNew) return;
    if (hasNew) enqueued = queue.additions;
    const lease = leaseOf(worker, now);
    try {
      const { claimed, waiting, busy } = await claimJobs(store, { wanted: taken, hasNew, lease }, now);
      if (claimed.length > 0) announce({ claimed: claimed.map(({ seq }) => seq) });
      for (const job of claimed) {
        onClaim(job, taken.get(job.seq)!);
        taken.delete(job.seq);
      }
      for (const where of busy)
        "user_id" in where ? busyUsers.add(where.user_id) : busyElsewhere.add(where.device_qrn);
      if (taken.size > 0) wake();
      for (const seq of waiting) {
        queue.putBack(seq, "unstarted");
        taken.delete(seq);
      }
    } catch (error) {
      for (const seq of taken.keys()) queue.putBack(seq, "unstarted");
      enqueued = 0;
      throw error;
    }
    for (const seq of taken.keys()) queue.lost(seq);
    if (!hasNew) return;
    try {
      await enqueueSubmitted(store, now);
    } catch (error) {
      enqueued = 0;
      throw error;
    }
  }

  /** Whether jobs that have just been submitted are to be QUEUED; that is done together with others, and not for each. */
  function isEnqueueDue(): boolean {
    if ((queue.size === 0 && !queue.hasLeftOut) || queue.additions === enqueued) return false;
    const left = enqueueAt - performance.now();
    if (left <= 0) {
      enqueueAt = performance.now() + ENQUEUE_INTERVAL_MS;
      return true;
    }
    clearTimeout(enqueueTimer);
    enqueueTimer = detach(setTimeout(wake, left));
    return false;
  }

  return {
    claim,
    freeAll() {
      for (const busy of [busyElsewhere, busyUsers]) busy.clear();
    },
    freeUser: userId => void busyUsers.delete(userId),
    stop() {
      for (const timer of [startTimer, enqueueTimer]) clearTimeout(timer);
    },
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
