import { missing } from "./format.ts";
import { html, type SafeHtml } from "./html.ts";
import { clip, singleLine } from "./text.ts";

/** One content in both languages: markup for a page, safe text for a terminal. */
export interface RichCell {
  html: SafeHtml;
  text: string;
}

/** What stands in a place of a table or card. Texts are escaped; a missing value becomes an em dash. */
export type Cell = string | RichCell | null | undefined;

/** A cell as markup. */
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
