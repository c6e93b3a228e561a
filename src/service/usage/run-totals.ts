import { prepareRows } from "../store/prepared.ts";
import type { Database, JobRow } from "../store/schema.ts";
import type { StoreTransaction } from "../store/store.ts";

const addRuns = prepareRows((store, rows: Database["run_totals"][]) =>
  store
    .insertInto("run_totals")
    .values(rows)
    .onConflict(conflict =>
      conflict.columns(["device_qrn", "status"]).doUpdateSet(eb => ({
        runs: eb("run_totals.runs", "+", eb.ref("excluded.runs")),
        wait_ms: eb("run_totals.wait_ms", "+", eb.ref("excluded.wait_ms")),
        run_us: eb("run_totals.run_us", "+", eb.ref("excluded.run_us")),
      })),
    ),
);

/** Counts jobs that have ended: how long they waited, and how long their programs ran. */
export async function countRuns(
  transaction: StoreTransaction,
  jobs: readonly Pick<JobRow, "device_qrn" | "status" | "created_at" | "started_at" | "duration_us">[],
): Promise<void> {
  const groups = Map.groupBy(jobs, ({ device_qrn, status }) => `${device_qrn} ${status}`);
  /** Rows are locked in one order, so that transactions never wait for each other in a circle. */
  const rows = [...groups.keys()].sort().map(name => {
    const members = groups.get(name)!;
    const { device_qrn, status } = members[0]!;
    const total = { device_qrn, status, runs: members.length, wait_ms: 0, run_us: 0 };
    for (const { started_at, created_at, duration_us } of members) {
      total.wait_ms += started_at === null ? 0 : started_at - created_at;
      total.run_us += duration_us ?? 0;
    }
    return total;
  });
  await addRuns(transaction, rows);
}
