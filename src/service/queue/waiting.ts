import type { JobStatus } from "../../contract/status.ts";
import type { Store } from "../store/store.ts";

/** Where jobs wait for their devices. */
export const WAITING: readonly JobStatus[] = ["INITIALIZING", "QUEUED"];

/** Reads the jobs that wait, with the tiers of their users. */
export function findWaiting(store: Store) {
  return store
    .selectFrom("jobs")
    .innerJoin("users", "users.id", "jobs.user_id")
    .select(["seq", "user_id", "tier", "device_qrn", "device_type"])
    .where("ended_at", "is", null)
    .where("status", "in", WAITING)
    .execute();
}

/** Counts the jobs that wait. */
export async function countWaiting(store: Store): Promise<number> {
  const { count } = await store
    .selectFrom("jobs")
    .select(eb => eb.fn.countAll<number>().as("count"))
    .where("ended_at", "is", null)
    .where("status", "in", WAITING)
    .executeTakeFirstOrThrow();
  return count;
}
