import type { RichCell } from "./cell.ts";
import { html } from "./html.ts";
import { faint, series } from "./palette.ts";
import { singleLine } from "./text.ts";

/** How a meter looks. */
export interface MeterOptions {
  /** Said beside the bar. */
  label: string;
  /** Colour of the filled part. */
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
