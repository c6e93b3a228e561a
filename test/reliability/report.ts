/** What a trial did, and what it found. */
export interface Report {
  /** What was done to the service. */
  trial: string;
  /** Counts and times, by what they are of. */
  figures: Record<string, number | string>;
  /** What should not have been, in sentences; empty when all invariants held. */
  violations: string[];
}

/** Formats reports as a Markdown table. */
export function toTable(reports: readonly Report[]): string {
  const rows = reports.map(({ trial, figures, violations }) => {
    const listed = Object.entries(figures).map(([name, value]) => `${name}: ${format(value)}`);
    return `| ${trial} | ${listed.join("; ")} | ${violations.length} |`;
  });
  return ["| trial | figures | violations |", "|---|---|---|", ...rows].join("\n");
}

const format = (value: number | string) =>
  typeof value === "number" ? value.toLocaleString("en-US", { maximumFractionDigits: 1 }) : value;

/** The value that a share of the values is not above. */
export function quantile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.ceil(share * values.length) - 1] ?? 0;
}
