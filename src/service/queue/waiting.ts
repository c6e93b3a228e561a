import type { JobStatus } from "../../contract/status.ts";
import type { JobRow } from "../store/schema.ts";
import type { Store } from "../store/store.ts";
import type { FairQueue } from "./fair-queue.ts";

/** Where jobs wait for their devices. */
export const WAITING: readonly JobStatus[] = ["INITIALIZING", "QUEUED"];

/** Counts the jobs that a job's device takes before it, or runs; null for a job that does not wait. */
export function queuePosition({ queue }: { queue: FairQueue }, row: JobRow): number | null {
  return WAITING.includes(row.status) ? (queue.position(row.seq) ?? 0) : null;
}

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
  return Number(count);
}
