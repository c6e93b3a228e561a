import { isTerminalJob } from "../contract/index.ts";
import type { RenderedView } from "./bundle.ts";
import { cellHtml, html, meter, type RichCell } from "./cell.ts";
import { formatDuration, formatNumber, formatPercent } from "./format.ts";
import { tone } from "./palette.ts";
import { type StatusCounts, statusBar, statusCell, statusCountsText, statusStyle } from "./status.ts";
import { clip, dotted, present, singleLine } from "./text.ts";

export interface Progress {
  title: string;
  status: string;
  /** Jobs ahead, while it waits. */
  queuePosition?: number | null;
  elapsedMs: number;
  /** Completed fraction, from 0 to 1, if known. */
  fraction?: number;
  detail?: string;
}

/** A form with one line more, for a terminal line that rewrites itself. */
export interface ProgressView extends RenderedView {
  line: string;
}

/** Shows something that is under way: its state, place in the queue, and elapsed time. */
export function progressView(progress: Progress): ProgressView {
  const { title, status, queuePosition, elapsedMs, fraction, detail } = progress;
  const done = fraction === undefined ? undefined : meter(fraction, { label: formatPercent(fraction) });
  const place =
    queuePosition === undefined || queuePosition === null
      ? detail && singleLine(detail, 200)
      : `position ${formatNumber(queuePosition)}`;
  const elapsed = formatDuration(Math.max(0, elapsedMs));
  const name = `${statusStyle(status).glyph} ${singleLine(title, 60)}`;
  const line = dotted(name, singleLine(status, 40), place, done?.text, elapsed);
  const markup = html`<div style="font-size:13px;line-height:1.45;font-variant-numeric:tabular-nums;overflow-wrap:break-word">${cellHtml(statusCell(status))} <span style="font-weight:600;margin:0 8px">${singleLine(title)}</span> ${
    place && html`<span style="margin-right:8px;opacity:0.75">${place}</span> `
  }${done && html`<span style="margin-right:8px">${done.html}</span> `}<span style="opacity:0.75">${elapsed}</span></div>`;
  return { html: markup.toString(), text: line, line };
}

/** Progress of many jobs that run together. */
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
  const { text } = statusBar(counts, { counted: false });
  const line = dotted(singleLine(title, 60), done, elapsed, text, statusCountsText(counts));
  const markup = html`<div style="font-size:13px;line-height:1.45;font-variant-numeric:tabular-nums;overflow-wrap:break-word"><div style="margin:0 0 4px 0"><span style="font-weight:600;margin-right:8px">${singleLine(title)}</span> ${done} <span style="margin-left:8px;opacity:0.75">${elapsed}</span></div>${bar.html}${failed?.html}</div>`;
  return { html: markup.toString(), text: [line, failed?.text].filter(Boolean).join("\n"), line };
}

/** A job that failed, and why. */
export interface FailedJob {
  name: string | null;
  jobQrn: string;
  statusMsg: string | null;
}

const listed = 8;

/** Lists jobs that failed with their reasons, the first eight of them; `undefined` when there is none. */
export function failureList(failures: readonly FailedJob[]): RichCell | undefined {
  if (failures.length === 0) return undefined;
  const rows = failures.slice(0, listed).map(({ name, jobQrn, statusMsg }) => ({
    name: clip(name ?? "", 60) || clip(jobQrn, 80),
    reason: clip(statusMsg ?? "", 200) || "no reason given",
  }));
  const left = failures.length - rows.length;
  const more = left > 0 && `+ ${formatNumber(left)} more failed`;
  return {
    html: html`<div style="margin:8px 0 0 0;font-size:12px">${rows.map(
      ({ name, reason }) =>
        html`<div><span style="color:${tone.bad};font-weight:700">✗</span> <strong style="font-weight:600">${name}</strong> ${reason}</div>`,
    )}${more && html`<div style="opacity:0.75">${more}</div>`}</div>`,
    text: present([
      ...rows.map(({ name, reason }) => `  ✗ ${singleLine(name)}: ${singleLine(reason)}`),
      more && `  ${more}`,
    ]).join("\n"),
  };
}
