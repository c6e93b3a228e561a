import { tierOf } from "../accounts/tiers.ts";
import { notBeforeSubmission, transition } from "../jobs/lifecycle.ts";
import { WAITING } from "../queue/waiting.ts";
import type { StoreLocks } from "../store/dialect.ts";
import { prepareQuery } from "../store/prepared.ts";
import type { JobRow } from "../store/schema.ts";
import { locksOf, type Store, type StoreTransaction, transact } from "../store/store.ts";
import { isOurs, type Lease, type Worker } from "./lease.ts";
import type { Allotment } from "./slots.ts";

const MAX_CRASHES = 20;

/** What a worker wants to claim. */
export interface ClaimOptions {
  /** Jobs by their numbers, and what each has its slot for. */
  wanted: ReadonlyMap<number, Allotment>;
  /** Whether some have just been submitted. */
  hasNew: boolean;
  lease: Lease;
}

/** What came of a claim. */
export interface Claim {
  claimed: JobRow[];
  /** Jobs that wait still, such as those of a QPU that runs a job of another worker. */
  waiting: number[];
}

/**
 * Claims jobs that wait, each as a new attempt under a lease, and queues all others where some have just been submitted.
 * Jobs that were cancelled or claimed by another worker meanwhile are not claimed; a QPU gets one at a time, and a user no
 * more than the tier allows.
 */
export async function claimJobs(
  store: Store,
  { wanted, hasNew, lease }: ClaimOptions,
  now: number,
): Promise<Claim> {
  const locks = locksOf(store);
  const claimJob = locks ? claimWaiting(locks) : claimAlone;
  const names = new Set(Array.from(wanted.values(), limitedBy).flat());
  const claim = await transact(
    store,
    async transaction => {
      if (locks) for (const name of [...names].sort()) await locks.lockName(transaction, name);
      const claimed: JobRow[] = [];
      for (const [seq, allotment] of wanted) {
        if (locks && (await isBusy(transaction, allotment))) continue;
        claimed.push(...(await claimJob(transaction, { ...lease, seq, now })).rows);
      }
      if (hasNew && !locks) await enqueueNew(transaction, locks, now);
      return { claimed, waiting: await findWaiting(transaction, wanted, claimed) };
    },
    { isUrgent: true, isDurable: false },
  );
  if (hasNew && locks) await transact(store, transaction => enqueueNew(transaction, locks, now));
  return claim;
}

/** The names of what a job needs, and no other may take at the same time: its QPU, and its user's running jobs. */
function limitedBy({ qpu, userId, tier }: Allotment): string[] {
  return [
    ...(qpu === undefined ? [] : [`qpu ${qpu}`]),
    ...(tierOf(tier).runningJobs === null ? [] : [`user ${userId}`]),
  ];
}

async function enqueueNew(
  transaction: StoreTransaction,
  locks: StoreLocks | undefined,
  now: number,
): Promise<void> {
  const isNew = transaction
    .selectFrom("jobs")
    .select("seq")
    .where("ended_at", "is", null)
    .where("status", "=", "INITIALIZING");
  await transaction
    .updateTable("jobs")
    .set({ status: "QUEUED", updated_at: now })
    .where("seq", "in", locks ? locks.lockFree(isNew) : isNew)
    .execute();
}

/** What a claim sets, and of which job. */
interface ClaimValues extends Lease {
  seq: number;
  now: number;
}

/** One statement, so that of two workers that claim a job at once one gets no row. */
const claimWaiting = (locks?: StoreLocks) =>
  prepareQuery((store, { seq, now, worker_id, leased_until }: ClaimValues) => {
    const free = locks?.lockFree(store.selectFrom("jobs").select("seq").where("seq", "=", seq));
    return store
      .updateTable("jobs")
      .set(eb => ({
        worker_id,
        leased_until,
        status: "VALIDATING",
        attempt: eb("attempt", "+", 1),
        progress: null,
        started_at: eb.fn.coalesce("started_at", notBeforeSubmission(now)),
        updated_at: now,
      }))
      .where("seq", free ? "in" : "=", free ?? seq)
      .where("status", "in", WAITING)
      .returningAll();
  });

const claimAlone = claimWaiting();

/** Whether workers run a job on the QPU, or as many of the user's jobs as may run. */
async function isBusy(transaction: StoreTransaction, { qpu, userId, tier }: Allotment): Promise<boolean> {
  const running = transaction
    .selectFrom("jobs")
    .select(eb => eb.fn.countAll<number>().as("count"))
    .where("ended_at", "is", null)
    .where("status", "in", ["VALIDATING", "RUNNING", "CANCELLING"])
    .where("worker_id", "is not", null);
  if (qpu !== undefined) {
    const { count } = await running.where("device_qrn", "=", qpu).executeTakeFirstOrThrow();
    if (count > 0) return true;
  }
  const { runningJobs } = tierOf(tier);
  if (runningJobs === null) return false;
  return (await running.where("user_id", "=", userId).executeTakeFirstOrThrow()).count >= runningJobs;
}

/** Finds the jobs that run. */
export async function findRunning(store: Store): Promise<Set<number>> {
  const rows = await store
    .selectFrom("jobs")
    .select("seq")
    .where("ended_at", "is", null)
    .where("status", "in", ["VALIDATING", "RUNNING", "CANCELLING"])
    .execute();
  return new Set(rows.map(({ seq }) => seq));
}

async function findWaiting(
  transaction: StoreTransaction,
  wanted: ReadonlyMap<number, unknown>,
  claimed: readonly JobRow[],
): Promise<number[]> {
  const missed = new Set(wanted.keys());
  for (const { seq } of claimed) missed.delete(seq);
  if (missed.size === 0) return [];
  const rows = await transaction
    .selectFrom("jobs")
    .select("seq")
    .where("seq", "in", [...missed])
    .where("status", "in", WAITING)
    .execute();
  return rows.map(({ seq }) => seq);
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

/** Finds at most `limit` jobs that this worker has to cancel: its own, those that nobody runs, and those whose lease is over. */
export function findCancelling(store: Store, worker: Worker, now: number, limit: number): Promise<JobRow[]> {
  return store
    .selectFrom("jobs")
    .selectAll()
    .where("ended_at", "is", null)
    .where("status", "=", "CANCELLING")
    .where(isOurs(worker, now))
    .limit(limit)
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
