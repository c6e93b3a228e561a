import { GROUP_STATUSES, type GroupStatus, isTerminalJob } from "../../contract/status.ts";
import type { Store } from "../store/store.ts";

/** Every transition of a job group that is allowed. */
export const GROUP_TRANSITIONS: Readonly<Record<GroupStatus, readonly GroupStatus[]>> = {
  OPEN: ["CLOSED", "COMPLETED", "FAILED", "CANCELLED"],
  CLOSED: ["COMPLETED", "FAILED", "CANCELLED"],
  COMPLETED: [],
  FAILED: [],
  CANCELLED: [],
};

/** Moves a group to a status, if the table allows it from where the group stands; says whether it moved. */
export async function moveGroup(store: Store, id: string, to: GroupStatus, now: number): Promise<boolean> {
  const sources = GROUP_STATUSES.filter(from => GROUP_TRANSITIONS[from].includes(to));
  const { numUpdatedRows } = await store
    .updateTable("job_groups")
    .set({ status: to, updated_at: now })
    .where("id", "=", id)
    .where("status", "in", sources)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** Closes every open group of a user whose time is over. */
export async function closeExpired(store: Store, userId: number, now: number): Promise<void> {
  await store
    .updateTable("job_groups")
    .set({ status: "CLOSED", updated_at: now })
    .where("user_id", "=", userId)
    .where("status", "=", "OPEN")
    .where("expires_at", "<=", now)
    .execute();
}

/** Lets open groups that were made in the future, before the clock was set back, live on no longer than their `maxTTL`. */
export async function limitLifetimes(store: Store, now: number): Promise<void> {
  await store
    .updateTable("job_groups")
    .set(eb => ({
      created_at: now,
      updated_at: now,
      expires_at: eb(eb.val(now), "+", eb("max_ttl", "*", 1000)),
    }))
    .where("status", "=", "OPEN")
    .where("created_at", ">", now)
    .execute();
}

/**
 * Resolves a group whose jobs have all ended, deleted ones too: COMPLETED if every one is, else FAILED. A group
 * without jobs stays OPEN until its time is over, and is COMPLETED once it is CLOSED.
 */
export async function resolveGroup(
  store: Store,
  group: { id: string; status: GroupStatus },
  now: number,
): Promise<void> {
  const rows = await store
    .selectFrom("jobs")
    .where("group_id", "=", group.id)
    .groupBy("status")
    .select("status")
    .execute();
  const statuses = rows.map(row => row.status);
  if (statuses.length === 0) {
    if (group.status === "CLOSED") await moveGroup(store, group.id, "COMPLETED", now);
    return;
  }
  if (!statuses.every(isTerminalJob)) return;
  const allCompleted = statuses.every(status => status === "COMPLETED");
  await moveGroup(store, group.id, allCompleted ? "COMPLETED" : "FAILED", now);
}
