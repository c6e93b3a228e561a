import { prepareQuery } from "../store/prepared.ts";
import type { Database, JobRow } from "../store/schema.ts";
import type { StoreTransaction } from "../store/store.ts";

const addRun = prepareQuery((store, row: Database["run_totals"]) =>
  store
    .insertInto("run_totals")
    .values(row)
    .onConflict(conflict =>
      conflict.columns(["device_qrn", "status"]).doUpdateSet(eb => ({
        runs: eb("run_totals.runs", "+", eb.ref("excluded.runs")),
        wait_ms: eb("run_totals.wait_ms", "+", eb.ref("excluded.wait_ms")),
        run_us: eb("run_totals.run_us", "+", eb.ref("excluded.run_us")),
      })),
    ),
);

/** Counts a job that has ended: how long it waited, and how long its programs ran. */
export async function countRun(
  transaction: StoreTransaction,
  job: Pick<JobRow, "device_qrn" | "status" | "created_at" | "started_at" | "duration_us">,
): Promise<void> {
  await addRun(transaction, {
    device_qrn: job.device_qrn,
    status: job.status,
    runs: 1,
    wait_ms: job.started_at === null ? 0 : job.started_at - job.created_at,
    run_us: job.duration_us ?? 0,
  });
}
