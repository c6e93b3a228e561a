import { sql } from "kysely";
import { toCredits } from "../billing/price.ts";
import type { StorageProblem } from "../storage-errors.ts";
import type { DiskSpace } from "../store/readiness.ts";
import { type Store, serverOf } from "../store/store.ts";

/** Figures of a service that runs. None tells of a user: labels are devices, statuses and routes. */
export type Metrics = ReturnType<typeof createMetrics>;

interface MetricsParts {
  store: Store;
  clock: () => number;
  /** Resolves to what keeps the store from taking submissions. */
  readiness(): Promise<StorageProblem | undefined>;
  /** Reads how much room the store's disk has. Default: that is not known. */
  readDiskSpace?: (() => Promise<DiskSpace | undefined>) | undefined;
  /** Returns figures of where the service runs. Default: none. */
  hostMetrics?: (() => Metric[]) | undefined;
}

const LATENCY_BOUNDS_S = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export function createMetrics({
  store,
  clock,
  readiness,
  readDiskSpace,
  hostMetrics = () => [],
}: MetricsParts) {
  const requests = createHistogram(LATENCY_BOUNDS_S);
  return {
    /** Counts a request that was answered within some seconds. */
    observeRequest: (route: { method: string; route: string }, status: number, seconds: number) =>
      requests.observe({ ...route, status }, seconds),
    async read(): Promise<string> {
      const requestMetric: Metric = {
        name: "ketbook_http_request_duration_seconds",
        help: "Time from a request to its answer, by route.",
        type: "histogram",
        samples: requests.samples(),
      };
      const stored = await storeMetrics(store, clock()).catch(() => undefined);
      const isReady = (await readiness().catch(error => error)) === undefined;
      const space = await readDiskSpace?.();
      const gauges = [
        gauge(
          "ketbook_store_up",
          "Whether the store could be read: 1, or 0, and then its figures are missing.",
          Number(stored !== undefined),
        ),
        gauge("ketbook_ready", "Whether a job can be submitted, as /readyz says.", Number(isReady)),
        ...(space ? [gauge("ketbook_disk_free_bytes", "Room on the store's disk.", space.free)] : []),
      ];
      return formatMetrics([
        ...withScope(stored ?? [], "The whole service: every process says the same."),
        ...withScope([...gauges, requestMetric, ...hostMetrics()], "This process."),
      ]);
    },
  };
}

/** Says in the help of metrics what they are figures of, so those of several processes are added up or not. */
const withScope = (metrics: readonly Metric[], scope: string): Metric[] =>
  metrics.map(metric => ({ ...metric, help: `${metric.help} ${scope}` }));

/** Reads the figures that the store has: queue, runs, ledger and size. It takes no longer where there are more jobs. */
async function storeMetrics(store: Store, now: number): Promise<Metric[]> {
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
  const length = waiting.reduce((sum, { jobs }) => sum + jobs, 0);
  const oldest = Math.min(now, ...waiting.map(({ first }) => first));
  const byRun = (figure: "runs" | "wait_ms" | "run_us", unit = 1): Sample[] =>
    runs.map(run => ({ labels: { device: run.device_qrn, status: run.status }, value: run[figure] / unit }));
  const unended = queue.map(({ device_qrn, status, jobs }) => ({
    labels: { device: device_qrn, status },
    value: jobs,
  }));
  const used = Object.entries(connections ?? {}).map(([state, value]) => ({ labels: { state }, value }));
  return [
    gauge("ketbook_jobs", "Jobs that have not ended, by device and status.", unended),
    gauge("ketbook_queue_length", "Jobs that wait to run.", length),
    gauge(
      "ketbook_queue_oldest_wait_seconds",
      "How long the job has waited that has waited longest.",
      (now - oldest) / 1000,
    ),
    counter("ketbook_runs_total", "Jobs that have ended, by device and status.", byRun("runs")),
    counter(
      "ketbook_job_wait_seconds_total",
      "How long the jobs that have ended waited to run, all together.",
      byRun("wait_ms", 1000),
    ),
    counter(
      "ketbook_job_run_seconds_total",
      "How long the programs of the jobs that have ended ran, all together.",
      byRun("run_us", 1e6),
    ),
    gauge(
      "ketbook_ledger_sum_credits",
      "Sum of all balances of the ledger; anything but 0 is a fault.",
      toCredits(ledger.sum),
    ),
    gauge(
      "ketbook_ledger_held_credits",
      "Credits that are held for jobs that have not ended.",
      toCredits(ledger.held),
    ),
    gauge("ketbook_stored_bytes", "Bytes of programs and results.", stored.bytes),
    ...(connections
      ? [
          gauge(
            "ketbook_database_connections",
            "Connections to the database's server, used and allowed.",
            used,
          ),
        ]
      : []),
  ];
}

/** A figure, or one of several of one name that labels tell apart. */
interface Sample {
  /** Added to the metric's name, such as `_sum`. Default: nothing. */
  suffix?: string;
  /** Default: none. */
  labels?: Readonly<Record<string, string | number>>;
  value: number;
}

/** A metric in the sense of Prometheus. */
export interface Metric {
  name: string;
  help: string;
  type: "counter" | "gauge" | "histogram" | "summary";
  samples: readonly Sample[];
}

export const METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8";

/** Writes metrics in the text format of Prometheus, version 0.0.4. */
function formatMetrics(metrics: readonly Metric[]): string {
  const lines = metrics.flatMap(({ name, help, type, samples }) => [
    `# HELP ${name} ${help}`,
    `# TYPE ${name} ${type}`,
    ...samples.map(
      ({ suffix = "", labels = {}, value }) => `${name}${suffix}${formatLabels(labels)} ${value}`,
    ),
  ]);
  return `${lines.join("\n")}\n`;
}

function formatLabels(labels: Readonly<Record<string, string | number>>): string {
  const members = Object.entries(labels).map(([name, value]) => `${name}="${escapeValue(String(value))}"`);
  return members.length > 0 ? `{${members.join(",")}}` : "";
}

const escapeValue = (text: string) =>
  text.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");

type MakeMetric = (name: string, help: string, samples: number | readonly Sample[]) => Metric;

const metricOf =
  (type: Metric["type"]): MakeMetric =>
  (name, help, samples) => ({
    name,
    help,
    type,
    samples: typeof samples === "number" ? [{ value: samples }] : samples,
  });

export const gauge = metricOf("gauge");
export const counter = metricOf("counter");

interface Series {
  labels: Readonly<Record<string, string | number>>;
  /** Observations up to each bound, and up to any. */
  counts: number[];
  sum: number;
}

/** Makes a histogram with these upper bounds, in ascending order: observations are counted by their labels. */
function createHistogram(bounds: readonly number[]) {
  const limits = [...bounds, Number.POSITIVE_INFINITY];
  const series = new Map<string, Series>();
  return {
    observe(labels: Series["labels"], value: number): void {
      const key = JSON.stringify(labels);
      const known = series.get(key) ?? { labels, counts: limits.map(() => 0), sum: 0 };
      series.set(key, known);
      limits.forEach((limit, at) => {
        if (value <= limit) known.counts[at]! += 1;
      });
      known.sum += value;
    },
    samples: (): Sample[] =>
      series
        .values()
        .flatMap(({ labels, counts, sum }) => [
          ...counts.map((value, at) => ({
            suffix: "_bucket",
            labels: { ...labels, le: bounds[at] ?? "+Inf" },
            value,
          })),
          { suffix: "_sum", labels, value: sum },
          { suffix: "_count", labels, value: counts.at(-1)! },
        ])
        .toArray(),
  };
}
