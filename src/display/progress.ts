import { cellHtml } from "./cell.ts";
import { formatDuration, formatNumber, formatPercent } from "./format.ts";
import { html } from "./html.ts";
import { meter } from "./meter.ts";
import type { RenderedView } from "./rendered-view.ts";
import { statusCell, statusStyle } from "./status.ts";
import { singleLine } from "./text.ts";

/** What is known about something that is under way. */
export interface Progress {
  title: string;
  status: string;
  /** Jobs ahead, while it waits. */
  queuePosition?: number | null;
  elapsedMs: number;
  /** How much is done, from 0 to 1, where that is known. */
  fraction?: number;
  /** How much is done, in words. */
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
  const line = [
    `${statusStyle(status).glyph} ${singleLine(title, 60)}`,
    singleLine(status, 40),
    place,
    done?.text,
    elapsed,
  ]
    .filter(Boolean)
    .join(" · ");
  const markup = html`<div style="font-size:13px;line-height:1.45;font-variant-numeric:tabular-nums;overflow-wrap:break-word">${cellHtml(statusCell(status))} <span style="font-weight:600;margin:0 8px">${singleLine(title)}</span> ${
    place && html`<span style="margin-right:8px;opacity:0.75">${place}</span> `
  }${done && html`<span style="margin-right:8px">${done.html}</span> `}<span style="opacity:0.75">${elapsed}</span></div>`;
  return { html: markup.toString(), text: line, line };
}
