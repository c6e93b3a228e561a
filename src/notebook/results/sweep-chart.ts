import { type Chart, heatmap, line } from "../../charts/index.ts";
import { plain } from "../../display/text.ts";

/** A row of a sweep: the values of inputs by name, and figures. */
export interface SweepRow {
  readonly program: number;
  readonly [column: string]: unknown;
}

/** What of a sweep is drawn. */
export interface SweepFigure {
  /** The column of values; their intervals are in `low` and `high`. */
  value: string;
  /** The column that tells several figures apart. */
  series?: string;
  /** Values at the ends of the scale. Default: the least and the largest value. */
  domain?: readonly [number, number];
  title: string;
  /** Remarks below the title, and one about the intervals where they are drawn. */
  subtitle: readonly string[];
  intervals: string;
}

/**
 * Draws figures over the inputs of a sweep: over one as lines with the bands of their intervals, over two as heatmaps,
 * over more as a heatmap for each combination of the others; without any, over the number of the program.
 */
export function sweepChart(
  rows: readonly SweepRow[],
  inputs: readonly string[],
  { value, series, domain, title, subtitle, intervals }: SweepFigure,
): Chart {
  const [x = "program", y, ...others] = inputs;
  const shared = { title, subtitle, ...(domain && { domain }) };
  if (y === undefined) {
    const columns = { x, y: value, low: "low", high: "high", ...(series && { series }) };
    return line(rows, { ...shared, ...columns, subtitle: [...subtitle, intervals] });
  }
  if (others.length === 0 && series === undefined) return heatmap(rows, { ...shared, x, y, color: value });
  const tells = [...others, ...(series === undefined ? [] : [series])];
  const panels = rows.map(row => ({
    ...row,
    panel: tells.map(name => nameIn(row, name, series)).join(", "),
  }));
  return heatmap(panels, { ...shared, x, y, color: value, panel: "panel" });
}

function nameIn(row: SweepRow, column: string, series: string | undefined): string {
  const value = row[column];
  const text = typeof value === "number" ? String(Number(value.toPrecision(4))) : plain(value, 40);
  return column === series ? text : `${column} ${text}`;
}
