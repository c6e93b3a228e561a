import type { ExpressionBuilder, ExpressionWrapper, SqlBool } from "kysely";
import type { Database, JobRow } from "../store/schema.ts";
import { locksOf, type Store, serverOf } from "../store/store.ts";

/** For how long a worker that says nothing is taken to be alive, by default. */
export const LEASE_MS = 30_000;

/** Renewal interval of leases, and time until a lease counts as not renewed, as fractions of a lease. */
export const RENEWED = 1 / 10;
const UNRENEWED = 1 / 4;

/** Process that runs a store's jobs. */
export interface Worker {
  id: string;
  /** Milliseconds for which it is taken to be alive when it says nothing. Default: 30,000. */
  lease?: number;
  /** Whether no other worker may be alive, such as under the lock of a data folder: then every lease is over. */
  isAlone: boolean;
}

/** Columns of a job that say who runs it, and until when that holds. */
export type Lease = Pick<JobRow, "worker_id" | "leased_until">;

/** The lease of a worker from now on. */
export const leaseOf = ({ id, lease = LEASE_MS }: Worker, now: number): Lease => ({
  worker_id: id,
  leased_until: now + lease,
});

/**
 * Whether a job is for this worker to look after: its own, nobody's, or one whose lease is over. The lease of a worker
 * whose connection is lost is over once it is not renewed.
 */
export const isOurs =
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

/** Renews the leases of the jobs that a worker runs. */
export async function renewLeases(store: Store, worker: Worker, now: number): Promise<void> {
  const held = store
    .selectFrom("jobs")
    .select("seq")
    .where("ended_at", "is", null)
    .where("status", "in", ["VALIDATING", "RUNNING", "CANCELLING"])
    .where("worker_id", "=", worker.id);
  await store
    .updateTable("jobs")
    .set(leaseOf(worker, now))
    .where("seq", "in", locksOf(store)?.lockInOrder(held) ?? held)
    .execute();
}
