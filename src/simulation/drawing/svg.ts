import type { Circuit } from "../circuit/circuit.ts";
import { type Item, layOut, type Mark, remainder, wrapColumns } from "./layout.ts";

const BLUE = "#0072B2";
const GREEN = "#009E73";
const ORANGE = "#D55E00";
const GREY = "#767676";
const WHITE = "#ffffff";

const ROW = 34;
const BOX = 24;
const PADDING = 8;
const GAP = 10;
const CHARACTER = 7.3;
/** Room above the first wire, for the labels of blocks. */
const HEAD = 10;
const FRAME = 10;
const LABEL = 10;

const FILLS: Partial<Record<Mark["kind"], string>> = {
  gate: BLUE,
  composite: GREEN,
  measure: GREY,
  reset: GREY,
};

/**
 * Draws a circuit as a self-contained SVG picture that is legible on white and on dark pages,
 * wrapped to `width` pixels (default 900). What is beyond 200 columns or 60 qubits is counted, not drawn.
 */
export function drawSvg(circuit: Circuit, { width = 900 }: { width?: number } = {}): string {
  const layout = layOut(circuit);
  const { rows, columns } = layout;
  const margin = Math.max(0, ...rows.map(({ label }) => label.length)) * CHARACTER + 2 * PADDING;
  const widths = columns.map(
    items => Math.max(0, ...items.flatMap(({ marks }) => marks.map(markWidth))) + GAP,
  );
  makeRoomForLabels(columns, widths);
  const runs = wrapColumns(widths, Math.max(100, width - margin - PADDING));
  const height = rows.length * ROW;
  const parts: string[] = [];
  let total = 0;
  runs.forEach(({ start, end }, run) => {
    const top = HEAD + run * (height + ROW / 2);
    const right = margin + widths.slice(start, end).reduce((sum, span) => sum + span, 0) + GAP;
    total = Math.max(total, right);
    rows.forEach(({ label, isClassical }, row) => {
      const y = top + row * ROW + ROW / 2;
      parts.push(text(margin - PADDING, y, label, GREY, "end"));
      for (const shift of isClassical ? [-1.5, 1.5] : [0])
        parts.push(line(margin, y + shift, right, y + shift, GREY));
    });
    let x = margin + GAP;
    for (let column = start; column < end; column++) {
      const span = widths[column]! - GAP;
      for (const item of columns[column]!) {
        parts.push(drawItem(item, x, span, top));
        total = Math.max(total, x + labelWidth(item));
      }
      x += widths[column]!;
    }
  });
  let bottom = HEAD + runs.length * (height + ROW / 2) - ROW / 4;
  const rest = remainder(layout);
  if (rest) {
    parts.push(text(PADDING, bottom + ROW / 4, rest, GREY, "start"));
    total = Math.max(total, rest.length * CHARACTER + 2 * PADDING);
    bottom += ROW;
  }
  const [w, h] = [Math.ceil(total + PADDING), Math.ceil(bottom)];
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${w}" height="${h}" viewBox="0 0 ${w} ${h}" font-family="monospace" font-size="12">${parts.join("")}</svg>`;
}

function markWidth({ kind, text: label }: Mark): number {
  if (kind === "begin" || kind === "end") return FRAME;
  return FILLS[kind] ? Math.max(BOX, label.length * CHARACTER + 10) : BOX;
}

/** Gives the room that the label of a block takes, which stands above its first wire. */
function labelWidth({ marks }: Item): number {
  const label = marks.find(({ kind }) => kind === "begin")?.text;
  return label ? label.length * CHARACTER * (LABEL / 12) + GAP : 0;
}

/** Widens the columns in which blocks begin whose label is longer than the block. */
function makeRoomForLabels(columns: readonly (readonly Item[])[], widths: number[]): void {
  const open: { item: Item; column: number }[] = [];
  columns.forEach((items, column) => {
    for (const item of items) {
      const kind = item.marks.find(mark => mark.kind === "begin" || mark.kind === "end")?.kind;
      if (kind === "begin") open.push({ item, column });
      if (kind !== "end") continue;
      const rowOf = (one: Item) => one.marks[0]!.row;
      const at = open.findLastIndex(begun => rowOf(begun.item) === rowOf(item));
      const [begun] = at < 0 ? [] : open.splice(at, 1);
      if (!begun) continue;
      const inside = widths.slice(begun.column, column + 1).reduce((sum, width) => sum + width, 0);
      widths[begun.column]! += Math.max(0, labelWidth(begun.item) - inside);
    }
  });
}

/** Draws what belongs together into a column that begins at `start` and is `span` wide. */
function drawItem({ marks, top, bottom, join }: Item, start: number, span: number, offset: number): string {
  const x = start + span / 2;
  const y = (row: number) => offset + row * ROW + ROW / 2;
  const out: string[] = [];
  const isFrame = marks.some(({ kind }) => kind === "begin" || kind === "end");
  if (marks.length > 1 && !isFrame) {
    if (join === "dashed")
      out.push(line(x, y(top) - BOX / 2, x, y(bottom) + BOX / 2, GREY, ' stroke-dasharray="4 3"'));
    else if (join === "double")
      for (const shift of [-1.5, 1.5]) out.push(line(x + shift, y(top), x + shift, y(bottom), GREY));
    else out.push(line(x, y(top), x, y(bottom), BLUE));
  }
  if (isFrame) out.push(drawFrame(marks, start, start + span, y));
  for (const mark of marks) out.push(drawMark(mark, x, y(mark.row)));
  return out.join("");
}

function drawFrame(marks: readonly Mark[], left: number, right: number, y: (row: number) => number): string {
  const frame = marks.filter(({ kind }) => kind === "begin" || kind === "end");
  const first = frame[0]!;
  const edge = first.kind === "begin" ? left : right;
  const inward = first.kind === "begin" ? 8 : -8;
  const from = y(first.row) - BOX / 2 - 3;
  const to = y(frame.at(-1)!.row) + BOX / 2 + 3;
  const conditions = marks.filter(({ kind }) => kind === "condition");
  const lines = conditions.map(({ row }) => line(edge, to, edge, y(row), ORANGE));
  const path = `<path d="M${round(edge + inward)} ${round(from)}H${round(edge)}V${round(to)}H${round(edge + inward)}" fill="none" stroke="${ORANGE}" stroke-width="2"/>`;
  const dots = conditions.map(
    ({ row }) => `<circle cx="${round(edge)}" cy="${round(y(row))}" r="4" fill="${ORANGE}"/>`,
  );
  const label = first.text ? text(edge, from - LABEL / 2, first.text, ORANGE, "start", LABEL) : "";
  return [...lines, path, ...dots, label].join("");
}

function drawMark({ kind, text: label }: Mark, x: number, y: number): string {
  const width = markWidth({ row: 0, kind, text: label });
  switch (kind) {
    case "control":
      return `<circle cx="${round(x)}" cy="${round(y)}" r="4.5" fill="${BLUE}"/>`;
    case "open":
      return `<circle cx="${round(x)}" cy="${round(y)}" r="4.5" fill="${WHITE}" stroke="${BLUE}" stroke-width="2"/>`;
    case "target":
      return `<circle cx="${round(x)}" cy="${round(y)}" r="9" fill="${BLUE}"/>${line(x - 6, y, x + 6, y, WHITE)}${line(x, y - 6, x, y + 6, WHITE)}`;
    case "swap":
      return line(x - 5, y - 5, x + 5, y + 5, BLUE, "", 2) + line(x - 5, y + 5, x + 5, y - 5, BLUE, "", 2);
    case "bit":
      return `<circle cx="${round(x)}" cy="${round(y)}" r="8" fill="${GREY}"/>${text(x, y, label, WHITE, "middle", 10)}`;
    case "barrier":
      return line(x, y - BOX / 2, x, y + BOX / 2, GREY, ' stroke-dasharray="4 3"');
    case "begin":
    case "end":
    case "condition":
      return "";
    default:
      return `<rect x="${round(x - width / 2)}" y="${round(y - BOX / 2)}" width="${round(width)}" height="${BOX}" rx="3" fill="${FILLS[kind]!}"/>${text(x, y, label, WHITE, "middle")}`;
  }
}

function line(
  x1: number,
  y1: number,
  x2: number,
  y2: number,
  colour: string,
  extra = "",
  width = 1.5,
): string {
  return `<line x1="${round(x1)}" y1="${round(y1)}" x2="${round(x2)}" y2="${round(y2)}" stroke="${colour}" stroke-width="${width}"${extra}/>`;
}

function text(x: number, y: number, content: string, colour: string, anchor: string, size = 12): string {
  return `<text x="${round(x)}" y="${round(y + size / 3)}" fill="${colour}" text-anchor="${anchor}" font-size="${size}">${escapeXml(content)}</text>`;
}

const round = (value: number): number => Math.round(value * 10) / 10;

const ENTITIES: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function escapeXml(content: string): string {
  return content
    .replace(/[&<>"']/g, character => ENTITIES[character]!)
    .replace(/[^\x20-\ud7ff\ue000-\ufffd]/g, "?");
}
