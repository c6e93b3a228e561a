import type { RenderedView } from "./bundle.ts";
import { type Cell, cellHtml, cellText, code, paragraph } from "./cell.ts";
import { html } from "./html.ts";
import { pad, singleLine, terminalWidth } from "./text.ts";

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
  blocks?: readonly { html: Cell; text: string }[];
  facts: readonly Fact[];
  note?: string | undefined;
}

const indented = (text: string, columns: number) => text.replaceAll("\n", `\n${" ".repeat(columns)}`);

const maxNote = 4000;

const border = "border:1px solid rgba(128,128,128,0.35);border-radius:8px";

/** Shows the facts of one thing as a framed card, and as lines. */
export function card({ title, kind, name, badge, blocks = [], facts, note }: CardOptions): RenderedView {
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
  }</div>${blocks.map(block => html`<div style="margin:0 0 8px 0;overflow-x:auto">${cellHtml(block.html)}</div>`)}${
    rows.length > 0 &&
    html`<div style="overflow-x:auto"><table style="border-collapse:collapse;margin:0;table-layout:auto;font-size:13px"><tbody>${rows}</tbody></table></div>`
  }${remark && html`<div style="margin:8px 0 0 0;font-size:12px;opacity:0.75;overflow-wrap:break-word">${remark.html}</div>`}</div>`;
  const width = Math.max(0, ...facts.map(([label]) => terminalWidth(singleLine(label))));
  const lines = [
    [kind && `${singleLine(kind)}:`, cellText(title), badge && ` ${cellText(badge)}`]
      .filter(Boolean)
      .join(" "),
    name && `  ${singleLine(name, 200)}`,
    ...blocks.map(block => block.text),
    ...facts.map(
      ([label, value]) => `  ${pad(singleLine(label), width)}  ${indented(cellText(value), width + 4)}`,
    ),
    remark && `  ${indented(remark.text, 2)}`,
  ];
  return { html: markup.toString(), text: lines.filter(Boolean).join("\n") };
}
