import type { JobCancelled } from "../../contract/summary.ts";
import type { Caller } from "../accounts/caller.ts";
import type { Context } from "../context.ts";
import { HttpError } from "../http-error.ts";
import { type StoreTransaction, transact } from "../store/store.ts";
import { findJob } from "./find.ts";
import { transition } from "./lifecycle.ts";

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
