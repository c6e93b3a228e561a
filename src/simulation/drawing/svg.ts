import type { Circuit } from "../circuit/circuit.ts";
import type { Element } from "./elements.ts";
import type { Frame } from "./grid.ts";
import { foldColumns } from "./grid.ts";
import { type DrawingOptions, layOut } from "./layout.ts";
import { BOX, drawItem, drawWire, itemWidth, namesWidth, wireName } from "./marks.ts";
import {
  box,
  type CircuitColors,
  circle,
  circuitColors,
  doubleLine,
  filledShape,
  labelWidth,
  path,
  type Shape,
  shapeSvg,
  text,
} from "./shapes.ts";

const [ROW, PADDING, GAP] = [46, 12, 10];
/** Width of a column in which a frame begins or ends, and height of the label of one. */
const [EDGE, LANE] = [8, 20];
/** Distance between the edges of frames within each other, and between a frame and gates in it. */
const [INSET, MARGIN] = [5, 6];
/** Pixels of a bracket around a pass of a loop, at its corners. */
const HOOK = 7;
const LABEL = 12;

/** How a picture of a circuit looks. */
interface PictureOptions extends DrawingOptions {
  /** Maximum width in pixels, where `fold` is not given. Default: 900. */
  width?: number;
  /** Whether gates have the colour of their edges. Default: false. */
  filled?: boolean;
  /** Default: those on white. */
  colors?: CircuitColors;
  /** Families of the font. Default: `"Inter, system-ui, sans-serif"`. */
  font?: string;
}

/**
 * Draws a circuit as a self-contained SVG picture without a ground, wrapped to a width or as `fold` says. What is beyond 200
 * columns or 60 qubits is counted, not drawn.
 */
export function drawSvg(circuit: Circuit, options: PictureOptions = {}): string {
  const {
    width = 900,
    filled = false,
    colors = circuitColors.light,
    font = "Inter, system-ui, sans-serif",
  } = options;
  const { fold = Number.POSITIVE_INFINITY } = options;
  const { rows, columns, frames, notes } = layOut(circuit, options);
  const margin = namesWidth(rows) + 2 * PADDING;
  const indent = rows.some(row => row.isClassical && row.index !== "") ? 24 : GAP;
  const edges = new Set(frames.flatMap(({ start, end }) => [start, end]));
  const widths = columns.map(
    (items, at) => Math.max(edges.has(at) ? EDGE : 0, ...items.map(itemWidth)) + GAP,
  );
  for (const { start, end, label } of frames) {
    const inside = widths.slice(start + 1, end).reduce((sum, one) => sum + one, EDGE);
    const missing = Math.max(0, labelWidth(label, LABEL) * 1.06 - inside);
    widths[start]! += missing / 2;
    widths[Math.max(start, Math.min(end, widths.length) - 1)]! += missing / 2;
  }
  const total =
    options.fold === undefined ? Math.max(100, width - margin - indent - PADDING) : Number.POSITIVE_INFINITY;
  const { places, height } = rowPlaces(rows.length, frames);
  const parts: Shape[] = [];
  let widest = 0;
  let top = PADDING / 2;
  for (const { start, end } of foldColumns(widths, frames, { total, fold })) {
    const y = (row: number) => top + places[row]!;
    const lefts: number[] = [];
    let right = margin + indent;
    for (let column = start; column < end; column++) {
      lefts[column] = right;
      right += widths[column]!;
    }
    widest = Math.max(widest, right);
    const shown = frames.filter(frame => frame.start < end && frame.end >= start);
    const extents = shown.map(frame => {
      const from = frame.start < start ? null : lefts[frame.start]! + EDGE / 2;
      const to = frame.end >= end ? null : lefts[frame.end]! + EDGE / 2;
      return { frame, from, to, left: from ?? margin + 2, right: to ?? right };
    });
    parts.push(...extents.map(extent => frameTint(extent, y)));
    rows.forEach((row, at) => {
      parts.push(...drawWire(row, margin, right, y(at)), ...wireName(row, margin - PADDING, y(at)));
    });
    for (const extent of extents) {
      parts.push(...drawFrame(extent, y));
      widest = Math.max(widest, extent.left + labelWidth(`… ${extent.frame.label}`, LABEL));
    }
    for (let column = start; column < end; column++) {
      const middle = lefts[column]! + (widths[column]! - GAP) / 2;
      for (const item of columns[column]!) parts.push(...drawItem(item, middle, y));
    }
    top += height + ROW / 4;
  }
  for (const note of notes) {
    top += ROW / 2;
    parts.push(text(PADDING, top - ROW / 4, note, { color: "lesser", anchor: "start", size: LABEL }));
    widest = Math.max(widest, labelWidth(note, LABEL) + 2 * PADDING);
  }
  const [w, h] = [Math.ceil(widest + PADDING), Math.ceil(top)];
  const drawn = parts.map(shape => shapeSvg(filled ? filledShape(shape) : shape, colors));
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${w}" height="${h}" viewBox="0 0 ${w} ${h}" font-family="${font}">${drawn.join("")}</svg>`;
}

/** An execution as shapes on the wires of its circuit. */
export interface CircuitStrip {
  readonly height: number;
  readonly margin: number;
  readonly names: readonly Shape[];
  readonly wires: (from: number, to: number) => readonly Shape[];
  readonly columns: readonly { readonly width: number; readonly shapes: readonly Shape[] }[];
}

/**
 * Draws the operations of an execution, each in its own column. Heights count from the top, and distances across from the
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
  const margin = namesWidth(shown) + PADDING;
  return {
    height: shown.length * ROW,
    margin,
    names: shown.flatMap((row, at) => wireName(row, margin - PADDING, y(at))),
    wires: (from, to) => shown.flatMap((row, at) => drawWire(row, from, to, y(at))),
    columns: items.map(item => ({
      width: (item ? itemWidth(item) : BOX) + 2 * GAP,
      shapes: item ? drawItem(item, 0, y) : [],
    })),
  };
}

/** Returns the height of each row's wire below the top of a run, with room for the labels and edges of frames. */
function rowPlaces(count: number, frames: readonly Frame[]): { places: number[]; height: number } {
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

/** Where a frame is in a run of columns; an edge that is in another run is null. */
interface Extent {
  readonly frame: Frame;
  readonly from: number | null;
  readonly to: number | null;
  readonly left: number;
  readonly right: number;
}

function heightsOf({ top, bottom, topLevels, bottomLevels }: Frame, y: (row: number) => number) {
  return {
    above: y(top) - BOX / 2 - MARGIN - (topLevels - 1) * LANE,
    below: y(bottom) + BOX / 2 + MARGIN + (bottomLevels - 1) * INSET,
  };
}

function frameTint({ frame, left, right }: Extent, y: (row: number) => number): Shape {
  const { above, below } = heightsOf(frame, y);
  return box(left, above, right - left, below - above, "none", { fill: frame.kind, isTint: true });
}

/** Draws a frame, or around one pass of a loop a bracket, or its part in a run of columns, which is open where the frame continues. */
function drawFrame({ frame, from, to, left, right }: Extent, y: (row: number) => number): Shape[] {
  const { kind, conditions, label } = frame;
  const { above, below } = heightsOf(frame, y);
  const hook = (x: number, aside: number) => ["M", x + aside, above, "H", x, "V", below, "H", x + aside];
  const edges =
    kind === "loop"
      ? path([...(from === null ? [] : hook(left, HOOK)), ...(to === null ? [] : hook(right, -HOOK))], kind, {
          width: 1.6,
        })
      : path(
          [
            ...["M", left, above, "H", right, ...(to === null ? ["M", right, below] : ["V", below])],
            ...["H", left, ...(from === null ? [] : ["V", above])],
          ],
          kind,
          { width: 1.2 },
        );
  const shown = from === null ? `… ${label}` : label;
  const isLabelled = from !== null || to === null || labelWidth(shown, LABEL) < right - left;
  const reads = from === null ? [] : conditions;
  const isReadAbove = reads.some(row => row < frame.top);
  const x = left + GAP;
  return [
    ...reads.flatMap(row => {
      const edge = row < frame.top ? above : Math.min(below, y(row));
      return [...doubleLine(x, edge, y(row), kind), circle(x, y(row), 4, kind)];
    }),
    edges,
    text(left + (isReadAbove ? GAP + 6 : 1), above - LABEL / 2 - 2, isLabelled ? shown : "", {
      ...{ color: kind, anchor: "start", size: LABEL, weight: 600 },
    }),
  ];
}
