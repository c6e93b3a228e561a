import type { Circuit } from "../circuit/circuit.ts";
import { foldColumns } from "./fold.ts";
import type { Frame, Item, Mark } from "./grid.ts";
import { layOut } from "./layout.ts";
import type { DrawingOptions } from "./options.ts";
import { ASCII, type SymbolSet, toAscii, UNICODE } from "./text-symbols.ts";
import { textWidth } from "./text-width.ts";

/** What a column shows on the line of a wire and on the line below it. */
interface Column {
  readonly wires: readonly (string | undefined)[];
  readonly below: readonly (string | undefined)[];
  readonly width: number;
}

/**
 * Draws a circuit with characters, one line a wire, wrapped to `width` columns of text (default 100) or as `fold` says.
 * With `ascii` nothing but ASCII is used. What is beyond 200 columns or 60 qubits is counted, not drawn.
 */
export function drawText(
  circuit: Circuit,
  { width = 100, ascii = false, ...options }: DrawingOptions & { width?: number; ascii?: boolean } = {},
): string {
  const { rows, columns, frames, notes } = layOut(circuit, options);
  const { fold = Number.POSITIVE_INFINITY } = options;
  const set = ascii ? ASCII : UNICODE;
  const plain = ascii ? toAscii : (text: string) => text;
  if (rows.length === 0) return ["(no qubits)", ...notes.map(plain)].join("\n\n");
  const labels = rows.map(({ label }) => `${plain(label)}: `);
  const margin = Math.max(...labels.map(textWidth));
  const wireOf = (row: number) => (rows[row]!.isClassical ? set.classical : set.wire);
  const drawn = columns.map((items, column) => {
    const edges = frames.filter(({ start, end }) => start === column || end === column);
    return joined([
      ...edges.map(frame => edgeOf(frame, frame.start === column ? "begin" : "end", "")),
      ...items.map(item => drawItem(item)),
    ]);
  });
  const widths = drawn.map(column => column.width + 2);
  const total = options.fold === undefined ? Math.max(20, width - margin - 1) : Number.POSITIVE_INFINITY;
  const open = (column: number) => frames.filter(frame => frame.start < column && frame.end >= column);
  const edge = textWidth(set.more) + 3;
  const blocks = foldColumns(widths, frames, { total, fold, edge }).map(({ start, end }) => {
    const run = [
      ...open(start).map(frame => edgeOf(frame, "begin", set.more)),
      ...drawn.slice(start, end),
      ...(end < drawn.length
        ? open(end)
            .toReversed()
            .map(frame => edgeOf(frame, "end", set.more))
        : []),
    ];
    const lines = rows.flatMap((_, row) => {
      const wire = wireOf(row);
      const cells = run.map(column => centred(column.wires[row] ?? "", column.width + 2, wire));
      const below = run.map(column => centred(column.below[row] ?? "", column.width + 2, " "));
      const label = " ".repeat(margin - textWidth(labels[row]!)) + labels[row]!;
      return [label + wire + cells.join(""), (" ".repeat(margin + 1) + below.join("")).trimEnd()];
    });
    while (lines.at(-1) === "") lines.pop();
    return lines.filter((line, i) => line !== "" || i % 2 === 0).join("\n");
  });
  return [...blocks, ...notes.map(plain)].join("\n\n");

  function edgeOf(frame: Frame, kind: "begin" | "end", more: string): Column {
    const label = more || (kind === "begin" ? plain(frame.label) : "");
    const width = textWidth(label) + 1;
    const wires: string[] = [];
    for (let row = frame.top; row <= frame.bottom; row++) {
      const text = row === frame.top ? label : more;
      const fill = wireOf(row).repeat(width - 1 - textWidth(text));
      wires[row] = kind === "begin" ? set.begin + text + fill : fill + text + set.end;
    }
    if (kind === "begin" && more === "")
      for (const row of frame.conditions) wires[row] = set.condition + set.classical.repeat(width - 1);
    return { wires, below: [], width };
  }

  function drawItem({ marks, box, top, bottom, join }: Item): Column {
    const wires: string[] = [];
    const below: string[] = [];
    if (marks.length > 1 || join === "dashed")
      for (let row = top; row <= bottom; row++) {
        wires[row] = crossing(join, rows[row]!.isClassical, set);
        if (row < bottom) below[row] = set[join];
      }
    if (box) drawBox(box, marks, wires, below);
    for (const mark of marks) if (mark.kind !== "pin") wires[mark.row] = textOf(mark, set, plain(mark.text));
    return { wires, below, width: Math.max(...Object.values(wires).map(textWidth)) };
  }

  function drawBox(
    { top, bottom, text }: NonNullable<Item["box"]>,
    marks: readonly Mark[],
    wires: string[],
    below: string[],
  ): void {
    const pins = new Map(marks.filter(({ kind }) => kind === "pin").map(mark => [mark.row, mark.text]));
    const pinWidth = Math.max(...[...pins.values()].map(pin => pin.length));
    const label = plain(text);
    const inside = pinWidth + (pinWidth > 0 ? 1 : 0) + textWidth(label);
    const content = (line: number, pin: string) =>
      pin.padEnd(inside - textWidth(label)) + (line === top + bottom ? label : " ".repeat(textWidth(label)));
    for (let row = top; row <= bottom; row++) {
      wires[row] = set.left + content(2 * row, pins.get(row) ?? "") + set.right;
      if (row < bottom) below[row] = set.side + content(2 * row + 1, "") + set.side;
    }
  }
}

function joined(columns: readonly Column[]): Column {
  return {
    wires: Object.assign([], ...columns.map(({ wires }) => wires)),
    below: Object.assign([], ...columns.map(({ below }) => below)),
    width: Math.max(...columns.map(({ width }) => width)),
  };
}

function crossing(join: Item["join"], isClassical: boolean, set: SymbolSet): string {
  if (join === "dashed") return "";
  if (join === "double") return isClassical ? set.bothDouble : set.crossDouble;
  return isClassical ? set.crossClassical : set.cross;
}

function textOf({ kind }: Mark, set: SymbolSet, text: string): string {
  switch (kind) {
    case "control":
    case "open":
    case "target":
    case "swap":
      return set[kind];
    case "barrier":
      return set.dashed;
    case "bit":
      return text;
    default:
      return set.left + text + set.right;
  }
}

function centred(text: string, width: number, fill: string): string {
  const rest = width - textWidth(text);
  const before = Math.floor(rest / 2);
  return fill.repeat(before) + text + fill.repeat(rest - before);
}
