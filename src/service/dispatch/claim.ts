import { transition } from "../jobs/lifecycle.ts";
import type { JobRow } from "../store/schema.ts";
import { type Store, transact } from "../store/store.ts";

const maxCrashes = 20;

/**
 * Queues what has been submitted, and takes the oldest queued jobs, each as a new attempt: as many as there is room
 * for, and none of a QPU that has one, since a QPU runs one job at a time.
 */
export function claimJobs(
  store: Store,
  room: number,
  busyQpus: readonly string[],
  now: number,
): Promise<JobRow[]> {
  return transact(store, async transaction => {
    await enqueueNew(transaction, now);
    const busy = [...busyQpus];
    const claimed: JobRow[] = [];
    while (claimed.length < room) {
      const job = await claimNext(transaction, busy, now);
      if (!job) break;
      claimed.push(job);
      if (job.device_type === "QPU") busy.push(job.device_qrn);
    }
    return claimed;
  });
}

async function enqueueNew(store: Store, now: number): Promise<void> {
  await store
    .updateTable("jobs")
    .set({ status: "QUEUED", updated_at: now })
    .where("ended_at", "is", null)
    .where("status", "=", "INITIALIZING")
    .execute();
}

async function claimNext(store: Store, busy: readonly string[], now: number): Promise<JobRow | undefined> {
  const queued = store
    .selectFrom("jobs")
    .selectAll()
    .where("ended_at", "is", null)
    .where("status", "=", "QUEUED")
    .orderBy("seq")
    .limit(1);
  const free = busy.length > 0 ? queued.where("device_qrn", "not in", busy) : queued;
  const row = await free.executeTakeFirst();
  if (!row) return undefined;
  const { progress: _, ...metadata } = JSON.parse(row.metadata_json);
  const change = {
    attempt: row.attempt + 1,
    started_at: row.started_at ?? Math.max(now, row.created_at),
    metadata_json: JSON.stringify(metadata),
  };
  await transition(store, row, "VALIDATING", now, change);
  return { ...row, ...change, status: "VALIDATING" };
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
