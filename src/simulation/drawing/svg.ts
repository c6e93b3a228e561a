import type { Circuit } from "../circuit/circuit.ts";
import type { Element } from "./elements.ts";
import { foldColumns } from "./fold.ts";
import type { Item, Mark } from "./grid.ts";
import { layOut } from "./layout.ts";
import type { DrawingOptions } from "./options.ts";
import type { Row } from "./rows.ts";
import { drawFrame, FRAME, frameLabelWidth, INSET, LANE } from "./svg-frame.ts";
import {
  BLUE,
  BOX,
  box as boxAt,
  CHARACTER,
  circle,
  EDGES,
  filledShape,
  GREY,
  INK,
  line,
  path,
  type Shape,
  shapeSvg,
  TEXT,
  text,
  WHITE,
} from "./svg-shapes.ts";
import { textWidth } from "./text-width.ts";

const ROW = 38;
const PADDING = 8;
const GAP = 10;
/** The colour of labels on white. */
const LABELS = "#505860";

/** An execution as shapes on the wires of its circuit. */
export interface CircuitStrip {
  readonly height: number;
  /** Width of the names of the wires. */
  readonly margin: number;
  readonly wires: readonly {
    readonly label: string;
    readonly y: number;
    readonly lines: readonly number[];
  }[];
  readonly columns: readonly { readonly width: number; readonly shapes: readonly Shape[] }[];
}

/**
 * Draws a circuit as a self-contained SVG picture whose lines are visible on white and on dark pages, and whose labels are
 * of the colour `color` of the picture, wrapped to `width` pixels (default 900) or as `fold` says. What is beyond 200 columns or 60 qubits is counted, not
 * drawn. Gates are white with a coloured edge, or `filled` with its colour.
 */
export function drawSvg(
  circuit: Circuit,
  { width = 900, filled = false, ...options }: DrawingOptions & { width?: number; filled?: boolean } = {},
): string {
  const { rows, columns, frames, notes } = layOut(circuit, options);
  const margin = marginOf(rows);
  const widths = columns.map((items, column) => {
    const isEdge = frames.some(({ start, end }) => start === column || end === column);
    return Math.max(isEdge ? FRAME : 0, ...items.map(itemWidth)) + GAP;
  });
  for (const frame of frames) {
    const inside = widths.slice(frame.start, frame.end + 1).reduce((sum, one) => sum + one, 0);
    widths[frame.start]! += Math.max(0, frameLabelWidth(frame.label) - inside + GAP);
  }
  const { fold = Number.POSITIVE_INFINITY } = options;
  const total =
    options.fold === undefined ? Math.max(100, width - margin - PADDING) : Number.POSITIVE_INFINITY;
  const runs = foldColumns(widths, frames, { total, fold, edge: 0 });
  const { places, height } = rowPlaces(rows.length, frames);
  const parts: Shape[] = [];
  let widest = 0;
  let top = PADDING;
  for (const { start, end } of runs) {
    const y = (row: number) => top + places[row]!;
    const edges: number[] = [];
    let right = margin + GAP;
    for (let column = start; column < end; column++) {
      edges[column] = right;
      right += widths[column]!;
    }
    edges[end] = right;
    rows.forEach((row, at) => {
      parts.push(text(margin - PADDING, y(at), row.label, TEXT, "end"));
      for (const height of wireHeights(row, y(at))) parts.push(line(margin, height, right, height, GREY));
    });
    widest = Math.max(widest, right);
    for (const frame of frames)
      if (frame.start < end && frame.end >= start) {
        const from = frame.start < start ? null : edges[frame.start]!;
        const to = frame.end >= end ? null : edges[frame.end + 1]! - GAP;
        const left = from ?? margin + GAP / 2;
        parts.push(...drawFrame(frame, { from, to, left, right: to ?? right }, y));
        widest = Math.max(widest, left + frameLabelWidth(frame.label, from === null));
      }
    for (let column = start; column < end; column++)
      for (const item of columns[column]!)
        parts.push(...drawItem(item, edges[column]! + (widths[column]! - GAP) / 2, y));
    top += height + ROW / 4;
  }
  for (const note of notes) {
    top += ROW / 2;
    parts.push(text(PADDING, top - ROW / 4, note, TEXT, "start"));
    widest = Math.max(widest, textWidth(note) * CHARACTER + 2 * PADDING);
  }
  const [w, h] = [Math.ceil(widest + PADDING), Math.ceil(top)];
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${w}" height="${h}" viewBox="0 0 ${w} ${h}" font-family="DejaVu Sans Mono, monospace" font-size="12" color="${LABELS}">${parts.map(shape => shapeSvg(filled ? filledShape(shape) : shape)).join("")}</svg>`;
}

/** Returns the heights of a wire's lines: a classical one has two. */
const wireHeights = ({ isClassical }: Row, y: number): number[] => (isClassical ? [y - 1.5, y + 1.5] : [y]);

/** Returns the room that the names of wires take. */
const marginOf = (rows: readonly Row[]): number =>
  Math.max(0, ...rows.map(({ label }) => textWidth(label))) * CHARACTER + 2 * PADDING;

/**
 * Draws the operations of an execution, each in a column of its own. Heights count from the top, and distances across from the
 * middle of a column.
 */
export function drawStrip(circuit: Circuit, elements: readonly Element[]): CircuitStrip {
  const { rows, columns } = layOut(circuit, {}, elements);
  const items = columns.map(column => column[0]);
  const lowest = Math.max(
    ...rows.map(({ isClassical }, row) => (isClassical ? -1 : row)),
    ...items.map(item => item?.bottom ?? -1),
  );
  const shown = rows.slice(0, lowest + 1);
  const y = (row: number) => (row + 0.5) * ROW;
  return {
    height: shown.length * ROW,
    margin: marginOf(shown),
    wires: shown.map((row, at) => ({ label: row.label, y: y(at), lines: wireHeights(row, y(at)) })),
    columns: items.map(item => ({
      width: (item ? itemWidth(item) : BOX) + GAP,
      shapes: item ? drawItem(item, 0, y) : [],
    })),
  };
}

/** Returns the height of each row's wire below the top of a run, with room for the labels and edges of frames. */
function rowPlaces(
  count: number,
  frames: readonly { top: number; bottom: number; topLevels: number; bottomLevels: number }[],
): { places: number[]; height: number } {
  const above = new Uint32Array(count);
  const below = new Uint32Array(count);
  for (const { top, bottom, topLevels, bottomLevels } of frames) {
    above[top] = Math.max(above[top]!, topLevels);
    below[bottom] = Math.max(below[bottom]!, bottomLevels);
  }
  const places: number[] = [];
  let height = 0;
  for (let row = 0; row < count; row++) {
    height += above[row]! * LANE;
    places.push(height + ROW / 2);
    height += ROW + below[row]! * INSET;
  }
  return { places, height };
}

function itemWidth({ marks, box }: Item): number {
  const pins = marks.map(({ kind, text: label }) => (kind === "pin" ? textWidth(label) : 0));
  const own = box ? (textWidth(box.text) + 2 * Math.max(...pins)) * CHARACTER + 24 : 0;
  return Math.max(own, ...marks.map(markWidth));
}

function markWidth({ kind, text: label }: Mark): number {
  if (kind === "bit") return Math.max(BOX, 2 * (textWidth(label) * (CHARACTER - 1) + 8));
  if (kind === "measure") return BOX;
  return EDGES[kind] ? Math.max(BOX, textWidth(label) * CHARACTER + 10) : BOX;
}

/** Draws what belongs together into a column whose middle is `x`. */
export function drawItem(item: Item, x: number, y: (row: number) => number): Shape[] {
  const { marks, box, top, bottom, join } = item;
  const out: Shape[] = [];
  if (marks.length > 1 && top < bottom) {
    if (join === "dashed")
      out.push(line(x, y(top) - BOX / 2, x, y(bottom) + BOX / 2, GREY, { isDashed: true }));
    else if (join === "double")
      for (const shift of [-1.5, 1.5]) out.push(line(x + shift, y(top), x + shift, y(bottom), GREY));
    else out.push(line(x, y(top), x, y(bottom), BLUE));
  }
  const left = x - itemWidth(item) / 2;
  if (box) {
    const from = y(box.top) - BOX / 2;
    const middle = (y(box.top) + y(box.bottom)) / 2;
    out.push(
      boxAt(left, from, itemWidth(item), y(box.bottom) + BOX / 2 - from, EDGES.composite!),
      text(x, middle, box.text, INK, "middle"),
    );
  }
  for (const mark of marks)
    if (mark.kind === "pin") out.push(text(left + 5, y(mark.row), mark.text, INK, "start", 10));
    else out.push(...drawMark(mark, x, y(mark.row)));
  return out;
}

function drawMark(mark: Mark, x: number, y: number): Shape[] {
  const { kind, text: label } = mark;
  const width = markWidth(mark);
  switch (kind) {
    case "control":
      return [circle(x, y, 3.7, BLUE)];
    case "open":
      return [circle(x, y, 4.5, BLUE, WHITE)];
    case "target":
      return [
        circle(x, y, 10, BLUE, WHITE),
        path(["M", x - 10, y, "h", 20, "M", x, y - 10, "v", 20], BLUE, { width: 1.5 }),
      ];
    case "swap":
      return [path(["M", x - 5, y - 5, "l", 10, 10, "M", x - 5, y + 5, "l", 10, -10], BLUE, { width: 2 })];
    case "bit":
      return [
        path(["M", x - 4.5, y - 7, "L", x + 4.5, y - 7, "L", x, y - 1, "Z"], GREY, { width: 1, fill: GREY }),
        text(x + 7, y - 8, label, TEXT, "start", 10),
      ];
    case "barrier":
      return [line(x, y - BOX / 2, x, y + BOX / 2, GREY, { isDashed: true })];
    case "measure":
      return [boxAt(x - width / 2, y - BOX / 2, width, BOX, GREY), ...meter(x, y + 5)];
    default:
      return [boxAt(x - width / 2, y - BOX / 2, width, BOX, EDGES[kind]!), text(x, y, label, INK, "middle")];
  }
}

/** Draws the dial of a measurement, whose needle turns round a point. */
const meter = (x: number, y: number): Shape[] => [
  path(["M", x - 8, y, "A", 8, 8, 0, 0, 1, x + 8, y], INK),
  path(["M", x, y, "L", x + 5.5, y - 9.5], INK),
];
