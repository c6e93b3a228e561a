import type { JobStatus } from "../../contract/status.ts";
import type { Store } from "../store/store.ts";
import type { FairQueue } from "./fair-queue.ts";

/** Where jobs wait for their devices. */
export const WAITING: readonly JobStatus[] = ["INITIALIZING", "QUEUED"];

/** Adds to a queue the jobs that wait in the store and are not in it, such as those that other processes submitted. */
export async function fillQueue(
  store: Store,
  queue: FairQueue,
  isRunning: (seq: number) => boolean,
): Promise<void> {
  const { count } = await store
    .selectFrom("jobs")
    .select(eb => eb.fn.countAll<number>().as("count"))
    .where("ended_at", "is", null)
    .where("status", "in", WAITING)
    .executeTakeFirstOrThrow();
  if (count <= queue.size) return;
  const rows = await store
    .selectFrom("jobs")
    .innerJoin("users", "users.id", "jobs.user_id")
    .select(["seq", "user_id", "tier", "device_qrn", "device_type"])
    .where("ended_at", "is", null)
    .where("status", "in", WAITING)
    .execute();
  for (const { seq, user_id, tier, device_qrn, device_type } of rows) {
    if (isRunning(seq)) continue;
    queue.add({ seq, userId: user_id, tier, device: device_qrn, isQpu: device_type === "QPU" });
  }
}
