import { sql } from "kysely";
import type { JobStatus } from "../../contract/index.ts";
import type { Catalogue } from "../catalogue/catalogue.ts";
import { earliestStart, type SubmittedJob } from "../emulation.ts";
import type { JobRow } from "../store/schema.ts";
import type { Store } from "../store/store.ts";
import type { FairQueue } from "./fair-queue.ts";
import type { WaitingJob } from "./user-share.ts";

export const WAITING: readonly JobStatus[] = ["INITIALIZING", "QUEUED"];

/** Selects from the jobs that have one of these statuses, none of which is terminal. */
export const jobsThatAre = (store: Store, statuses: readonly JobStatus[]) =>
  store.selectFrom("jobs").where("ended_at", "is", null).where("status", "in", statuses);

/** A queue that takes longer to fill is filled less often: that is then no more than a twentieth of the time. */
const LONG_FILL_MS = 100;
const FILL_INTERVALS = 20;

/**
 * Makes the function that adds to a queue the jobs that wait in the store and are not in it, such as those that other
 * processes submitted: of each user and device the first ones, as many as the queue takes.
 */
export function createFill({ store, queue, catalogue }: FillParts) {
  let due = Number.NEGATIVE_INFINITY;
  return async (isRunning: (seq: number) => boolean): Promise<void> => {
    if (performance.now() < due || !(await hasMore(store, queue.size))) return;
    const began = performance.now();
    const rows = await firstWaiting(store, queue.maxWaiting);
    for (const { tier, ...row } of rows) if (!isRunning(row.seq)) queue.add(waitingJob(catalogue, row, tier));
    const ended = performance.now();
    due = ended + FILL_INTERVALS * Math.max(0, ended - began - LONG_FILL_MS);
  };
}

interface FillParts {
  store: Store;
  queue: FairQueue;
  catalogue: Catalogue;
}

/** Whether more than the given number of jobs wait. */
async function hasMore(store: Store, count: number): Promise<boolean> {
  const row = await jobsThatAre(store, WAITING).select("seq").limit(1).offset(count).executeTakeFirst();
  return row !== undefined;
}

/** Reads the first jobs of each user that wait for each device. */
function firstWaiting(store: Store, limit: number) {
  const waiting = jobsThatAre(store, WAITING).select([
    "seq",
    sql<number>`row_number() over (partition by user_id, device_qrn order by seq)`.as("turn"),
  ]);
  return store
    .selectFrom(waiting.as("waiting"))
    .innerJoin("jobs", "jobs.seq", "waiting.seq")
    .innerJoin("users", "users.id", "jobs.user_id")
    .select([
      "jobs.seq",
      "user_id",
      "tier",
      "device_qrn",
      "device_type",
      "options_json",
      "jobs.created_at",
      "required_bytes",
    ])
    .where("turn", "<=", Math.min(limit, Number.MAX_SAFE_INTEGER))
    .execute();
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
