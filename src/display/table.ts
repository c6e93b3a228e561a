import type { RenderedView } from "./bundle.ts";
import { type Cell, cellHtml, cellText, html, raw, type SafeHtml } from "./cell.ts";
import { formatCount, formatNumber } from "./format.ts";
import { faint } from "./palette.ts";
import { pad, present, singleLine, terminalWidth } from "./text.ts";

type Align = "left" | "right" | "decimal";

export interface Column<Row> {
  label: string;
  /** Numbers stand right, those with decimals by their point. Default: `left`. */
  align?: Align;
  /** Whether pages narrower than 560 pixels leave it out, where their styles can. Default: false. */
  isMinor?: boolean;
  value(row: Row): Cell;
}

/** Returns a column of numbers. */
export const numbers = <Row>(
  label: string,
  value: (row: Row) => Cell,
  align: Align = "right",
): Column<Row> => ({ label, align, value });

/** Rows beyond those that a table shows. */
export interface TableRemarks {
  /** Rows shown at most; what is left out is counted below. Default: 100. */
  limit?: number;
  /** Rows that exist when those of the table are only a part of them. */
  total?: number;
  /** Records that could not be read, and so have no row. */
  unread?: readonly { problem: string }[];
}

export interface TableOptions<Row> extends TableRemarks {
  /** The columns from left to right; one that is false is left out. */
  columns: readonly (Column<Row> | false)[];
  rows: readonly Row[];
  caption?: string;
  /** Name of the rows in that count, such as `jobs`. */
  noun?: string;
  note?: string | undefined;
}

/** Short attributes of cells: front ends that align cells to the right do so by rules that only a style overrides. */
const right = raw(" align=right");
const aligned = { left: raw(" style=text-align:left"), right, decimal: right };

/** As wide as its content on a page of 560 pixels and more, else nothing. */
const narrowed = "overflow-x:hidden;white-space:nowrap;max-width:clamp(0px,calc(100vw - 560px) * 999,400px)";

/** Shows rows as a table that scrolls sideways when it is wide, and as aligned lines. */
export function table<Row>(options: TableOptions<Row>): RenderedView {
  const { rows, caption, limit = 100, noun = "rows", unread = [] } = options;
  const columns = present(options.columns);
  const total = Math.max(options.total ?? 0, rows.length);
  const shown = rows.slice(0, limit);
  const cells = shown.map(row => columns.map(column => column.value(row)));
  const count = countText(shown.length, rows.length, total, noun);
  const note = present([count, unreadText(unread), options.note]).join(" ");
  return {
    html: tableHtml({ columns, cells, caption, note }).toString(),
    text: tableText({ columns, cells, caption, note }),
    records: () =>
      rows.map(row =>
        Object.fromEntries(
          columns.map(({ label, value }, index) => [label || `column ${index + 1}`, cellText(value(row))]),
        ),
      ),
  };
}

function countText(shown: number, rows: number, total: number, noun: string): string {
  if (total === 0) return `No ${noun}.`;
  if (rows < total) return `${formatNumber(shown)} of ${formatCount(total, noun)}`;
  return shown < total ? `+ ${formatNumber(total - shown)} more (${formatCount(total, noun)})` : "";
}

function unreadText(unread: readonly { problem: string }[]): string {
  const [first] = unread;
  if (!first) return "";
  return `${formatCount(unread.length, "records")} could not be read: ${singleLine(first.problem, 200)}`;
}

interface Contents {
  columns: readonly Omit<Column<never>, "value">[];
  cells: Cell[][];
  caption: string | undefined;
  note: string;
}

function tableHtml({ columns, cells, caption, note }: Contents): SafeHtml {
  const alignments = columns.map(({ align = "left" }) => aligned[align]);
  const fills = columns.map(({ align }, index) =>
    align === "decimal" ? alignPoints(cells.map(row => cellText(row[index]))) : [],
  );
  const kept = (index: number, cell: SafeHtml | string) =>
    columns[index]!.isMinor ? html`<div style="${narrowed}">${cell}</div>` : cell;
  const heads = columns.map(
    ({ label }, index) => html`<th scope=col${alignments[index]}>${kept(index, label)}</th>`,
  );
  const body = cells.map(
    (row, place) =>
      html`<tr style='border-bottom:1px solid #8882'>${row.map((cell, index) => html`<td${alignments[index]}>${kept(index, cellHtml(fills[index]![place] ?? cell))}</td>`)}</tr>`,
  );
  return html`<div style="max-width:100%;font-size:13px;line-height:1.45"><div style="display:flex;overflow-x:auto"><table cellpadding="5" style="flex:none;border-collapse:collapse;margin:0;font-size:13px;font-variant-numeric:tabular-nums;table-layout:auto">${
    caption &&
    html`<caption style="caption-side:top;text-align:left;padding:0 5px 4px 5px;font-weight:600;white-space:nowrap">${caption}</caption>`
  }<thead><tr style="border-bottom:1px solid ${faint}">${heads}</tr></thead><tbody>${body}</tbody></table></div>${
    note && html`<div style="padding:4px 5px;font-size:12px;opacity:0.75">${note}</div>`
  }</div>`;
}

function tableText({ columns, cells, caption, note }: Contents): string {
  const texts = columns.map(({ align }, index) => {
    const column = cells.map(row => cellText(row[index]));
    return align === "decimal" ? alignPoints(column).map(withSpaces) : column;
  });
  const lines = [
    columns.map(column => singleLine(column.label)),
    ...cells.map((_, row) => texts.map(column => column[row]!)),
  ];
  const widths = columns.map((_, index) => Math.max(...lines.map(line => terminalWidth(line[index]!))));
  const aligned = lines.map(line =>
    line
      .map((text, index) =>
        pad(text, widths[index]!, (columns[index]!.align ?? "left") === "left" ? "left" : "right"),
      )
      .join("  ")
      .trimEnd(),
  );
  const rule = widths.map(width => "─".repeat(width)).join("  ");
  return present([caption && singleLine(caption), aligned[0], rule, ...aligned.slice(1), note]).join("\n");
}

/** Spaces as wide as a decimal point and as a digit. */
const [point, digit] = ["\u2008", "\u2007"];

/** Fills numbers of one column with spaces after them, to align their decimal points. */
export function alignPoints(texts: readonly string[]): string[] {
  const decimals = texts.map(text => /\.(\d+)$/.exec(text)?.[1]?.length ?? 0);
  const max = Math.max(0, ...decimals);
  return texts.map((text, row) => {
    const lacking = max - decimals[row]!;
    const isNumber = /\d$/.test(text);
    return isNumber && lacking > 0 ? text + (lacking === max ? point : "") + digit.repeat(lacking) : text;
  });
}

/** Returns a text whose spaces are all as wide as a letter, for a terminal. */
export const withSpaces = (text: string) => text.replace(/[\u2007\u2008]/g, " ");
