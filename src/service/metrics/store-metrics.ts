import { sql } from "kysely";
import { type Store, serverOf } from "../store/store.ts";
import type { Metric, Sample } from "./exposition.ts";

const CREDIT = 1e6;

/** Reads the figures that the store has: queue, runs, ledger and size. It takes no longer where there are more jobs. */
export async function storeMetrics(store: Store, now: number): Promise<Metric[]> {
  const [queue, runs, ledger, stored, connections] = await Promise.all([
    store
      .selectFrom("jobs")
      .where("ended_at", "is", null)
      .groupBy(["device_qrn", "status"])
      .select(eb => [
        "device_qrn",
        "status",
        eb.fn.countAll<number>().as("jobs"),
        eb.fn.min<number>("created_at").as("first"),
      ])
      .execute(),
    store.selectFrom("run_totals").selectAll().orderBy("device_qrn").orderBy("status").execute(),
    store
      .selectFrom("ledger_accounts")
      .select([
        sql<number>`coalesce(sum(balance), 0)`.as("sum"),
        sql<number>`coalesce(sum(case when id like 'held:%' then balance end), 0)`.as("held"),
      ])
      .executeTakeFirstOrThrow(),
    store
      .selectFrom("storage_usage")
      .select(sql<number>`coalesce(sum(bytes), 0)`.as("bytes"))
      .executeTakeFirstOrThrow(),
    serverOf(store)?.countConnections(store),
  ]);
  const waiting = queue.filter(({ status }) => status === "INITIALIZING" || status === "QUEUED");
  const oldest = Math.min(now, ...waiting.map(({ first }) => first));
  const gauge = (name: string, help: string, samples: Sample[]): Metric => ({
    name,
    help,
    type: "gauge",
    samples,
  });
  const byRun = (value: (run: (typeof runs)[number]) => number): Sample[] =>
    runs.map(run => ({ labels: { device: run.device_qrn, status: run.status }, value: value(run) }));
  return [
    gauge(
      "ketbook_jobs",
      "Jobs that have not ended, by device and status.",
      queue.map(({ device_qrn, status, jobs }) => ({
        labels: { device: device_qrn, status },
        value: jobs,
      })),
    ),
    gauge("ketbook_queue_length", "Jobs that wait to run.", [
      { value: waiting.reduce((sum, { jobs }) => sum + jobs, 0) },
    ]),
    gauge("ketbook_queue_oldest_wait_seconds", "How long the job has waited that has waited longest.", [
      { value: (now - oldest) / 1000 },
    ]),
    {
      name: "ketbook_runs_total",
      help: "Jobs that have ended, by device and status.",
      type: "counter",
      samples: byRun(run => run.runs),
    },
    {
      name: "ketbook_job_wait_seconds_total",
      help: "How long the jobs that have ended waited to run, all together.",
      type: "counter",
      samples: byRun(run => run.wait_ms / 1000),
    },
    {
      name: "ketbook_job_run_seconds_total",
      help: "How long the programs of the jobs that have ended ran, all together.",
      type: "counter",
      samples: byRun(run => run.run_us / 1e6),
    },
    gauge("ketbook_ledger_sum_credits", "Sum of all balances of the ledger; anything but 0 is a fault.", [
      { value: ledger.sum / CREDIT },
    ]),
    gauge("ketbook_ledger_held_credits", "Credits that are held for jobs that have not ended.", [
      { value: ledger.held / CREDIT },
    ]),
    gauge("ketbook_stored_bytes", "Bytes of programs and results.", [{ value: stored.bytes }]),
    ...(connections
      ? [
          gauge(
            "ketbook_database_connections",
            "Connections to the database's server, used and allowed.",
            Object.entries(connections).map(([state, value]) => ({ labels: { state }, value })),
          ),
        ]
      : []),
  ];
}
