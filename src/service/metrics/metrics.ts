import { monitorEventLoopDelay } from "node:perf_hooks";
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
  stop(): void;
}

/** What metrics are read from. */
export interface MetricsParts {
  store: Store;
  /** The store's file; undefined: it is in a database of its own. */
  path: string | undefined;
  clock: () => number;
  version: string;
}

const LATENCY_BOUNDS_S = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const LAG_RESOLUTION_MS = 10;
/** How long what was read from the store holds, so that reading often costs no more. */
const MAX_AGE_MS = 1000;

/** Starts to take figures. */
export function startMetrics({ store, path, clock, version }: MetricsParts): Metrics {
  const requests = createHistogram(LATENCY_BOUNDS_S);
  const lag = monitorEventLoopDelay({ resolution: LAG_RESOLUTION_MS });
  lag.enable();
  let read: Promise<Metric[]> = Promise.resolve([]);
  let readAt = Number.NEGATIVE_INFINITY;

  function ofStore(): Promise<Metric[]> {
    if (performance.now() - readAt < MAX_AGE_MS) return read;
    readAt = performance.now();
    read = storeMetrics(store, path, clock());
    read.catch(() => {
      readAt = Number.NEGATIVE_INFINITY;
    });
    return read;
  }

  /** Delays of a timer beyond its interval, since the figures were last read. */
  function lagMetric(): Metric {
    const seconds = (nanoseconds: number) => Math.max(0, nanoseconds / 1e9 - LAG_RESOLUTION_MS / 1000);
    const samples = [0.5, 0.9, 0.99, 1].map(quantile => ({
      labels: { quantile },
      value: seconds(quantile === 1 ? lag.max : lag.percentile(quantile * 100)),
    }));
    lag.reset();
    const help = "Delay of the event loop since the last reading, in seconds.";
    return { name: "ketbook_event_loop_lag_seconds", help, type: "gauge", samples };
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
      return formatMetrics([...(await ofStore()), requestMetric, lagMetric(), ...processMetrics(version)]);
    },
    stop: () => lag.disable(),
  };
}

function processMetrics(version: string): Metric[] {
  const { user, system } = process.cpuUsage();
  const one = (name: string, type: Metric["type"], help: string, value: number, labels = {}): Metric => ({
    name,
    type,
    help,
    samples: [{ labels, value }],
  });
  const started = performance.timeOrigin / 1000;
  return [
    one("ketbook_build_info", "gauge", "Version of the service; always 1.", 1, {
      version,
      node: process.version,
    }),
    one("process_start_time_seconds", "gauge", "When the process started, in seconds since 1970.", started),
    one("process_cpu_seconds_total", "counter", "Time on processors, in seconds.", (user + system) / 1e6),
    one("process_resident_memory_bytes", "gauge", "Memory of the process.", process.memoryUsage.rss()),
  ];
}
