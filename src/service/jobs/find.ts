import type { Caller } from "../accounts/caller.ts";
import { HttpError } from "../http-error.ts";
import { prepareQuery } from "../store/prepared.ts";
import type { JobRow } from "../store/schema.ts";
import type { Store } from "../store/store.ts";

const findByQrn = prepareQuery((store, { qrn, userId }: { qrn: string; userId: number }) =>
  store
    .selectFrom("jobs")
    .selectAll()
    .where("qrn", "=", qrn)
    .where("user_id", "=", userId)
    .where("deleted_at", "is", null),
);

/** Finds a job of the caller's that is not deleted; throws an HttpError (404). */
export async function findJob(store: Store, caller: Caller, qrn: string): Promise<JobRow> {
  const row = (await findByQrn(store, { qrn, userId: caller.userId })).rows[0];
  if (!row) throw new HttpError("NOT_FOUND", `There is no job ${qrn.slice(0, 200)}.`);
  return row;
}
