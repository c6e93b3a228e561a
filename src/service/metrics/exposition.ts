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
export function createHistogram(bounds: readonly number[]) {
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
