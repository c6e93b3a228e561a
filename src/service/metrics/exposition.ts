/** A figure, or one of several of one name that labels tell apart. */
export interface Sample {
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
export function formatMetrics(metrics: readonly Metric[]): string {
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

/** Counts observations by labels, each in the buckets that it fits into. */
interface Histogram {
  observe(labels: Readonly<Record<string, string | number>>, value: number): void;
  samples(): Sample[];
}

interface Series {
  labels: Readonly<Record<string, string | number>>;
  /** Observations up to each bound, and up to any; not cumulative. */
  counts: number[];
  sum: number;
}

/** Makes a histogram with these upper bounds, in ascending order. */
export function createHistogram(bounds: readonly number[]): Histogram {
  const series = new Map<string, Series>();
  return {
    observe(labels, value) {
      const key = JSON.stringify(labels);
      const known = series.get(key) ?? { labels, counts: Array(bounds.length + 1).fill(0), sum: 0 };
      series.set(key, known);
      const at = bounds.findIndex(bound => value <= bound);
      known.counts[at < 0 ? bounds.length : at]! += 1;
      known.sum += value;
    },
    samples: () => [...series.values()].flatMap(each => toSamples(each, bounds)),
  };
}

function toSamples({ labels, counts, sum }: Series, bounds: readonly number[]): Sample[] {
  let total = 0;
  const buckets = counts.map((count, at) => {
    total += count;
    return { suffix: "_bucket", labels: { ...labels, le: bounds[at] ?? "+Inf" }, value: total };
  });
  return [...buckets, { suffix: "_sum", labels, value: sum }, { suffix: "_count", labels, value: total }];
}
