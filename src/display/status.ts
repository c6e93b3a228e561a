import type { RichCell } from "./cell.ts";
import { type HtmlValue, html } from "./cell.ts";
import { formatNumber } from "./format.ts";
import { faint, type Tone, tone } from "./palette.ts";
import { singleLine } from "./text.ts";

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

function present(counts: StatusCounts): [status: string, count: number][] {
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

/** The cells of a line that each share gets, adding up to `cells`, none of them 0. */
function cellsOf(counts: readonly number[], cells: number): number[] {
  const total = counts.reduce((sum, count) => sum + count, 0);
  const shares = counts.map(count => Math.max(1, Math.floor((count / total) * cells)));
  const over = shares.reduce((sum, share) => sum + share, 0) - cells;
  const largest = shares.indexOf(Math.max(...shares));
  return shares.map((share, index) => (index === largest ? Math.max(1, share - over) : share));
}

export interface StatusBarOptions {
  /** Width in pixels. Default: 320. */
  width?: number;
  /** Whether the bar has a legend with the number of jobs in each status. Default: true. */
  counted?: boolean;
}

/** Shows how many things are in which status as one bar, with the numbers below it. */
export function statusBar(
  counts: StatusCounts,
  { width = 320, counted = true }: StatusBarOptions = {},
): RichCell {
  const parts = present(counts);
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
  const sizes = cellsOf(
    parts.map(([, count]) => count),
    24,
  );
  const drawn = parts.map(([status], index) => (statusStyle(status).pattern ?? "░").repeat(sizes[index]!));
  return {
    html: html`${bar}${counted && html`<div style="margin:4px 0 0 0;font-size:12px">${legend}</div>`}`,
    text: counted ? `${drawn.join("")}  ${statusCountsText(counts)}` : drawn.join(""),
  };
}

/** Statuses and their numbers in one line: `✓ 7 completed · ✗ 1 failed`. */
export function statusCountsText(counts: StatusCounts): string {
  return present(counts)
    .map(
      ([status, count]) =>
        `${statusStyle(status).glyph} ${formatNumber(count)} ${singleLine(status, 40).toLowerCase()}`,
    )
    .join(" · ");
}
