import type { StorageProblem } from "../storage-errors.ts";
import type { DiskSpace } from "../store/readiness.ts";
import type { Store } from "../store/store.ts";
import { formatMetrics, type Metric } from "./exposition.ts";
import { createHistogram } from "./histogram.ts";
import { storeMetrics } from "./store-metrics.ts";

/** Figures of a service that runs. None tells of a user: labels are devices, statuses and routes. */
export interface Metrics {
  /** Counts a request that was answered within some seconds. */
  observeRequest(route: { method: string; route: string }, status: number, seconds: number): void;
  /** Resolves to all figures, as Prometheus reads them. */
  read(): Promise<string>;
}

/** Sources of metrics. */
export interface MetricsParts {
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
/** Maximum age of values read from the store, to limit the cost of frequent scrapes. */
const MAX_AGE_MS = 1000;

/** Takes figures. */
export function createMetrics({
  store,
  clock,
  readiness,
  readDiskSpace,
  hostMetrics = () => [],
}: MetricsParts): Metrics {
  const requests = createHistogram(LATENCY_BOUNDS_S);
  let read: Promise<Metric[]> = Promise.resolve([]);
  let readAt = Number.NEGATIVE_INFINITY;

  function ofStore(): Promise<Metric[]> {
    if (performance.now() - readAt < MAX_AGE_MS) return read;
    readAt = performance.now();
    read = storeMetrics(store, clock());
    read.catch(() => {
      readAt = Number.NEGATIVE_INFINITY;
    });
    return read;
  }

  return {
    observeRequest: (route, status, seconds) => requests.observe({ ...route, status }, seconds),
    async read() {
      const requestMetric: Metric = {
        name: "ketbook_http_request_duration_seconds",
        help: "Time from a request to its answer, by route.",
        type: "histogram",
        samples: requests.samples(),
      };
      const stored = await ofStore().catch(() => undefined);
      const isReady = (await readiness().catch(error => error)) === undefined;
      const space = await readDiskSpace?.();
      const gauge = (name: string, help: string, value: number): Metric => ({
        name,
        help,
        type: "gauge",
        samples: [{ value }],
      });
      const help = "Whether the store could be read: 1, or 0, and then its figures are missing.";
      const gauges = [
        gauge("ketbook_store_up", help, Number(stored !== undefined)),
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

/** Says in the help of metrics what they are figures of, so that those of several processes are added up or not. */
const withScope = (metrics: readonly Metric[], scope: string): Metric[] =>
  metrics.map(metric => ({ ...metric, help: `${metric.help} ${scope}` }));
