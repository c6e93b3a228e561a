import { sql } from "kysely";
import { JOB_STATUSES, type JobsSummary } from "../../contract/index.ts";
import type { Caller } from "../accounts/caller.ts";
import { toCredits } from "../billing/price.ts";
import type { Store } from "../store/store.ts";

/** Counts the caller's jobs in each status, without deleted ones; every status is there. */
export async function countStatuses(store: Store, caller: Caller): Promise<Record<string, number>> {
  const counts: Record<string, number> = Object.fromEntries(JOB_STATUSES.map(status => [status, 0]));
  const rows = await countsOf(store, caller);
  for (const { status, count } of rows) counts[status] = (counts[status] ?? 0) + count;
  return counts;
}

/** Sums up the caller's jobs, without deleted ones. */
export async function summarize(store: Store, caller: Caller): Promise<JobsSummary> {
  const rows = await countsOf(store, caller);
  const sum = (of: (row: (typeof rows)[number]) => number | null) =>
    rows.reduce((total, row) => total + (of(row) ?? 0), 0);
  const by = (key: "status" | "experiment_type" | "device_type") => {
    const counts: Record<string, number> = {};
    for (const row of rows) counts[row[key]] = (counts[row[key]] ?? 0) + row.count;
    return counts;
  };
  const [total, cost, settled, shots] = [
    sum(r => r.count),
    sum(r => r.cost),
    sum(r => r.settled),
    sum(r => r.shots),
  ];
  return {
    total,
    statuses: by("status"),
    experimentTypes: by("experiment_type"),
    deviceTypes: by("device_type"),
    cost: { total: toCredits(cost), average: settled === 0 ? 0 : toCredits(Math.round(cost / settled)) },
    shots: { total: shots, average: total === 0 ? 0 : shots / total },
  };
}

/**
 * Counts and sums of the caller's jobs: those that have ended are counted already. By the `+`, SQLite takes the index of
 * those that have not, which are few.
 */
function countsOf(store: Store, { userId }: Caller) {
  const unended = store
    .selectFrom("jobs")
    .where("user_id", "=", userId)
    .where(sql`+deleted_at`, "is", null)
    .where("ended_at", "is", null)
    .groupBy(["status", "experiment_type", "device_type"])
    .select(({ fn, lit }) => [
      "status",
      "experiment_type",
      "device_type",
      fn.countAll<number>().as("count"),
      lit(0).as("cost"),
      lit(0).as("settled"),
      fn.sum<number>("shots").as("shots"),
    ]);
  return store
    .selectFrom("job_counts")
    .where("user_id", "=", userId)
    .where("jobs", ">", 0)
    .select(["status", "experiment_type", "device_type", "jobs as count", "cost", "settled", "shots"])
    .unionAll(unended)
    .execute();
}
