import type { Circuit } from "../circuit/circuit.ts";
import { type Item, layOut, type Mark, remainder, wrapColumns } from "./layout.ts";

const LIGHT = {
  ...{
    wire: "─",
    classical: "═",
    line: "│",
    double: "║",
    dashed: "░",
    cross: "┼",
    crossDouble: "╫",
    crossClassical: "╪",
  },
  ...{
    bothDouble: "╬",
    left: "┤",
    right: "├",
    control: "●",
    open: "○",
    target: "⊕",
    swap: "×",
    condition: "■",
  },
  ...{ begin: "⟦", end: "⟧" },
};
const ASCII: typeof LIGHT = {
  ...{
    wire: "-",
    classical: "=",
    line: "|",
    double: "|",
    dashed: ":",
    cross: "+",
    crossDouble: "+",
    crossClassical: "+",
  },
  ...{
    bothDouble: "+",
    left: "[",
    right: "]",
    control: "*",
    open: "o",
    target: "X",
    swap: "x",
    condition: "?",
  },
  ...{ begin: "{", end: "}" },
};
const TO_ASCII: Record<string, string> = {
  π: "pi",
  "×": "x",
  "†": "'",
  "√": "sqrt",
  "⟩": ">",
  "…": "...",
  "″": '"',
  "·": ".",
};

/**
 * Draws a circuit with characters, one line a wire, wrapped to `width` columns of text (default 100).
 * With `ascii` nothing but ASCII is used. What is beyond 200 columns or 60 qubits is counted, not drawn.
 */
export function drawText(
  circuit: Circuit,
  { width = 100, ascii = false }: { width?: number; ascii?: boolean } = {},
): string {
  const layout = layOut(circuit);
  const set = ascii ? ASCII : LIGHT;
  const plain = (text: string) =>
    ascii ? text.replace(/[^\x20-\x7e]/gu, character => TO_ASCII[character] ?? "?") : text;
  const { rows } = layout;
  if (rows.length === 0) return "(no qubits)";
  const labels = rows.map(({ label }) => `${plain(label)}: `);
  const margin = Math.max(...labels.map(label => label.length));
  const cells = layout.columns.map(items => cellsOf(items, set, plain));
  const widths = cells.map(column => Math.max(...column.map(({ text }) => text.length)) + 2);
  const runs = wrapColumns(widths, Math.max(20, width - margin - 1));
  const blocks = runs.map(({ start, end }) => {
    const lines: string[] = [];
    rows.forEach((row, at) => {
      const wire = row.isClassical ? set.classical : set.wire;
      let line = labels[at]!.padStart(margin) + wire;
      let below = " ".repeat(margin + 1);
      for (let column = start; column < end; column++) {
        const span = widths[column]!;
        const items = layout.columns[column]!;
        const cell = cells[column]!.find(candidate => candidate.row === at);
        const item = items.find(({ top, bottom }) => top <= at && at <= bottom);
        line += centred(cell?.text ?? (item ? crossing(item, row.isClassical, set) : ""), span, wire);
        below += centred(item && at < item.bottom && joins(item) ? set[item.join] : "", span, " ");
      }
      lines.push(line, below.trimEnd());
    });
    while (lines.at(-1) === "") lines.pop();
    return lines.filter((line, i) => line !== "" || i % 2 === 0).join("\n");
  });
  const rest = plain(remainder(layout));
  return [...blocks, ...(rest ? [rest] : [])].join("\n\n");
}

const isFrame = ({ marks }: Item) => marks.some(({ kind }) => kind === "begin" || kind === "end");
const joins = (item: Item) => !isFrame(item) && (item.marks.length > 1 || item.join === "dashed");

function crossing(item: Item, isClassical: boolean, set: typeof LIGHT): string {
  if (!joins(item) || item.join === "dashed") return "";
  if (item.join === "double") return isClassical ? set.bothDouble : set.crossDouble;
  return isClassical ? set.crossClassical : set.cross;
}

function cellsOf(
  items: readonly Item[],
  set: typeof LIGHT,
  plain: (text: string) => string,
): { row: number; text: string }[] {
  return items.flatMap(({ marks }) => {
    const label = plain(marks.find(({ kind }) => kind === "begin")?.text ?? "").length;
    return marks.map(mark => {
      const text = textOf(mark, set, plain(mark.text));
      const wire = mark.kind === "condition" ? set.classical : set.wire;
      return { row: mark.row, text: label > 0 ? text.padEnd(label + 1, wire) : text };
    });
  });
}

function textOf({ kind }: Mark, set: typeof LIGHT, text: string): string {
  switch (kind) {
    case "control":
    case "open":
    case "target":
    case "swap":
    case "condition":
      return set[kind];
    case "barrier":
      return set.dashed;
    case "bit":
      return text;
    case "begin":
      return set.begin + text;
    case "end":
      return set.end;
    default:
      return set.left + text + set.right;
  }
}

function centred(text: string, width: number, fill: string): string {
  const before = Math.floor((width - text.length) / 2);
  return fill.repeat(before) + text + fill.repeat(width - before - text.length);
}
