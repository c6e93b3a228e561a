import { missing } from "./format.ts";
import { html, type SafeHtml } from "./html.ts";
import { faint, series } from "./palette.ts";
import { clip, singleLine } from "./text.ts";

/** One content in both languages: markup for a page, safe text for a terminal. */
export interface RichCell {
  html: SafeHtml;
  text: string;
}

/** Content of a cell of a table or card. Texts are escaped; a missing value becomes an em dash. */
export type Cell = string | RichCell | null | undefined;

export function cellHtml(cell: Cell): SafeHtml {
  if (cell === null || cell === undefined || cell === "") return html`${missing}`;
  return typeof cell === "string" ? html`${cell}` : cell.html;
}

/** A cell as one line of safe text. */
export function cellText(cell: Cell): string {
  if (cell === null || cell === undefined || cell === "") return missing;
  return typeof cell === "string" ? singleLine(cell) : cell.text;
}

/** Sets a string in a monospaced font: names that people copy, programs, bit strings. */
export function code(text: string | null | undefined): Cell {
  if (!text) return null;
  return { html: html`<samp>${clip(text)}</samp>`, text: singleLine(text) };
}

const maxLines = 30;

/** Keeps the lines of a longer text, such as what a compiler says, bounded as a whole. For cards, not for tables. */
export function paragraph(text: string, max: number = 2000): RichCell {
  const lines = clip(text, max).split(/\r?\n/);
  const shown = [...lines.slice(0, maxLines), ...(lines.length > maxLines ? ["…"] : [])];
  return {
    html: html`<span style="white-space:pre-line">${shown.join("\n")}</span>`,
    text: shown.map(line => singleLine(line, max)).join("\n"),
  };
}

export interface MeterOptions {
  label: string;
  color?: string;
  /** Width in pixels. Default: 120. */
  width?: number;
}

/** A bar of block characters, `cells` wide, filled to a share of 1 in steps of an eighth of a cell. */
export function blocks(share: number, cells: number): string {
  const eighths = Math.round(Math.min(1, Math.max(0, share || 0)) * cells * 8);
  const part = eighths % 8;
  return "█".repeat(eighths >> 3) + (part > 0 ? String.fromCodePoint(0x2590 - part) : "");
}

/** Shows a share of 1 as a bar with a label beside it. */
export function meter(share: number, { label, color = series[0], width = 120 }: MeterOptions): RichCell {
  const filled = Math.min(1, Math.max(0, share || 0));
  const percent = (filled * 100).toFixed(1);
  const bar = blocks(filled, 12);
  return {
    html: html`<span style="display:inline-block;width:${width}px;height:8px;margin-right:8px;border-radius:4px;vertical-align:middle;background-color:${faint};background-image:linear-gradient(90deg,${color} ${percent}%,transparent ${percent}%)"></span><span>${label}</span>`,
    text: `${bar}${"░".repeat(12 - bar.length)} ${singleLine(label)}`,
  };
}
