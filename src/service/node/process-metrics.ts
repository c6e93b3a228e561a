import { statSync } from "node:fs";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { counter, gauge, type Metric } from "../index.ts";

const LAG_RESOLUTION_MS = 10;

interface ProcessMetrics {
  read(): Metric[];
  stop(): void;
}

interface ProcessMetricsParts {
  /** The store's file; undefined: it is in its own database. */
  path: string | undefined;
  version: string;
}

export function startProcessMetrics({ path, version }: ProcessMetricsParts): ProcessMetrics {
  const lag = monitorEventLoopDelay({ resolution: LAG_RESOLUTION_MS });
  lag.enable();

  /** Delays of a timer beyond its interval, since the figures were last read. */
  function lagMetric(): Metric {
    const seconds = (nanoseconds: number) => Math.max(0, nanoseconds / 1e9 - LAG_RESOLUTION_MS / 1000);
    const samples = [0.5, 0.9, 0.99, 1].map(quantile => ({
      labels: { quantile },
      value: seconds(quantile === 1 ? lag.max : lag.percentile(quantile * 100)),
    }));
    lag.reset();
    return gauge(
      "ketbook_event_loop_lag_seconds",
      "Delay of the event loop since the last reading, in seconds.",
      samples,
    );
  }

  return {
    read: () => [...(path === undefined ? [] : [fileMetric(path)]), lagMetric(), ...processMetrics(version)],
    stop: () => lag.disable(),
  };
}

const fileMetric = (path: string) =>
  gauge("ketbook_store_file_bytes", "Size of the store's files.", [
    { labels: { file: "database" }, value: sizeOf(path) },
    { labels: { file: "wal" }, value: sizeOf(`${path}-wal`) },
  ]);

const sizeOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.size ?? 0;

function processMetrics(version: string): Metric[] {
  const { user, system } = process.cpuUsage();
  const build = { labels: { version, node: process.version }, value: 1 };
  const started = performance.timeOrigin / 1000;
  return [
    gauge("ketbook_build_info", "Version of the service; always 1.", [build]),
    gauge("process_start_time_seconds", "When the process started, in seconds since 1970.", started),
    counter("process_cpu_seconds_total", "Time on processors, in seconds.", (user + system) / 1e6),
    gauge("process_resident_memory_bytes", "Memory of the process.", process.memoryUsage.rss()),
  ];
}
