import type { ExpressionBuilder, ExpressionWrapper, SqlBool } from "kysely";
import { GROUP_STATUSES, type GroupStatus, isTerminalGroup, isTerminalJob } from "../../contract/index.ts";
import type { Database, GroupRow } from "../store/schema.ts";
import type { Store, StoreTransaction } from "../store/store.ts";

const GROUP_TRANSITIONS: Readonly<Record<GroupStatus, readonly GroupStatus[]>> = {
  OPEN: ["CLOSED", "COMPLETED", "FAILED", "CANCELLED"],
  CLOSED: ["COMPLETED", "FAILED", "CANCELLED"],
  COMPLETED: [],
  FAILED: [],
  CANCELLED: [],
};

/** Moves a group to a status, if the table allows it from where the group stands; returns whether it moved. */
export async function moveGroup(
  transaction: StoreTransaction,
  id: string,
  to: GroupStatus,
  now: number,
): Promise<boolean> {
  const sources = GROUP_STATUSES.filter(from => GROUP_TRANSITIONS[from].includes(to));
  const { numUpdatedRows } = await transaction
    .updateTable("job_groups")
    .set({ status: to, updated_at: now })
    .where("id", "=", id)
    .where("status", "in", sources)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** Whether the time of a group that nobody has closed is over. */
export const isExpired = ({ status, expires_at }: Pick<GroupRow, "status" | "expires_at">, now: number) =>
  status === "OPEN" && expires_at <= now;

/** The status of a group at a time: an open one is CLOSED once its time is over. */
export const statusAt = (group: Pick<GroupRow, "status" | "expires_at">, now: number): GroupStatus =>
  isExpired(group, now) ? "CLOSED" : group.status;

/** A condition on groups: that they have this status at a time. */
export const hasStatus =
  (status: GroupStatus, now: number) =>
  (eb: ExpressionBuilder<Database, "job_groups">): ExpressionWrapper<Database, "job_groups", SqlBool> => {
    if (status === "OPEN") return eb.and([eb("status", "=", "OPEN"), eb("expires_at", ">", now)]);
    if (status !== "CLOSED") return eb("status", "=", status);
    return eb.or([
      eb("status", "=", "CLOSED"),
      eb.and([eb("status", "=", "OPEN"), eb("expires_at", "<=", now)]),
    ]);
  };

/** Lets open groups that were made in the future, before the clock was set back, live on no longer than their `maxTTL`. */
export async function limitLifetimes(store: Store, now: number): Promise<void> {
  await store
    .updateTable("job_groups")
    .set(eb => ({
      created_at: now,
      updated_at: now,
      expires_at: eb(eb.cast<number>(eb.val(now), "bigint"), "+", eb("max_ttl", "*", 1000)),
    }))
    .where("status", "=", "OPEN")
    .where("created_at", ">", now)
    .execute();
}

/**
 * Returns the final status of a group: once all its jobs have ended, deleted ones too, COMPLETED if every one is, else
 * FAILED; undefined before. A group without jobs stays OPEN until its time is over, and is COMPLETED once it is CLOSED.
 */
export async function findResolution(
  store: Store,
  group: Pick<GroupRow, "id" | "status" | "expires_at">,
  now: number,
): Promise<"COMPLETED" | "FAILED" | undefined> {
  if (isTerminalGroup(group.status)) return undefined;
  const rows = await store
    .selectFrom("jobs")
    .where("group_id", "=", group.id)
    .groupBy("status")
    .select("status")
    .execute();
  const statuses = rows.map(row => row.status);
  if (statuses.length === 0) return statusAt(group, now) === "CLOSED" ? "COMPLETED" : undefined;
  if (!statuses.every(isTerminalJob)) return undefined;
  return statuses.every(status => status === "COMPLETED") ? "COMPLETED" : "FAILED";
}

/** Resolves a group if all its jobs have ended. Its row is locked first, so no job is added meanwhile. */
export async function resolveGroup(transaction: StoreTransaction, id: string, now: number): Promise<void> {
  const group = await transaction
    .updateTable("job_groups")
    .set(eb => ({ updated_at: eb.ref("updated_at") }))
    .where("id", "=", id)
    .returningAll()
    .executeTakeFirstOrThrow();
  const resolution = await findResolution(transaction, group, now);
  if (resolution) await moveGroup(transaction, id, resolution, now);
}
