import type { Caller } from "../accounts/caller.ts";
import { HttpError } from "../http-error.ts";
import type { JobRow } from "../store/schema.ts";
import type { Store } from "../store/store.ts";

/** Finds a job of the caller's that is not deleted; throws an HttpError (404). */
export async function findJob(store: Store, caller: Caller, qrn: string): Promise<JobRow> {
  const row = await store
    .selectFrom("jobs")
    .selectAll()
    .where("qrn", "=", qrn)
    .where("user_id", "=", caller.userId)
    .where("deleted_at", "is", null)
    .executeTakeFirst();
  if (!row) throw new HttpError("NOT_FOUND", `There is no job ${qrn.slice(0, 200)}.`);
  return row;
}
