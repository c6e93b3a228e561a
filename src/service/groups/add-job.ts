import { parseGroupQrn } from "../../contract/qrn.ts";
import type { Caller } from "../accounts/caller.ts";
import { HttpError } from "../http-error.ts";
import type { GroupRow } from "../store/schema.ts";
import type { Store, StoreTransaction } from "../store/store.ts";

/** Finds a group of the caller's; throws an HttpError (404). */
export async function findGroup(store: Store, caller: Caller, qrn: string): Promise<GroupRow> {
  const row = await store
    .selectFrom("job_groups")
    .selectAll()
    .where("id", "=", parseGroupQrn(qrn) ?? "")
    .where("user_id", "=", caller.userId)
    .executeTakeFirst();
  if (!row) throw new HttpError("NOT_FOUND", `There is no group ${qrn.slice(0, 200)}.`);
  return row;
}

/** Lets a job into an open group, and keeps the group from closing until the transaction ends. */
export async function addJobToGroup(
  transaction: StoreTransaction,
  caller: Caller,
  qrn: string,
  now: number,
): Promise<string> {
  const group = await findGroup(transaction, caller, qrn);
  const { numUpdatedRows } = await transaction
    .updateTable("job_groups")
    .set({ updated_at: now })
    .where("id", "=", group.id)
    .where("status", "=", "OPEN")
    .where("expires_at", ">", now)
    .executeTakeFirstOrThrow();
  if (numUpdatedRows > 0n) return group.id;
  const { status } = await findGroup(transaction, caller, qrn);
  const why = status === "OPEN" ? "its time is over" : `it is ${status}`;
  throw new HttpError("GROUP_NOT_OPEN", `The group ${qrn} takes no more jobs: ${why}.`);
}
