import { isTerminalJob } from "../contract/status.ts";
import { type FailedJob, failureList } from "./failures.ts";
import { formatDuration, formatNumber } from "./format.ts";
import { html } from "./html.ts";
import type { ProgressView } from "./progress.ts";
import { type StatusCounts, statusBar, statusCountsText } from "./status-bar.ts";
import { singleLine } from "./text.ts";

/** What is known about many jobs that are under way together. */
export interface JobsProgress {
  title: string;
  counts: StatusCounts;
  elapsedMs: number;
  /** Jobs that failed so far. */
  failures?: readonly FailedJob[];
}

/** Shows many jobs that are under way: how many of them are over, one bar of their statuses, and what failed. */
export function jobsProgressView({ title, counts, elapsedMs, failures = [] }: JobsProgress): ProgressView {
  const entries = Object.entries(counts);
  const total = entries.reduce((sum, [, count]) => sum + count, 0);
  const over = entries.reduce((sum, [status, count]) => sum + (isTerminalJob(status) ? count : 0), 0);
  const done = `${formatNumber(over)} of ${formatNumber(total)}`;
  const elapsed = formatDuration(Math.max(0, elapsedMs));
  const bar = statusBar(counts);
  const failed = failureList(failures);
  const line = [
    singleLine(title, 60),
    done,
    elapsed,
    statusBar(counts, { counted: false }).text,
    statusCountsText(counts),
  ].join(" · ");
  const markup = html`<div style="font-size:13px;line-height:1.45;font-variant-numeric:tabular-nums;overflow-wrap:break-word"><div style="margin:0 0 4px 0"><span style="font-weight:600;margin-right:8px">${singleLine(title)}</span> ${done} <span style="margin-left:8px;opacity:0.75">${elapsed}</span></div>${bar.html}${failed?.html}</div>`;
  return { html: markup.toString(), text: [line, failed?.text].filter(Boolean).join("\n"), line };
}
