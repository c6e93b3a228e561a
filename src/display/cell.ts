import type { RenderedView } from "./bundle.ts";
import { missing } from "./format.ts";
import { faint, series } from "./palette.ts";
import { clip, type Missing, pad, present, singleLine, terminalWidth, visible } from "./text.ts";

const maxInterpolated = 4000;

const entities: { [character: string]: string } = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
  "`": "&#96;",
};

/** Markup that is known to be safe. Only `html` and `raw` make it. */
export class SafeHtml {
  readonly #markup: string;

  constructor(markup: string) {
    this.#markup = markup;
  }

  toString(): string {
    return this.#markup;
  }
}

/** Values of the `html` template. `null`, `undefined` and `false` leave nothing. */
export type HtmlValue = SafeHtml | string | number | bigint | false | null | undefined | readonly HtmlValue[];

function markupOf(value: HtmlValue): string {
  if (value === null || value === undefined || value === false) return "";
  if (value instanceof SafeHtml) return value.toString();
  if (Array.isArray(value)) return value.map(markupOf).join("");
  const text = visible(clip(String(value), maxInterpolated));
  return text.replace(/[&<>"'`]/g, character => entities[character]!);
}

/** A template whose interpolated strings are escaped and bounded; arrays are joined, safe markup is kept. */
export function html(strings: TemplateStringsArray, ...values: HtmlValue[]): SafeHtml {
  return new SafeHtml(String.raw({ raw: strings }, ...values.map(markupOf)));
}

/** Takes markup as it is. Only for markup that we wrote ourselves. */
export function raw(markup: string): SafeHtml {
  return new SafeHtml(markup);
}

/** One content in both languages: markup for a page, safe text for a terminal. */
export interface RichCell {
  html: SafeHtml;
  text: string;
}

/** Content of a cell of a table or card. Texts are escaped; a missing value becomes an em dash. */
export type Cell = string | RichCell | null | undefined;

export function cellHtml(cell: Cell): SafeHtml {
  if (!cell) return html`${missing}`;
  return typeof cell === "string" ? html`${cell}` : cell.html;
}

/** A cell as one line of safe text. */
export function cellText(cell: Cell): string {
  if (!cell) return missing;
  return typeof cell === "string" ? singleLine(cell) : cell.text;
}

/** Sets a string in a monospaced font: names that people copy, programs, bit strings. */
export function code(text: string | null | undefined): Cell {
  if (!text) return null;
  return { html: html`<samp>${clip(text)}</samp>`, text: singleLine(text) };
}

/** Cells below each other in a page, and with a separator between them in a terminal; those that are missing left out. */
export function stacked(all: readonly Cell[], separator = "\n"): Cell {
  const cells = all.filter(Boolean);
  if (cells.length === 0) return null;
  return {
    html: html`${cells.map(cell => html`<div style="white-space:nowrap">${cellHtml(cell)}</div>`)}`,
    text: cells.map(cellText).join(separator),
  };
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

/** A bar of block characters, `cells` wide, filled to a share of 1 in steps of an eighth of a cell. */
export function blocks(share: number, cells: number): string {
  const eighths = Math.round(Math.min(1, Math.max(0, share || 0)) * cells * 8);
  const part = eighths % 8;
  return "█".repeat(eighths >> 3) + (part > 0 ? String.fromCodePoint(0x2590 - part) : "");
}

/** Shows a share of 1 as a bar, `width` pixels wide, with a label beside it. */
export function meter(
  share: number,
  { label, color = series[0], width = 120 }: { label: string; color?: string; width?: number },
): RichCell {
  const filled = Math.min(1, Math.max(0, share || 0));
  const percent = (filled * 100).toFixed(1);
  const bar = blocks(filled, 12);
  return {
    html: html`<span style="display:inline-block;width:${width}px;height:8px;margin-right:8px;border-radius:4px;vertical-align:middle;background-color:${faint};background-image:linear-gradient(90deg,${color} ${percent}%,transparent ${percent}%)"></span><span>${label}</span>`,
    text: `${bar}${"░".repeat(12 - bar.length)} ${singleLine(label)}`,
  };
}

export type Fact = readonly [label: string, value: Cell];

export interface CardOptions {
  title: Cell;
  /** Kind of object, printed before the title in a terminal. */
  kind?: string;
  /** A name that people copy, in small letters below the title. */
  name?: string;
  /** At the right of the title, such as a status. */
  badge?: Cell;
  /** Blocks between the title and the facts, such as a timeline or a drawing; strings may have several lines. */
  blocks?: readonly (RichCell | Missing)[];
  facts: readonly Fact[];
  note?: string | undefined;
}

const indented = (text: string, columns: number) => text.replaceAll("\n", `\n${" ".repeat(columns)}`);

const maxNote = 4000;

const border = "border:1px solid rgba(128,128,128,0.35);border-radius:8px";

/** Shows the facts of one thing as a framed card, and as lines. */
export function card({ title, kind, name, badge, facts, note, ...options }: CardOptions): RenderedView {
  const blocks = present(options.blocks ?? []);
  const rows = facts.map(
    ([label, value]) =>
      html`<tr style="background-color:transparent"><th scope="row" style="text-align:left;vertical-align:top;padding:2px 16px 2px 0;font-weight:400;opacity:0.75;white-space:nowrap">${label}</th><td style="text-align:left;vertical-align:top;padding:2px 0;white-space:normal;overflow-wrap:break-word">${cellHtml(value)}</td></tr>`,
  );
  const remark = note ? paragraph(note, maxNote) : undefined;
  const markup = html`<div style="display:inline-block;box-sizing:border-box;min-width:240px;max-width:100%;${border};padding:12px 16px;margin:2px 0;font-size:13px;line-height:1.45;font-variant-numeric:tabular-nums"><div style="display:flex;flex-wrap:wrap;justify-content:space-between;column-gap:24px;margin:0 0 8px 0"><strong style="font-size:16px;font-weight:600;min-width:0;overflow-wrap:break-word">${cellHtml(title)}</strong>${
    badge && html`<span>${cellHtml(badge)}</span>`
  }${
    name &&
    html`<div style="flex-basis:100%;font-size:12px;opacity:0.75;min-width:0;overflow-wrap:break-word">${cellHtml(code(name))}</div>`
  }</div>${blocks.map(block => html`<div style="margin:0 0 8px 0;overflow-x:auto">${block.html}</div>`)}${
    rows.length > 0 &&
    html`<div style="overflow-x:auto"><table style="border-collapse:collapse;margin:0;table-layout:auto;font-size:13px"><tbody>${rows}</tbody></table></div>`
  }${remark && html`<div style="margin:8px 0 0 0;font-size:12px;opacity:0.75;overflow-wrap:break-word">${remark.html}</div>`}</div>`;
  const width = Math.max(0, ...facts.map(([label]) => terminalWidth(singleLine(label))));
  const lines = [
    present([kind && `${singleLine(kind)}:`, cellText(title), badge && ` ${cellText(badge)}`]).join(" "),
    name && `  ${singleLine(name, 200)}`,
    ...blocks.map(block => block.text),
    ...facts.map(
      ([label, value]) => `  ${pad(singleLine(label), width)}  ${indented(cellText(value), width + 4)}`,
    ),
    remark && `  ${indented(remark.text, 2)}`,
  ];
  return { html: markup.toString(), text: present(lines).join("\n") };
}
