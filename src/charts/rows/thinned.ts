import { formatNumber } from "../../display/index.ts";
import { round } from "../channels.ts";
import { type Cell, type Column, extentOf, from, onto, type Plot, sampleRows } from "./columns.ts";

/** More rows than these are not drawn one by one, and the caption says it. */
const maxPoints = 5000;
const [across, up] = [96, 56];

type Row = Plot["values"][number];

function rangesOf(column: Column, count: number) {
  const to = onto(column);
  const [low, high] = (column.domain ?? column.span ?? extentOf(column.values)).map(to) as [number, number];
  const step = (high - low) / count || 1;
  return {
    /** Returns the range of a value: -1 below all of them, and `count` above. */
    indexOf: (value: Cell | undefined) => {
      const at = to(Number(value));
      return at === high ? count - 1 : Math.max(-1, Math.min(count, Math.floor((at - low) / step)));
    },
    edge: (index: number) => round(from(column)(low + index * step), 9),
  };
}

const withCaption = (plot: Plot, words: string): Plot => ({
  ...plot,
  rows: plot.values.length,
  subtitle: [...plot.subtitle, `${formatNumber(plot.values.length)} rows, ${words}`],
});

/** Returns many points as the counts of cells, or a sample where more than places tells them apart. */
export function densityOf(plot: Plot): Plot {
  const { columns, values } = plot;
  const { x, y, ...others } = columns as { x: Column; y: Column };
  if (values.length <= maxPoints) return plot;
  if (Object.keys(others).length > 0 || x.scale === "category" || y.scale === "category")
    return {
      ...withCaption(plot, `${formatNumber(maxPoints)} of them, evenly sampled`),
      values: [...sampleRows(values, maxPoints)],
    };
  const [columnsOf, rowsOf] = [rangesOf(x, across), rangesOf(y, up)];
  const cells = new Map<number, number>();
  for (const row of values) {
    const [column, line] = [columnsOf.indexOf(row.x), rowsOf.indexOf(row.y)];
    if (column < 0 || column >= across || line < 0 || line >= up) continue;
    const cell = column * up + line;
    cells.set(cell, (cells.get(cell) ?? 0) + 1);
  }
  const drawn = Array.from(cells, ([cell, count]): Row => {
    const [column, line] = [Math.floor(cell / up), cell % up];
    const [left, bottom] = [columnsOf.edge(column), rowsOf.edge(line)];
    return { x: left, y: bottom, count, x2: columnsOf.edge(column + 1), y2: rowsOf.edge(line + 1) };
  });
  const counts = drawn.map(row => row.count!);
  const count: Column = { title: "rows", isUntitled: false, scale: "linear", values: counts };
  return { ...withCaption(plot, "drawn as their density"), columns: { x, y, count }, values: drawn };
}

/** Returns the rows of long lines that are seen: of each pixel the first, the last, the lowest and the highest. */
export function extremesOf(plot: Plot): Plot {
  const { columns, values, gaps, width } = plot;
  const { x, series } = columns as { x: Column; series?: Column };
  if (values.length <= maxPoints || x.scale === "category") return plot;
  const lines = new Set(series?.values).size || 1;
  const pixels = rangesOf(x, Math.ceil(Math.min(width, maxPoints / lines)));
  const keyOf = (row: Row) => `${row.series} ${pixels.indexOf(row.x)}`;
  const ends = new Map<string, Row[]>();
  for (const row of values) {
    const [first, low, high] = ends.get(keyOf(row)) ?? [row, row, row];
    const [lowest, highest] = [
      Number(row.y) < Number(low!.y) ? row : low!,
      Number(row.y) > Number(high!.y) ? row : high!,
    ];
    ends.set(keyOf(row), [first!, lowest, highest, row]);
  }
  const seen = new Set([...ends.values()].flat());
  return {
    ...withCaption(plot, "drawn by the extremes of each pixel"),
    values: values.filter(row => seen.has(row)),
    gaps: [...new Map(gaps.map(row => [keyOf(row), row])).values()],
  };
}
