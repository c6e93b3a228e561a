import { clip, pad, type Column as TableColumn, table } from "../../display/index.ts";
import { type Cell, type Column, distinct, extentOf, formatCell, onto, type Plot } from "./columns.ts";

const glyphs = ["●", "○", "▲", "△", "■", "□", "◆", "◇"];
const lines = 12;

function place(column: Column, [min, max]: readonly [number, number], value: number): number {
  const at = onto(column);
  return max > min ? (at(value) - at(min)) / (at(max) - at(min)) : 0.5;
}

/** Draws rows as dots on axes, in lines of at most `width` characters. */
export function plotLines({ columns, values }: Plot, width: number): string[] {
  const room = Math.max(30, Math.floor(width));
  const { x, y, series } = columns as { x: Column; y: Column; series?: Column };
  if (values.length === 0) return ["  no rows"];
  const numbered = (column: Column) => {
    const order = column.scale === "category" ? distinct(column) : undefined;
    return { order, of: (value: unknown) => (order ? order.indexOf(value as string) : Number(value)) };
  };
  const [across, up] = [numbered(x), numbered(y)];
  const xs = x.domain ?? extentOf(values.map(row => across.of(row.x)));
  const ys = y.domain ?? extentOf(values.map(row => up.of(row.y)));
  const words = (column: Column, order: readonly unknown[] | undefined, end: number) =>
    clip(order ? String(order[end] ?? "") : formatCell(column, end), 16);
  const [top, bottom] = [words(y, up.order, ys[1]), words(y, up.order, ys[0])];
  const label = Math.max(top.length, bottom.length);
  const cells = Math.max(10, Math.min(72, room - label - 4));
  const names = series ? distinct(series) : [];
  const grid = Array.from({ length: lines }, () => Array<string>(cells).fill(" "));
  for (const row of values) {
    const column = Math.round(place(x, xs, across.of(row.x)) * (cells - 1));
    const line = Math.round((1 - place(y, ys, up.of(row.y))) * (lines - 1));
    const glyph = glyphs[Math.max(0, names.indexOf(row.series!)) % glyphs.length]!;
    if (grid[line]?.[column] !== undefined) grid[line][column] = glyph;
  }
  const drawn = grid.map((row, index) => {
    const side = index === 0 ? top : index === lines - 1 ? bottom : "";
    return `  ${pad(side, label, "right")} ${index === lines - 1 ? "└" : "│"}${row.join("").trimEnd()}`;
  });
  const [first, last] = [words(x, across.order, xs[0]), words(x, across.order, xs[1])];
  const below = `${" ".repeat(label + 4)}${first}${pad(last, Math.max(1, cells - first.length), "right")}`;
  const key = names.map((name, index) => `${glyphs[index % glyphs.length]} ${name}`).join("  ");
  return [...(key ? [`  ${key}`] : []), ...drawn, below];
}

export function describeRanges({ columns, values }: Plot): string {
  const range = (role: string) => {
    const column = columns[role];
    const [min, max] = extentOf(values.map(row => row[role]));
    if (!column || min > max) return "";
    return `${column.title} from ${formatCell(column, min)} to ${formatCell(column, max)}`;
  };
  return ["x", "y"].map(range).filter(Boolean).join(", ");
}

export function plotTable({ title, columns, values }: Plot) {
  return table<{ [role: string]: Cell }>({
    caption: title,
    rows: values,
    columns: Object.entries(columns).map(
      ([role, column]): TableColumn<{ [role: string]: Cell }> => ({
        label: column.title,
        align: column.scale === "category" ? "left" : "right",
        value: row => formatCell(column, row[role]!),
      }),
    ),
  });
}

/** Returns the rows of a plot with the names of their columns; moments as ISO 8601. */
export function plotRecords({ columns, values }: Plot): object[] {
  const cell = (role: string, value: Cell) =>
    columns[role]!.scale === "time" && value !== null ? new Date(value).toISOString() : value;
  return values.map(row =>
    Object.fromEntries(
      Object.entries(columns).map(([role, { title }]) => [title.trim(), cell(role, row[role]!)]),
    ),
  );
}
