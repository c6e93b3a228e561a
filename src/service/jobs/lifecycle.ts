import { sql } from "kysely";
import {
  isTerminalJob,
  JOB_STATUSES,
  type JobCancelled,
  type JobDeleted,
  type JobStatus,
  type JobsDeleted,
} from "../../contract/index.ts";
import { appendAudit } from "../accounts/audit-trail.ts";
import type { Caller } from "../accounts/caller.ts";
import type { Context } from "../context.ts";
import { HttpError } from "../http-error.ts";
import { UncertainError } from "../storage-errors.ts";
import type { JobRow } from "../store/schema.ts";
import { locksOf, type Store, type StoreTransaction, transact } from "../store/store.ts";
import { hideFromSearch } from "./list.ts";
import { findJob, toTime } from "./record.ts";

/**
 * Every transition of a job that is allowed. One that is done at once need not be RUNNING. A job that stops half-way,
 * because the service ended, goes back from VALIDATING or RUNNING to QUEUED. A cancelled job always ends CANCELLED, even if it was about to complete.
 */
const TRANSITIONS: Readonly<Record<JobStatus, readonly JobStatus[]>> = {
  INITIALIZING: ["QUEUED", "VALIDATING", "CANCELLING", "FAILED"],
  QUEUED: ["VALIDATING", "HOLD", "CANCELLING", "FAILED"],
  HOLD: ["QUEUED", "CANCELLING", "FAILED"],
  VALIDATING: ["RUNNING", "COMPLETED", "QUEUED", "CANCELLING", "FAILED"],
  RUNNING: ["COMPLETED", "QUEUED", "CANCELLING", "FAILED"],
  CANCELLING: ["CANCELLED"],
  UNKNOWN: ["QUEUED", "CANCELLING", "FAILED"],
  CANCELLED: [],
  COMPLETED: [],
  FAILED: [],
};

/** Lists the statuses from which a job may come into this one. */
export function sourcesOf(status: JobStatus): JobStatus[] {
  return JOB_STATUSES.filter(from => TRANSITIONS[from].includes(status));
}

export type JobChange = Partial<
  Pick<
    JobRow,
    | "status_msg"
    | "crashes"
    | "required_bytes"
    | "cost"
    | "duration_us"
    | "provenance_json"
    | "figures_json"
    | "diagnostics_json"
  >
>;

/**
 * Moves a job to a status, if the table allows it from where the job stands. Where an attempt is given, the job
 * moves only while that attempt is its newest. Returns whether the job moved.
 */
export async function transition(
  store: Store,
  job: { seq: number; attempt?: number },
  to: JobStatus,
  now: number,
  change: JobChange = {},
): Promise<boolean> {
  const { seq, attempt } = job;
  const { numUpdatedRows } = await store
    .updateTable("jobs")
    .set({
      ...change,
      status: to,
      progress: null,
      updated_at: now,
      ...(to === "QUEUED" ? { worker_id: null, leased_until: null } : {}),
      ...(isTerminalJob(to) ? { ended_at: notBeforeSubmission(now) } : {}),
    })
    .where("seq", "=", seq)
    .where("status", "in", sourcesOf(to))
    .$if(attempt !== undefined, update => update.where("attempt", "=", attempt!))
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** The time, or that of the submission where the clock was set back since. */
export const notBeforeSubmission = (now: number) =>
  sql<number>`case when created_at > ${now} then created_at else ${now} end`;

/** Requests that a job be cancelled, which happens soon after; throws an HttpError (409) when the job has ended. */
export async function cancelJob(context: Context, caller: Caller, qrn: string): Promise<JobCancelled> {
  const { store, clock, queue } = context;
  const { seq } = await findJob(store, caller, qrn);
  const mark = (transaction: StoreTransaction) => transition(transaction, { seq }, "CANCELLING", clock());
  if (await transact(store, mark)) {
    queue.cancelled();
    return { message: "The job is being cancelled.", jobQrn: qrn, status: "CANCELLING" };
  }
  const { status } = await findJob(store, caller, qrn);
  if (status === "CANCELLING") return { message: "The job is being cancelled already.", jobQrn: qrn, status };
  throw new HttpError("JOB_CANCEL_CONFLICT", `The job can no longer be cancelled: it is ${status}.`);
}

/**
 * Finds a job of the caller's once it has changed, or ended, or the given number of milliseconds have passed: at once where the queue
 * does not hear of changes. Throws an HttpError (404).
 */
export async function awaitChange(
  { store, queue }: Pick<Context, "store" | "queue">,
  caller: Caller,
  qrn: string,
  milliseconds: number,
): Promise<JobRow> {
  const row = await findJob(store, caller, qrn);
  if (milliseconds === 0 || !queue.changed || isTerminalJob(row.status)) return row;
  const changed = queue.changed(row.seq, milliseconds);
  const now = await findJob(store, caller, qrn);
  if (now.status !== row.status || now.progress !== row.progress) return now;
  await changed;
  return findJob(store, caller, qrn);
}

/** Deletes a job: it appears nowhere any more; if it runs, it continues, and is charged. Throws an HttpError (404). */
export async function deleteJob(context: Context, caller: Caller, qrn: string): Promise<JobDeleted> {
  const now = context.clock();
  const stillRunning = (await hideJobs(context, caller, [qrn], now)).get(qrn);
  if (stillRunning === undefined) throw new HttpError("NOT_FOUND", `There is no job ${qrn.slice(0, 200)}.`);
  const message = stillRunning ? "The job is deleted; it runs on, and is charged." : "The job is deleted.";
  return { message, jobQrn: qrn, deletedAt: toTime(now), stillRunning };
}

/** Jobs that are deleted in one transaction, so others come in between. */
const MAX_TOGETHER = 100;

/** Deletes several jobs, and returns what happened to each. */
export async function deleteJobs(
  context: Context,
  caller: Caller,
  qrns: readonly string[],
): Promise<JobsDeleted> {
  const now = context.clock();
  const hidden = new Map<string, boolean>();
  const asked = [...new Set(qrns)];
  for (let start = 0; start < asked.length; start += MAX_TOGETHER) {
    const together = asked.slice(start, start + MAX_TOGETHER);
    const done = await hideJobs(context, caller, together, now).catch(error => {
      throw hidden.size > 0 ? new UncertainError(error) : error;
    });
    for (const [qrn, runsOn] of done) hidden.set(qrn, runsOn);
  }
  const failed = asked.filter(qrn => !hidden.has(qrn)).map(qrn => [qrn, "There is no such job."]);
  return {
    successfulIds: asked.filter(qrn => hidden.has(qrn)),
    failedIds: Object.fromEntries(failed),
    stillRunning: asked.filter(qrn => hidden.get(qrn)),
  };
}

/** Hides the jobs of these that the caller has. Returns whether each of them runs on, by its QRN. */
function hideJobs(
  { store }: Context,
  caller: Caller,
  qrns: readonly string[],
  now: number,
): Promise<Map<string, boolean>> {
  return transact(store, async transaction => {
    const named = transaction
      .selectFrom("jobs")
      .select(["seq", "qrn", "status", "vendor", "provider", "experiment_type", "device_type"])
      .where("qrn", "in", qrns)
      .where("user_id", "=", caller.userId)
      .where("deleted_at", "is", null);
    const jobs = await (locksOf(store)?.lockInOrder(named) ?? named).execute();
    if (jobs.length === 0) return new Map();
    /** The counts of jobs are locked in one order, so transactions never wait for each other in a circle. */
    const counted = Map.groupBy(jobs, ({ seq: _seq, qrn: _qrn, ...counts }) => Object.values(counts).join());
    for (const name of [...counted.keys()].sort()) {
      const seqs = counted.get(name)!.map(({ seq }) => seq);
      await transaction.updateTable("jobs").set({ deleted_at: now }).where("seq", "in", seqs).execute();
    }
    const all = jobs.map(({ seq }) => seq);
    await hideFromSearch(transaction, caller.userId, all);
    const { keyId, organizationId } = caller;
    const runsOn = new Map(jobs.map(({ qrn, status }) => [qrn, !isTerminalJob(status)]));
    const entries = Array.from(runsOn, ([subject, stillRunning]) => ({
      event: "job.deleted" as const,
      actor: `key:${keyId}`,
      organizationId,
      subject,
      details: { stillRunning },
    }));
    await appendAudit(transaction, entries, now);
    return runsOn;
  });
}
