import { notBeforeSubmission, transition } from "../jobs/lifecycle.ts";
import { WAITING } from "../queue/waiting.ts";
import type { JobRow } from "../store/schema.ts";
import { type Store, transact } from "../store/store.ts";

const maxCrashes = 20;

/**
 * Claims jobs that wait, each as a new attempt, and queues all others where some have just been submitted. Jobs that
 * were cancelled meanwhile are not claimed.
 */
export function claimJobs(
  store: Store,
  { seqs, hasNew }: { seqs: readonly number[]; hasNew: boolean },
  now: number,
): Promise<JobRow[]> {
  return transact(
    store,
    async transaction => {
      const claimed: JobRow[] = [];
      for (const seq of seqs) {
        const job = await claimJob(transaction, seq, now);
        if (job) claimed.push(job);
      }
      if (hasNew) await enqueueNew(transaction, now);
      return claimed;
    },
    { isUrgent: true, isDurable: false },
  );
}

async function enqueueNew(store: Store, now: number): Promise<void> {
  await store
    .updateTable("jobs")
    .set({ status: "QUEUED", updated_at: now })
    .where("ended_at", "is", null)
    .where("status", "=", "INITIALIZING")
    .execute();
}

async function claimJob(store: Store, seq: number, now: number): Promise<JobRow | undefined> {
  const row = await store
    .updateTable("jobs")
    .set(eb => ({
      status: "VALIDATING",
      attempt: eb("attempt", "+", 1),
      started_at: eb.fn.coalesce("started_at", notBeforeSubmission(now)),
      updated_at: now,
    }))
    .where("seq", "=", seq)
    .where("status", "in", WAITING)
    .returningAll()
    .executeTakeFirst();
  if (!row?.metadata_json.includes('"progress"')) return row;
  const { progress: _, ...metadata } = JSON.parse(row.metadata_json);
  const metadata_json = JSON.stringify(metadata);
  await store.updateTable("jobs").set({ metadata_json }).where("seq", "=", seq).execute();
  return { ...row, metadata_json };
}

/**
 * Puts a job that a crash has interrupted back into the queue. Says false when it did not go back, because it was
 * cancelled meanwhile, or because it was there at twenty crashes: a program that takes the service down must not go on.
 */
export async function requeueAfterCrash(store: Store, job: JobRow, now: number): Promise<boolean> {
  const crashes = job.crashes + 1;
  return crashes < maxCrashes && transition(store, job, "QUEUED", now, { crashes });
}

/** Finds the jobs that a service that ended at once has left half-way. */
export function findInterrupted(store: Store): Promise<JobRow[]> {
  return store
    .selectFrom("jobs")
    .selectAll()
    .where("ended_at", "is", null)
    .where("status", "in", ["VALIDATING", "RUNNING"])
    .execute();
}

/** Finds the jobs that are to be cancelled. */
export function findCancelling(store: Store): Promise<JobRow[]> {
  return store
    .selectFrom("jobs")
    .selectAll()
    .where("ended_at", "is", null)
    .where("status", "=", "CANCELLING")
    .execute();
}

/** Says whether any job has not ended. */
export async function hasUnfinished(store: Store): Promise<boolean> {
  const row = await store
    .selectFrom("jobs")
    .select("seq")
    .where("ended_at", "is", null)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
