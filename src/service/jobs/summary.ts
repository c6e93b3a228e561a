import { JOB_STATUSES } from "../../contract/status.ts";
import type { JobsSummary } from "../../contract/summary.ts";
import type { Caller } from "../accounts/caller.ts";
import { toCredits } from "../billing/credits.ts";
import type { Store } from "../store/store.ts";

/** Counts the caller's jobs in each status, without deleted ones; every status is there. */
export async function countStatuses(store: Store, caller: Caller): Promise<Record<string, number>> {
  const counts: Record<string, number> = Object.fromEntries(JOB_STATUSES.map(status => [status, 0]));
  const rows = await jobsOf(store, caller)
    .groupBy("status")
    .select(eb => ["status", eb.fn.countAll<number>().as("count")])
    .execute();
  for (const { status, count } of rows) counts[status] = count;
  return counts;
}

/** Sums up the caller's jobs, without deleted ones. */
export async function summarize(store: Store, caller: Caller): Promise<JobsSummary> {
  const rows = await jobsOf(store, caller)
    .groupBy(["status", "experiment_type", "device_type"])
    .select(eb => [
      "status",
      "experiment_type",
      "device_type",
      eb.fn.countAll<number>().as("count"),
      eb.fn.sum<number | null>("cost").as("cost"),
      eb.fn.count<number>("cost").as("settled"),
      eb.fn.sum<number>("shots").as("shots"),
    ])
    .execute();
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

function jobsOf(store: Store, caller: Caller) {
  return store.selectFrom("jobs").where("user_id", "=", caller.userId).where("deleted_at", "is", null);
}
