import type { Circuit } from "../circuit/circuit.ts";
import type { Frame, Item, Mark } from "./grid.ts";
import { foldColumns } from "./grid.ts";
import { charactersOf, GREEK, textWidth } from "./labels.ts";
import { type DrawingOptions, layOut } from "./layout.ts";

/** How a circuit is written. */
interface TextOptions extends DrawingOptions {
  /** Maximum number of columns of text, where `fold` is not given. Default: 100. */
  width?: number;
  /** Whether only ASCII is used. Default: false. */
  ascii?: boolean;
}

/**
 * Draws a circuit with characters in the layout of its picture, wrapped to a width or as `fold` says. What is beyond 200
 * columns or 60 qubits is counted, not drawn.
 */
export function drawText(circuit: Circuit, options: TextOptions = {}): string {
  const { width = 100, ascii = false, fold = Number.POSITIVE_INFINITY } = options;
  const { rows, columns, frames, notes } = layOut(circuit, options);
  const set = ascii ? ASCII : UNICODE;
  const plain = ascii ? toAscii : (text: string) => text;
  if (rows.length === 0) return ["(no qubits)", ...notes.map(plain)].join("\n\n");
  const labels = rows.map(({ name, index }) => `${plain(name)}${index}: `);
  const margin = Math.max(...labels.map(textWidth));
  const edges = new Set(frames.flatMap(({ start, end }) => [start, end]));
  const labelOf = ({ label }: Frame, isContinued = false) => plain(isContinued ? `… ${label}` : label);
  const widths = columns.map(
    (items, at) => Math.max(Number(edges.has(at)), ...items.map(item => itemWidth(item, set, plain))) + 2,
  );
  for (const frame of frames) {
    const inside = widths.slice(frame.start, frame.end).reduce((sum, one) => sum + one, -1);
    widths[frame.start]! += Math.max(0, textWidth(labelOf(frame)) - inside);
  }
  const total = options.fold === undefined ? Math.max(20, width - margin - 1) : Number.POSITIVE_INFINITY;
  const { places, edgesOf, count } = linePlaces(rows.length, frames, columns);
  const blocks = foldColumns(widths, frames, { total, fold }).map(({ start, end }) => {
    const across = widths.slice(start, end).reduce((sum, one) => sum + one, 1);
    const canvas = new Canvas(across, count);
    rows.forEach((row, at) => {
      canvas.put(places[at]!, 0, (row.isClassical ? set.classical : set.wire).repeat(across));
    });
    let left = 1;
    const lefts: number[] = [];
    for (let column = start; column < end; column++) {
      lefts[column] = left;
      for (const item of columns[column]!) drawItem(item, left, widths[column]!, canvas);
      left += widths[column]!;
    }
    for (const frame of frames)
      if (frame.start < end && frame.end >= start)
        drawFrame(
          frame,
          frame.start < start ? null : lefts[frame.start]! + 1,
          frame.end >= end ? null : lefts[frame.end]! + 1,
          canvas,
        );
    return canvas.lines((line, text) => {
      const row = places.indexOf(line);
      if (row < 0) return text === "" ? null : " ".repeat(margin) + text;
      return " ".repeat(margin - textWidth(labels[row]!)) + labels[row]! + text;
    });
  });
  return [...blocks, ...notes.map(plain)].join("\n\n");

  function drawItem(item: Item, left: number, width: number, canvas: Canvas): void {
    const { marks, box, top, bottom, join } = item;
    const middle = left + Math.floor((width - 1) / 2);
    const centred = (line: number, text: string) =>
      canvas.put(line, left + Math.floor((width - textWidth(text)) / 2), text);
    if (join === "dashed") {
      for (let line = places[top]!; line <= places[bottom]!; line++)
        if (!places.includes(line)) canvas.put(line, middle, set.dashed);
    } else if (marks.length > 1) drawJoin(places[top]!, places[bottom]!, middle, join, canvas);
    if (box) {
      const inside = itemWidth(item, set, plain) - 2;
      const side = set.edge.repeat(inside);
      const [first, last] = [places[box.top]! - 1, places[box.bottom]! + 1];
      const label = written(box, plain);
      const pins = new Map(marks.map(mark => [mark.row, mark.kind === "pin" ? plain(mark.text) : ""]));
      centred(first, set.corners[0] + side + set.corners[1]);
      centred(last, set.corners[2] + side + set.corners[3]);
      const isDouble = join === "double";
      if (top < box.top) canvas.put(first, middle, isDouble ? set.aboveDouble : set.above);
      if (bottom > box.bottom) canvas.put(last, middle, isDouble ? set.read : set.below);
      for (let line = first + 1; line < last; line++) {
        const row = places.indexOf(line);
        const pin = pins.get(row) ?? "";
        const isMiddle = line === Math.floor((first + last) / 2);
        const text = ` ${isMiddle ? pin + " ".repeat(inside - 2 - textWidth(pin) - textWidth(label)) + label : pin}`;
        const [open, close] = row < 0 ? [set.side, set.side] : [set.left, set.right];
        centred(line, open + text + " ".repeat(inside - textWidth(text)) + close);
      }
    }
    for (const mark of marks) if (mark.kind !== "pin") centred(places[mark.row]!, textOf(mark, set, plain));
  }

  function drawJoin(from: number, to: number, x: number, join: Item["join"], canvas: Canvas): void {
    for (let line = from; line <= to; line++) {
      const row = rows[places.indexOf(line)];
      const isDouble = join === "double";
      const crossing = row?.isClassical
        ? isDouble
          ? set.bothDouble
          : set.crossClassical
        : isDouble
          ? set.crossDouble
          : set.cross;
      canvas.put(line, x, row ? crossing : isDouble ? set.double : set.line);
    }
  }

  /** Draws a frame between two columns of text, which are null where it continues in another block. */
  function drawFrame(frame: Frame, from: number | null, to: number | null, canvas: Canvas): void {
    const isLoop = frame.kind === "loop";
    const corners = isLoop ? set.hooks : set.corners;
    const [first = 0, last = 0] = edgesOf(frame);
    const [left, right] = [from ?? 0, to ?? canvas.width];
    for (const line of [first, last])
      for (let x = left + 1; x < right && !isLoop; x++)
        if (canvas.at(line, x) === " ") canvas.put(line, x, set.edge);
    const label = labelOf(frame, from === null);
    const room = right - left - Number(from !== null);
    canvas.put(
      first,
      right - room,
      textWidth(label) > room ? `${label.slice(0, Math.max(0, room - 1))}…` : label,
    );
    for (const [x, side] of [
      [from, 0],
      [to, 1],
    ] as const) {
      if (x === null) continue;
      const isShared = (line: number) =>
        side === 0 && !isLoop && canvas.at(line, x) === corners[line === first ? 1 : 3];
      canvas.put(first, x, isShared(first) ? set.below : corners[side]!);
      canvas.put(last, x, isShared(last) ? set.above : corners[2 + side]!);
      drawJoin(first + 1, last - 1, x, "line", canvas);
    }
    if (from === null || frame.conditions.length === 0) return;
    const lowest = Math.max(...frame.conditions.map(row => places[row]!));
    if (lowest > last) {
      canvas.put(last, from + 1, set.read);
      drawJoin(last + 1, lowest, from + 1, "double", canvas);
    }
    for (const row of frame.conditions)
      canvas.put(places[row]!, from + Number(places[row]! > last), set.condition);
  }
}

/** Returns the line of each wire, with lines between them for joins and for the edges of boxes and of frames around them. */
function linePlaces(rows: number, frames: readonly Frame[], columns: readonly (readonly Item[])[]) {
  type Side = "top" | "bottom";
  /** Returns how many lines a frame's edge is away from its wire: boxes in it and frames in it have theirs between. */
  const distance = (frame: Frame, side: Side) => {
    const inside = columns.slice(frame.start, frame.end).flat();
    return frame[`${side}Levels`] + Number(inside.some(({ box }) => box?.[side] === frame[side]));
  };
  const edges = (side: Side) => {
    const lines = new Uint32Array(rows);
    for (const { box } of columns.flat()) if (box) lines[box[side]] = 1;
    for (const frame of frames) lines[frame[side]] = Math.max(lines[frame[side]]!, distance(frame, side));
    return lines;
  };
  const [above, below] = [edges("top"), edges("bottom")];
  const places: number[] = [];
  let line = 0;
  for (let row = 0; row < rows; row++) {
    line += row === 0 ? above[0]! : Math.max(1, below[row - 1]! + above[row]!);
    places.push(line++);
  }
  const edgesOf = (frame: Frame) => [
    places[frame.top]! - distance(frame, "top"),
    places[frame.bottom]! + distance(frame, "bottom"),
  ];
  return { places, edgesOf, count: line + Math.max(1, below[rows - 1] ?? 0) };
}

/** Lines of characters, of which wide ones take two places. */
class Canvas {
  readonly width: number;
  readonly #cells: string[][];

  constructor(width: number, lines: number) {
    this.width = width;
    this.#cells = Array.from({ length: lines }, () => new Array<string>(width).fill(" "));
  }

  at(line: number, x: number): string {
    return this.#cells[line]![x] ?? "";
  }

  put(line: number, from: number, text: string): void {
    let x = from;
    for (const segment of charactersOf(text)) {
      const width = textWidth(segment);
      if (x + width > this.width) return;
      this.#cells[line]![x] = segment;
      if (width > 1) this.#cells[line]![x + 1] = "";
      x += width;
    }
  }

  /** Returns the lines as text, each as a function writes it; null leaves it out. */
  lines(write: (line: number, text: string) => string | null): string {
    return this.#cells.flatMap((cells, line) => write(line, cells.join("").trimEnd()) ?? []).join("\n");
  }
}

const written = (
  { text, detail = "" }: Pick<Mark, "text" | "detail">,
  plain: (text: string) => string,
): string => plain(detail === "" ? text : `${text} ${detail}`);

function itemWidth({ marks, box }: Item, set: SymbolSet, plain: (text: string) => string): number {
  const pins = marks.map(({ kind, text }) => (kind === "pin" ? textWidth(plain(text)) : 0));
  const own = box ? textWidth(written(box, plain)) + Math.max(...pins) + (Math.max(...pins) > 0 ? 6 : 4) : 0;
  return Math.max(own, ...marks.map(mark => (mark.kind === "pin" ? 0 : textWidth(textOf(mark, set, plain)))));
}

function textOf(mark: Mark, set: SymbolSet, plain: (text: string) => string): string {
  switch (mark.kind) {
    case "control":
    case "open":
    case "target":
    case "swap":
      return set[mark.kind];
    case "barrier":
      return set.dashed;
    case "bit":
      return set.classical.repeat(textWidth(mark.text)) + set.bit + mark.text;
    default:
      return set.left + written(mark, plain) + set.right;
  }
}

/** The characters that a drawing is made of. */
type SymbolSet = typeof UNICODE;

/** Box drawing and geometric shapes. */
const UNICODE = {
  ...{ wire: "─", classical: "═", line: "│", double: "║", dashed: "┊", side: "│", more: "…", edge: "─" },
  ...{ cross: "┼", crossDouble: "╫", crossClassical: "╪", bothDouble: "╬", left: "┤", right: "├" },
  ...{ control: "●", open: "○", target: "⊕", swap: "×", condition: "■", bit: "╩", read: "╥" },
  ...{ corners: "┌┐└┘", above: "┴", below: "┬", hooks: "╭╮╰╯", aboveDouble: "╨" },
};

const ASCII: SymbolSet = {
  ...{ wire: "-", classical: "=", line: "|", double: "|", dashed: ":", side: "|", more: "...", edge: "-" },
  ...{ cross: "+", crossDouble: "+", crossClassical: "+", bothDouble: "+", left: "[", right: "]" },
  ...{ control: "*", open: "o", target: "X", swap: "x", condition: "?", bit: "+", read: "+" },
  ...{ corners: "++++", above: "+", below: "+", hooks: "++++", aboveDouble: "+" },
};

const TO_ASCII: Record<string, string> = {
  ...{ "×": "x", "†": "'", "√": "sqrt", "⟩": ">", "…": "...", "·": "*", "−": "-" },
  ...Object.fromEntries(Array.from(GREEK, ([name, letter]) => [letter, name])),
};

const toAscii = (label: string): string =>
  label.replace(/[^\x20-\x7e]/gu, character => TO_ASCII[character] ?? "?");
