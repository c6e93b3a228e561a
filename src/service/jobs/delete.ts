import { isTerminalJob, type JobDeleted, type JobsDeleted } from "../../contract/index.ts";
import { appendAudit } from "../accounts/audit-trail.ts";
import type { Caller } from "../accounts/caller.ts";
import type { Context } from "../context.ts";
import { HttpError } from "../http-error.ts";
import { UncertainError } from "../storage-errors.ts";
import { locksOf, transact } from "../store/store.ts";
import { hideFromSearch } from "./list.ts";
import { toTime } from "./record.ts";

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
    await hideFromSearch(
      transaction,
      caller.userId,
      jobs.map(({ seq }) => seq),
    );
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
