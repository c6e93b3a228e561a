import { isTerminalJob } from "../contract/index.ts";
import type { RenderedView } from "./bundle.ts";
import { cellHtml, type HtmlValue, html, meter, type RichCell } from "./cell.ts";
import { formatDuration, formatNumber, formatPercent } from "./format.ts";
import { faint, type Tone, tone } from "./palette.ts";
import { clip, dotted, present, singleLine } from "./text.ts";

interface Look {
  glyph: string;
  tone: Tone;
  /** Character of a bar of text. Default: `░`. */
  pattern?: string;
}

/** Looks of statuses, in the order of a bar: completed, running and waiting jobs, others, then failed ones. */
const looks: { readonly [status: string]: Look | undefined } = {
  __proto__: null as never,
  COMPLETED: { glyph: "✓", tone: "good", pattern: "█" },
  CANCELLING: { glyph: "■", tone: "idle", pattern: "▓" },
  RUNNING: { glyph: "▸", tone: "active", pattern: "▓" },
  VALIDATING: { glyph: "◑", tone: "active", pattern: "▓" },
  QUEUED: { glyph: "◔", tone: "idle" },
  INITIALIZING: { glyph: "◌", tone: "idle" },
  HOLD: { glyph: "‖", tone: "idle" },
  PENDING: { glyph: "▸", tone: "active" },
  LOADING: { glyph: "▸", tone: "active" },
  ONLINE: { glyph: "●", tone: "good" },
  UNAVAILABLE: { glyph: "◐", tone: "bad" },
  OFFLINE: { glyph: "○", tone: "idle" },
  RETIRED: { glyph: "□", tone: "idle" },
  OPEN: { glyph: "○", tone: "active" },
  CLOSED: { glyph: "●", tone: "idle" },
  UNKNOWN: { glyph: "?", tone: "idle" },
  CANCELLED: { glyph: "■", tone: "idle", pattern: "╌" },
  FAILED: { glyph: "✗", tone: "bad", pattern: "×" },
};

/** The glyph and tone of a status of a job, device or group; a question mark for one that nobody documented. */
export function statusStyle(status: string): Look {
  return looks[status] ?? looks.UNKNOWN!;
}

/** Shows a status as a coloured glyph and its word: colour is never the only sign. */
export function statusCell(status: string): RichCell {
  const look = statusStyle(status);
  const word = status || "UNKNOWN";
  return {
    html: html`<b style=color:${tone[look.tone]}>${look.glyph}</b>\u00a0${word}`,
    text: `${look.glyph} ${singleLine(word, 40)}`,
  };
}

/** Shows a status that most rows have as its glyph only, whose word is its title. */
export function briefStatus(status: string, usual: string): RichCell {
  if (status !== usual) return statusCell(status);
  const { glyph, tone: name } = statusStyle(status);
  return { html: html`<b style=color:${tone[name]} title="${status}">${glyph}</b>`, text: glyph };
}

export interface StatusCounts {
  readonly [status: string]: number;
}

const waiting = new Set(["QUEUED", "INITIALIZING", "HOLD"]);
const maxStatuses = 16;

const order = Object.keys(looks);
const rankOf = (status: string) => order.indexOf(looks[status] ? status : "UNKNOWN");

function statusesOf(counts: StatusCounts): [status: string, count: number][] {
  return Object.entries(counts)
    .filter(([, count]) => count > 0)
    .sort(([one], [other]) => rankOf(one) - rankOf(other))
    .slice(0, maxStatuses);
}

export function countStatuses(statuses: Iterable<string>): StatusCounts {
  const counts = new Map<string, number>();
  for (const status of statuses) counts.set(status, (counts.get(status) ?? 0) + 1);
  return Object.fromEntries(counts);
}

const colorOf = (status: string) => (waiting.has(status) ? faint : tone[statusStyle(status).tone]);

/** The cells of a line that each part of a total gets, adding up to `cells`, none of them 0. */
function cellsOf(parts: readonly [string, number][], total: number, cells: number): number[] {
  const shares = parts.map(([, count]) => Math.max(1, Math.floor((count / total) * cells)));
  const over = shares.reduce((sum, share) => sum + share, 0) - cells;
  const largest = shares.indexOf(Math.max(...shares));
  return shares.map((share, index) => (index === largest ? Math.max(1, share - over) : share));
}

/** Shows how many things are in which status as one bar, `width` pixels wide, and unless told otherwise the numbers below it. */
export function statusBar(
  counts: StatusCounts,
  { width = 320, counted = true }: { width?: number; counted?: boolean } = {},
): RichCell {
  const parts = statusesOf(counts);
  const total = parts.reduce((sum, [, count]) => sum + count, 0);
  if (total === 0) return { html: html`no jobs`, text: "no jobs" };
  let begin = 0;
  const stops = parts.flatMap(([status, count]) => {
    const end = begin + (count / total) * 100;
    const color = colorOf(status);
    const pair = [`${color} ${begin.toFixed(1)}%`, `${color} ${end.toFixed(1)}%`];
    begin = end;
    return pair;
  });
  const bar = html`<div style="width:${width}px;max-width:100%;height:10px;border-radius:5px;background-image:linear-gradient(90deg,${stops.join(",")})"></div>`;
  const legend: HtmlValue = parts.map(
    ([status, count]) =>
      html`<span style="display:inline-block;margin-right:16px;white-space:nowrap">${statusCell(status).html} <strong style="font-weight:600">${formatNumber(count)}</strong></span>`,
  );
  const sizes = cellsOf(parts, total, 24);
  const drawn = parts.map(([status], index) => (statusStyle(status).pattern ?? "░").repeat(sizes[index]!));
  return {
    html: html`${bar}${counted && html`<div style="margin:4px 0 0 0;font-size:12px">${legend}</div>`}`,
    text: counted ? `${drawn.join("")}  ${statusCountsText(counts)}` : drawn.join(""),
  };
}

/** Statuses and their numbers in one line: `✓ 7 completed · ✗ 1 failed`. */
export function statusCountsText(counts: StatusCounts): string {
  return statusesOf(counts)
    .map(
      ([status, count]) =>
        `${statusStyle(status).glyph} ${formatNumber(count)} ${singleLine(status, 40).toLowerCase()}`,
    )
    .join(" · ");
}

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
    queuePosition == null ? detail && singleLine(detail, 200) : `position ${formatNumber(queuePosition)}`;
  const elapsed = formatDuration(Math.max(0, elapsedMs));
  const name = `${statusStyle(status).glyph} ${singleLine(title, 60)}`;
  const line = dotted(name, singleLine(status, 40), place, done?.text, elapsed);
  const markup = html`<div style="font-size:13px;line-height:1.45;font-variant-numeric:tabular-nums;overflow-wrap:break-word">${cellHtml(statusCell(status))} <span style="font-weight:600;margin:0 8px">${singleLine(title)}</span> ${
    place && html`<span style="margin-right:8px;opacity:0.75">${place}</span> `
  }${done && html`<span style="margin-right:8px">${done.html}</span> `}<span style="opacity:0.75">${elapsed}</span></div>`;
  return { html: markup.toString(), text: line, line };
}

/** Shows many jobs that are under way: how many of them are over, one bar of their statuses, and what failed. */
export function jobsProgressView({
  title,
  counts,
  elapsedMs,
  failures = [],
}: {
  title: string;
  counts: StatusCounts;
  elapsedMs: number;
  failures?: readonly FailedJob[];
}): ProgressView {
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
