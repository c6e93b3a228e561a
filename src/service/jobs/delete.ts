import { isTerminalJob } from "../../contract/status.ts";
import type { JobDeleted, JobsDeleted } from "../../contract/summary.ts";
import { appendAudit } from "../accounts/audit-trail.ts";
import type { Caller } from "../accounts/caller.ts";
import type { Context } from "../context.ts";
import { HttpError } from "../http-error.ts";
import { locksOf, type StoreTransaction, transact } from "../store/store.ts";
import { toTime } from "./record.ts";
import { hideFromSearch } from "./search-index.ts";

/** Deletes a job: it appears nowhere any more; if it runs, it continues, and is charged. Throws an HttpError (404). */
export async function deleteJob(context: Context, caller: Caller, qrn: string): Promise<JobDeleted> {
  const now = context.clock();
  const stillRunning = await transact(context.store, transaction => hide(transaction, caller, qrn, now));
  if (stillRunning === undefined) throw new HttpError("NOT_FOUND", `There is no job ${qrn.slice(0, 200)}.`);
  const message = stillRunning ? "The job is deleted; it runs on, and is charged." : "The job is deleted.";
  return { message, jobQrn: qrn, deletedAt: toTime(now), stillRunning };
}

/** Jobs that are deleted in one transaction, so that others come in between. */
const MAX_TOGETHER = 100;

/** Deletes several jobs, and returns what happened to each. */
export async function deleteJobs(
  context: Context,
  caller: Caller,
  qrns: readonly string[],
): Promise<JobsDeleted> {
  const now = context.clock();
  const successfulIds: string[] = [];
  const stillRunning: string[] = [];
  const failed: [string, string][] = [];
  const left = [...new Set(qrns)];
  while (left.length > 0) {
    const together = left.splice(0, MAX_TOGETHER);
    const runs = await transact(context.store, async transaction => {
      const named = transaction
        .selectFrom("jobs")
        .select("seq")
        .where("qrn", "in", together)
        .where("user_id", "=", caller.userId);
      await locksOf(context.store)?.lockInOrder(named).execute();
      const hidden: (boolean | undefined)[] = [];
      for (const qrn of together) hidden.push(await hide(transaction, caller, qrn, now));
      return hidden;
    });
    for (const [at, qrn] of together.entries()) {
      if (runs[at] === undefined) failed.push([qrn, "There is no such job."]);
      else successfulIds.push(qrn);
      if (runs[at]) stillRunning.push(qrn);
    }
  }
  return { successfulIds, failedIds: Object.fromEntries(failed), stillRunning };
}

/** Hides a job. Returns whether it runs on; `undefined` when the caller has no such job. */
async function hide(
  transaction: StoreTransaction,
  caller: Caller,
  qrn: string,
  now: number,
): Promise<boolean | undefined> {
  const row = await transaction
    .updateTable("jobs")
    .set({ deleted_at: now })
    .where("qrn", "=", qrn)
    .where("user_id", "=", caller.userId)
    .where("deleted_at", "is", null)
    .returning(["seq", "status"])
    .executeTakeFirst();
  if (!row) return undefined;
  await hideFromSearch(transaction, { seq: row.seq, user_id: caller.userId });
  const stillRunning = !isTerminalJob(row.status);
  const { keyId, organizationId } = caller;
  await appendAudit(
    transaction,
    [
      {
        event: "job.deleted",
        actor: `key:${keyId}`,
        organizationId,
        subject: qrn,
        details: { stillRunning },
      },
    ],
    now,
  );
  return stillRunning;
}
