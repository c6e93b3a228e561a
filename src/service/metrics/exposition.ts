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

/** MIME type of the text format. */
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
