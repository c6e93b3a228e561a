import type { JobStatus } from "../../contract/status.ts";
import type { Catalogue } from "../catalogue/catalogue.ts";
import { earliestStart, type SubmittedJob } from "../emulation/timing.ts";
import type { JobRow } from "../store/schema.ts";
import type { Store } from "../store/store.ts";
import type { FairQueue, WaitingJob } from "./fair-queue.ts";

/** Where jobs wait for their devices. */
export const WAITING: readonly JobStatus[] = ["INITIALIZING", "QUEUED"];

/** Adds to a queue the jobs that wait in the store and are not in it, such as those that other processes submitted. */
export async function fillQueue(
  store: Store,
  queue: FairQueue,
  catalogue: Catalogue,
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
    .select([
      "seq",
      "user_id",
      "tier",
      "device_qrn",
      "device_type",
      "options_json",
      "jobs.created_at",
      "required_bytes",
    ])
    .where("ended_at", "is", null)
    .where("status", "in", WAITING)
    .execute();
  for (const { tier, ...row } of rows) if (!isRunning(row.seq)) queue.add(waitingJob(catalogue, row, tier));
}

/** Returns a row of the store as a queue has it. */
export function waitingJob(
  catalogue: Catalogue,
  row: Pick<JobRow, "seq" | "user_id" | "device_qrn" | "device_type" | "required_bytes" | keyof SubmittedJob>,
  tier: string,
): WaitingJob {
  const { seq, user_id, device_qrn, device_type, created_at, required_bytes } = row;
  const start = earliestStart(catalogue.get(device_qrn), row);
  return {
    seq,
    userId: user_id,
    tier,
    device: device_qrn,
    isQpu: device_type === "QPU",
    ...(required_bytes === null ? {} : { bytes: required_bytes }),
    ...(start > created_at ? { earliestStart: start } : {}),
  };
}
