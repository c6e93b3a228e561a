import { notBeforeSubmission, transition } from "../jobs/lifecycle.ts";
import { WAITING } from "../queue/waiting.ts";
import type { JobRow } from "../store/schema.ts";
import { type Store, type StoreTransaction, transact } from "../store/store.ts";
import { isOurs, type Lease, type Worker } from "./lease.ts";

const MAX_CRASHES = 20;

/**
 * Claims jobs that wait, each as a new attempt under a lease, and queues all others where some have just been submitted.
 * Jobs that were cancelled or claimed by another worker meanwhile are not claimed.
 */
export function claimJobs(
  store: Store,
  { seqs, hasNew, lease }: { seqs: readonly number[]; hasNew: boolean; lease: Lease },
  now: number,
): Promise<JobRow[]> {
  return transact(
    store,
    async transaction => {
      const claimed: JobRow[] = [];
      for (const seq of seqs) {
        const job = await claimJob(transaction, seq, lease, now);
        if (job) claimed.push(job);
      }
      if (hasNew) await enqueueNew(transaction, now);
      return claimed;
    },
    { isUrgent: true, isDurable: false },
  );
}

async function enqueueNew(transaction: StoreTransaction, now: number): Promise<void> {
  await transaction
    .updateTable("jobs")
    .set({ status: "QUEUED", updated_at: now })
    .where("ended_at", "is", null)
    .where("status", "=", "INITIALIZING")
    .execute();
}

/** One statement, so that of two workers that claim a job at once one gets no row. */
function claimJob(
  transaction: StoreTransaction,
  seq: number,
  lease: Lease,
  now: number,
): Promise<JobRow | undefined> {
  return transaction
    .updateTable("jobs")
    .set(eb => ({
      ...lease,
      status: "VALIDATING",
      attempt: eb("attempt", "+", 1),
      progress: null,
      started_at: eb.fn.coalesce("started_at", notBeforeSubmission(now)),
      updated_at: now,
    }))
    .where("seq", "=", seq)
    .where("status", "in", WAITING)
    .returningAll()
    .executeTakeFirst();
}

/**
 * Puts a job that a crash has interrupted back into the queue. Returns whether it went back; it does not where it was
 * cancelled meanwhile, or after twenty crashes: a program that takes the service down must not run again.
 */
export async function requeueAfterCrash(store: Store, job: JobRow, now: number): Promise<boolean> {
  const crashes = job.crashes + 1;
  return crashes < MAX_CRASHES && transition(store, job, "QUEUED", now, { crashes });
}

/** Finds the jobs that a worker has left half-way: those of workers whose lease is over. */
export function findInterrupted(store: Store, worker: Worker, now: number): Promise<JobRow[]> {
  return store
    .selectFrom("jobs")
    .selectAll()
    .where("ended_at", "is", null)
    .where("status", "in", ["VALIDATING", "RUNNING"])
    .where(isOurs(worker, now))
    .execute();
}

/** Finds the jobs that this worker has to cancel: its own, those that nobody runs, and those whose lease is over. */
export function findCancelling(store: Store, worker: Worker, now: number): Promise<JobRow[]> {
  return store
    .selectFrom("jobs")
    .selectAll()
    .where("ended_at", "is", null)
    .where("status", "=", "CANCELLING")
    .where(isOurs(worker, now))
    .execute();
}

/** Whether any job has not ended. */
export async function hasUnfinished(store: Store): Promise<boolean> {
  const row = await store
    .selectFrom("jobs")
    .select("seq")
    .where("ended_at", "is", null)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
