import type { ExpressionBuilder, ExpressionWrapper, SqlBool } from "kysely";
import { isTerminalJob, JOB_STATUSES, type JobStatus } from "../../contract/index.ts";
import { tierOf } from "../accounts/caller.ts";
import { notBeforeSubmission, transition } from "../jobs/lifecycle.ts";
import { jobsThatAre, WAITING } from "../queue/job-queue.ts";
import type { Database, JobRow } from "../store/schema.ts";
import {
  locksOf,
  type Store,
  type StoreLocks,
  type StoreTransaction,
  serverOf,
  transact,
} from "../store/store.ts";
import type { Allotment } from "./claimer.ts";

/** For how long a worker that says nothing is taken to be alive, by default. */
export const LEASE_MS = 30_000;

/** Renewal interval of leases, and time until a lease counts as not renewed, as fractions of a lease. */
export const RENEWED = 1 / 10;
const UNRENEWED = 1 / 4;

export interface Worker {
  id: string;
  /** Milliseconds for which it is taken to be alive when it says nothing. Default: 30,000. */
  lease?: number;
  /** Whether no other worker may be alive, such as under the lock of a data folder: then every lease is over. */
  isAlone: boolean;
}

/** Statuses of the jobs that workers have. */
const HELD: readonly JobStatus[] = ["VALIDATING", "RUNNING", "CANCELLING"];

/** Columns of a job that say who runs it, and until when that holds. */
type Lease = Pick<JobRow, "worker_id" | "leased_until">;

export const leaseOf = ({ id, lease = LEASE_MS }: Worker, now: number): Lease => ({
  worker_id: id,
  leased_until: now + lease,
});

/**
 * Whether a job is for this worker to look after: its own, nobody's, or one whose lease is over. The lease of a worker
 * whose connection is lost is over once it is not renewed.
 */
const isOurs =
  (store: Store, { id, isAlone, lease = LEASE_MS }: Worker, now: number) =>
  (eb: ExpressionBuilder<Database, "jobs">): ExpressionWrapper<Database, "jobs", SqlBool> =>
    isAlone
      ? eb.and([])
      : eb.or([
          eb("worker_id", "is", null),
          eb("worker_id", "=", id),
          eb("leased_until", "is", null),
          eb("leased_until", "<=", now),
          eb.and([
            eb("leased_until", "<=", now + (1 - UNRENEWED) * lease),
            serverOf(store)?.isWorkerGone(eb.ref("worker_id")) ?? eb.lit(false),
          ]),
        ]);

export async function renewLeases(store: Store, worker: Worker, now: number): Promise<void> {
  const held = jobsThatAre(store, HELD).select("seq").where("worker_id", "=", worker.id);
  await store
    .updateTable("jobs")
    .set(leaseOf(worker, now))
    .where("seq", "in", locksOf(store)?.lockInOrder(held) ?? held)
    .execute();
}

const MAX_CRASHES = 20;

/** Jobs by their numbers, and what each has its slot for. */
type Wanted = ReadonlyMap<number, Allotment>;

/**
 * Claims jobs that wait, each as a new attempt under a lease. Jobs that were cancelled or claimed by another worker
 * meanwhile are not claimed; a QPU gets one at a time, and a user no more than the tier allows. Returns also which jobs are
 * `waiting` still, and the QPUs and users that are `busy`: as many of their jobs run as may.
 */
export async function claimJobs(
  store: Store,
  { wanted, lease }: { wanted: Wanted; lease: Lease },
  now: number,
) {
  const locks = locksOf(store);
  return transact(
    store,
    async transaction => {
      const { allowed, busy } = locks
        ? await withinLimits(transaction, locks, wanted)
        : { allowed: [...wanted.keys()], busy: [] };
      const rows = allowed.length > 0 ? await claimWaiting(transaction, allowed, lease, now) : [];
      const found = new Map(rows.map(row => [row.seq, row]));
      const claimed = allowed.flatMap(seq => found.get(seq) ?? []);
      return { claimed, waiting: await findWaiting(transaction, wanted, claimed), busy };
    },
    { isUrgent: true, isDurable: false },
  );
}

/** Finds the jobs whose QPUs are free, and whose users may run more, as long as the transaction lasts. */
async function withinLimits(
  transaction: StoreTransaction,
  locks: StoreLocks,
  wanted: Wanted,
): Promise<{ allowed: number[]; busy: RunLimit["where"][] }> {
  const limits = new Map(Array.from(wanted.values(), limitsOf).flatMap(each => Object.entries(each)));
  for (const name of [...limits.keys()].sort()) await locks.lockName(transaction, name);
  const running = new Map<string, number>();
  for (const [name, { where }] of limits) running.set(name, await countRunning(transaction, where));
  const busy = new Set<string>();
  const allowed = [...wanted].flatMap(([seq, allotment]) => {
    const names = Object.keys(limitsOf(allotment));
    const reached = names.filter(name => running.get(name)! >= limits.get(name)!.max);
    for (const name of reached) busy.add(name);
    if (reached.length > 0) return [];
    for (const name of names) running.set(name, running.get(name)! + 1);
    return [seq];
  });
  return { allowed, busy: Array.from(busy, name => limits.get(name)!.where) };
}

/** Maximum number of concurrent jobs with this value. */
interface RunLimit {
  max: number;
  where: { device_qrn: string } | { user_id: number };
}

/** Returns the limits shared with other running jobs, by name: its QPU, and its user's tier. */
function limitsOf({ qpu, userId, tier }: Allotment): Record<string, RunLimit> {
  const { runningJobs } = tierOf(tier);
  return {
    ...(qpu === undefined ? {} : { [`qpu ${qpu}`]: { max: 1, where: { device_qrn: qpu } } }),
    ...(runningJobs === null ? {} : { [`user ${userId}`]: { max: runningJobs, where: { user_id: userId } } }),
  };
}

/** One statement, so of two workers that claim a job at once one gets no row. */
function claimWaiting(
  transaction: StoreTransaction,
  seqs: number[],
  lease: Lease,
  now: number,
): Promise<JobRow[]> {
  const wanted = transaction.selectFrom("jobs").select("seq").where("seq", "in", seqs);
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
    .where("seq", "in", locksOf(transaction)?.lockFree(wanted) ?? seqs)
    .where("status", "in", WAITING)
    .returningAll()
    .execute();
}

/** Counts the jobs that workers run of a QPU or a user. */
async function countRunning(transaction: StoreTransaction, where: RunLimit["where"]): Promise<number> {
  const { count } = await jobsThatAre(transaction, HELD)
    .select(eb => eb.fn.countAll<number>().as("count"))
    .where("worker_id", "is not", null)
    .where(eb => eb.and(where))
    .executeTakeFirstOrThrow();
  return count;
}

export async function findRunning(store: Store): Promise<Set<number>> {
  const rows = await jobsThatAre(store, HELD).select("seq").execute();
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
 * cancelled, or put back by another worker, meanwhile.
 */
export const requeueAfterCrash = (store: Store, job: JobRow, now: number): Promise<boolean> =>
  transition(store, job, "QUEUED", now, { crashes: job.crashes + 1 });

/** Whether the next crash of a job is its last: a program that takes the service down must not run again. */
export const isLastCrash = ({ crashes }: JobRow): boolean => crashes + 1 >= MAX_CRASHES;

/** Finds the jobs that a worker has left half-way: those of workers whose lease is over. */
export const findInterrupted = (store: Store, worker: Worker, now: number): Promise<JobRow[]> =>
  jobsThatAre(store, ["VALIDATING", "RUNNING"])
    .selectAll()
    .where(isOurs(store, worker, now))
    .execute();

/** Finds at most `limit` jobs that this worker has to cancel: its own, those that nobody runs, and those whose lease is over. */
export function findCancelling(store: Store, worker: Worker, now: number, limit: number): Promise<JobRow[]> {
  return jobsThatAre(store, ["CANCELLING"])
    .selectAll()
    .where(isOurs(store, worker, now))
    .limit(limit)
    .execute();
}

const UNFINISHED = JOB_STATUSES.filter(status => !isTerminalJob(status));

/** Whether any job has not ended. Listing the statuses makes SQLite use an index of only those. */
export async function hasUnfinished(store: Store): Promise<boolean> {
  const row = await jobsThatAre(store, UNFINISHED).select("seq").limit(1).executeTakeFirst();
  return row !== undefined;
}
